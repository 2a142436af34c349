package figure

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"

	"github.com/eurekube/eurekube/eureka/codec"
)

// GzipSize is the gzip answer of the full list beside one stream of the same
// text.
type GzipSize struct {
	// Text, Body and Stream are in bytes: the plain answer, the gzip answer, and
	// the text as one stream of the level of most servers, 6.
	Text, Body, Stream int
}

// Ratio is how large the answer is beside the stream; 1 is as large.
func (g GzipSize) Ratio() float64 { return float64(g.Body) / float64(g.Stream) }

// MeasureGzip measures the full list of instances. The error says so when the
// answer does not hold the text.
func MeasureGzip(ctx context.Context, instances int, form codec.Form) (GzipSize, error) {
	s, err := serve(instances)
	if err != nil {
		return GzipSize{}, err
	}
	s.start(ctx)
	defer s.close()

	var text, body, stream bytes.Buffer
	snapshot := s.publisher.Current()
	for zip, into := range map[bool]*bytes.Buffer{false: &text, true: &body} {
		if _, err := snapshot.Full(form, zip).WriteTo(into); err != nil {
			return GzipSize{}, err
		}
	}
	writer, err := gzip.NewWriterLevel(&stream, 6)
	if err != nil {
		return GzipSize{}, err
	}
	if _, err := writer.Write(text.Bytes()); err != nil {
		return GzipSize{}, err
	}
	if err := writer.Close(); err != nil {
		return GzipSize{}, err
	}
	size := GzipSize{Text: text.Len(), Body: body.Len(), Stream: stream.Len()}
	return size, holds(&body, text.Bytes())
}

// holds reports whether a gzip body is text.
func holds(body io.Reader, text []byte) error {
	reader, err := gzip.NewReader(body)
	if err != nil {
		return fmt.Errorf("read the gzip answer: %w", err)
	}
	inflated, err := io.ReadAll(reader)
	if err != nil {
		return fmt.Errorf("read the gzip answer: %w", err)
	}
	if !bytes.Equal(inflated, text) {
		return fmt.Errorf("the gzip answer holds %d bytes that are not the plain answer's %d", len(inflated), len(text))
	}
	return nil
}
