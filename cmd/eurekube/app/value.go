package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// list is the value of a flag that may be repeated and takes several words,
// separated by commas. The first use replaces the default.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

// Set replaces the words; Append is for the repeated flag.
func (l *list) Set(text string) error {
	*l = nil
	return l.Append(text)
}

// Append adds words. Blank ones are dropped: charts and shells leave them behind.
func (l *list) Append(text string) error {
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			*l = append(*l, word)
		}
	}
	return nil
}

// Type is what the usage calls the value.
func (l *list) Type() string { return "list" }

// choice is the value of a flag that takes one of a few words.
type choice[T ~string] struct {
	value   *T
	allowed []T
}

func oneOf[T ~string](value *T, allowed ...T) *choice[T] {
	return &choice[T]{value: value, allowed: allowed}
}

func (c *choice[T]) String() string { return string(*c.value) }

func (c *choice[T]) Set(text string) error {
	if !slices.Contains(c.allowed, T(text)) {
		return fmt.Errorf("must be %s", either(c.allowed))
	}
	*c.value = T(text)
	return nil
}

// either is words as a sentence has them: a, b or c.
func either[T ~string](words []T) string {
	var text strings.Builder
	for i, word := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			text.WriteString(" or ")
		default:
			text.WriteString(", ")
		}
		text.WriteString(string(word))
	}
	return text.String()
}

// Type is what the usage calls the value.
func (c *choice[T]) Type() string { return "word" }

// size is the value of a flag in bytes, written as Kubernetes writes memory.
type size int64

func (s *size) String() string {
	return resource.NewQuantity(int64(*s), resource.BinarySI).String()
}

func (s *size) Set(text string) error {
	quantity, err := resource.ParseQuantity(text)
	if err != nil {
		return errors.New("must be a size like 1Mi")
	}
	bytes, whole := quantity.AsInt64()
	if !whole {
		return errors.New("must be a whole number of bytes below 8Ei")
	}
	*s = size(bytes)
	return nil
}

// Type is what the usage calls the value.
func (s *size) Type() string { return "size" }
