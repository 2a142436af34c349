package controller

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// document is one of the documents of a manifest.
type document struct {
	text   []byte
	isJSON bool
	line   int // lines before it in the file
}

// documents cuts a file into documents.
func (f *manifestFile) documents(data []byte) ([]document, error) {
	if strings.EqualFold(filepath.Ext(f.name), ".json") {
		return jsonDocuments(data)
	}
	return yamlDocuments(data), nil
}

// yamlDocuments cuts at the lines that YAML keeps for this, and leaves out
// documents of comments only.
func yamlDocuments(data []byte) []document {
	var documents []document
	var d document
	empty := true
	end := func(line int) {
		if !empty {
			documents = append(documents, d)
		}
		d, empty = document{line: line}, true
	}
	add := func(line []byte) {
		d.text = append(d.text, line...)
		trimmed := bytes.TrimSpace(line)
		empty = empty && (len(trimmed) == 0 || trimmed[0] == '#')
	}
	for i, line := range bytes.SplitAfter(data, []byte("\n")) {
		switch marker, rest, _ := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(" ")); string(marker) {
		case "---":
			end(i)
			add(rest)
			add([]byte("\n"))
		case "...":
			end(i + 1)
		default:
			add(line)
		}
	}
	end(0)
	return documents
}

// jsonDocuments cuts a file of one or several JSON values.
func jsonDocuments(data []byte) ([]document, error) {
	var documents []document
	decoder := json.NewDecoder(bytes.NewReader(data))
	for decoder.More() {
		var text json.RawMessage
		if err := decoder.Decode(&text); err != nil {
			offset := len(data) // where a file that ends early ends
			var syntax *json.SyntaxError
			if errors.As(err, &syntax) {
				offset = min(int(syntax.Offset), len(data))
			}
			line := 1 + bytes.Count(data[:offset], []byte("\n"))
			return nil, &documentError{len(documents) + 1, fmt.Errorf("line %d: %w", line, err)}
		}
		documents = append(documents, document{text: text, isJSON: true})
	}
	return documents, nil
}

// json is the document as JSON. It tells of keys that come twice, of which the
// last one counts.
func (d document) json() (asJSON []byte, twice []string, err error) {
	if d.isJSON {
		return d.text, nil, nil
	}
	asJSON, strict := yaml.YAMLToJSONStrict(d.text)
	if strict == nil {
		return asJSON, nil, nil
	}
	if asJSON, err = yaml.YAMLToJSON(d.text); err != nil {
		return nil, nil, errors.New(d.inFile(err.Error()))
	}
	// The first line is a heading; each other one is one key.
	for key := range strings.Lines(strict.Error()) {
		twice = append(twice, d.inFile(strings.TrimSpace(key)))
	}
	return asJSON, twice[min(1, len(twice)-1):], nil
}

// lineNumber is where the YAML parser's messages say the line. Keys and values
// that it repeats come later.
var lineNumber = regexp.MustCompile(`^(yaml: )?line (\d+): `)

// inFile turns the document's line in a message of the YAML parser into the
// file's.
func (d document) inFile(message string) string {
	at := lineNumber.FindStringSubmatchIndex(message)
	if at == nil {
		return message
	}
	line, err := strconv.Atoi(message[at[4]:at[5]])
	if err != nil {
		return message // more lines than there are numbers
	}
	return message[:at[4]] + strconv.Itoa(d.line+line) + message[at[5]:]
}
