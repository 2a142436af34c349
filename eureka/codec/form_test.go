package codec_test

import (
	"testing"

	"github.com/eurekube/eurekube/eureka/codec"
)

func TestForm(t *testing.T) {
	tests := []struct {
		form              codec.Form
		name, contentType string
	}{
		{codec.JSON, "json", "application/json"},
		{codec.XML, "xml", "application/xml"},
		{codec.JSONCompact, "json-compact", "application/json"},
		{codec.XMLCompact, "xml-compact", "application/xml"},
	}
	if len(tests) != codec.Forms {
		t.Errorf("Forms = %d, want %d", codec.Forms, len(tests))
	}
	for _, tt := range tests {
		if tt.form.String() != tt.name || tt.form.ContentType() != tt.contentType {
			t.Errorf("Form(%d) is %q of type %q, want %q of type %q", tt.form, tt.form, tt.form.ContentType(), tt.name, tt.contentType)
		}
	}
}
