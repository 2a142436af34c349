package codec_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

func TestDecodeApplication(t *testing.T) {
	host := func(app, name string) *eureka.Instance {
		return decoded(func(i *eureka.Instance) { i.App, i.HostName = app, name })
	}
	tests := []struct {
		name string
		form codec.Form
		body string
		want eureka.Application
	}{
		{"list of one", codec.JSON, `{"application":{"name":"a","instance":[{"hostName":"h","app":"A"}]}}`, eureka.Application{Name: "A", Instances: []*eureka.Instance{host("A", "h")}}},
		{"object instead of a list", codec.JSON, `{"application":{"name":"a","instance":{"hostName":"h"}}}`, eureka.Application{Name: "A", Instances: []*eureka.Instance{host("A", "h")}}},
		{"list comes first", codec.JSON, `{"instance":[{"hostName":"h"},{"hostName":"g"}],"name":"a"}`, eureka.Application{Name: "A", Instances: []*eureka.Instance{host("A", "h"), host("A", "g")}}},
		{"last duplicate list wins", codec.JSON, `{"application":{"name":"a","instance":[{"hostName":"g"}],"instance":[{"hostName":"h"}]}}`, eureka.Application{Name: "A", Instances: []*eureka.Instance{host("A", "h")}}},
		{"null list", codec.JSON, `{"application":{"name":"a","instance":null}}`, eureka.Application{Name: "A"}},
		{"no instances", codec.XML, `<application><name>a</name></application>`, eureka.Application{Name: "A"}},
		{"two instances", codec.XML, `<application><name>a</name><instance><hostName>h</hostName></instance><instance><hostName>g</hostName></instance></application>`, eureka.Application{Name: "A", Instances: []*eureka.Instance{host("A", "h"), host("A", "g")}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := codec.DecodeApplication(tt.form, []byte(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&tt.want, got); diff != "" {
				t.Errorf("DecodeApplication(%v, %s) differs (-want +got):\n%s", tt.form, tt.body, diff)
			}
		})
	}
}

func TestDecodeCollectionNamesTheField(t *testing.T) {
	tests := []struct{ name, body, field string }{
		{"instance of another app", `{"applications":{"application":[{"name":"A","instance":[{"app":"B"}]}]}}`, "app"},
		{"instance is text", `{"applications":{"application":[{"name":"A","instance":["B"]}]}}`, "instance"},
		{"application is a number", `{"applications":{"application":[1]}}`, "application"},
		{"version is no number", `{"applications":{"versions__delta":"x"}}`, "versions__delta"},
		{"bad field deep inside", `{"applications":{"application":[{"name":"A","instance":[{"port":"x"}]}]}}`, "port"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			apps, err := codec.DecodeApplications(codec.JSON, []byte(tt.body))
			var field *codec.FieldError
			if !errors.As(err, &field) || field.Field != tt.field {
				t.Errorf("DecodeApplications(%s) = %v, %v, want a FieldError of %s", tt.body, apps, err, tt.field)
			}
		})
	}
}

func TestDecodeApplicationsWithoutVersion(t *testing.T) {
	got, err := codec.DecodeApplications(codec.JSON, []byte(`{"applications":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&eureka.Applications{VersionsDelta: -1}, got); diff != "" {
		t.Errorf("DecodeApplications differs (-want +got):\n%s", diff)
	}
}
