package flat

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

var reader = Reader{Names: []string{"id", "name"}, Repeated: []string{"item"}}

func TestJSON(t *testing.T) {
	got, err := reader.JSON(`{"list":[{"id":"a","n":1},{"name":"b"},{"x":true},"text"],"empty":{},"none":null}`)
	if err != nil {
		t.Fatal(err)
	}
	want := Document{
		"": Nested, "/list": Nested, "/empty": Nested, "/none": "<nil>",
		"/list[a]": Nested, "/list[a]/id": `"a"`, "/list[a]/n": "1",
		"/list[b]": Nested, "/list[b]/name": `"b"`,
		"/list[2]": Nested, "/list[2]/x": "true", "/list[3]": `"text"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("JSON() (-want +got):\n%s", diff)
	}
}

func TestXML(t *testing.T) {
	got, err := reader.XML(`<list p:kind="k"><item><id>a</id><n on="true">1</n></item><item/><p:x>&amp;</p:x></list>`)
	if err != nil {
		t.Fatal(err)
	}
	want := Document{
		"/list": Nested, "/list/@kind": "k",
		"/list/item[a]": Nested, "/list/item[a]/id": "a", "/list/item[a]/n": "1", "/list/item[a]/n/@on": "true",
		"/list/item[1]": "", "/list/p:x": "&",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("XML() (-want +got):\n%s", diff)
	}
}

// TestTwins wants what is there twice to be two things.
func TestTwins(t *testing.T) {
	fromJSON, err := reader.JSON(`[{"id":"a","n":1},{"id":"a","n":1}]`)
	if err != nil {
		t.Fatal(err)
	}
	want := Document{"": Nested, "[a]": Nested, "[a]/id": `"a"`, "[a]/n": "1", "[a]#2": Nested, "[a]#2/id": `"a"`, "[a]#2/n": "1"}
	if diff := cmp.Diff(want, fromJSON); diff != "" {
		t.Errorf("JSON() (-want +got):\n%s", diff)
	}
	fromXML, err := reader.XML(`<list><item><id>a</id></item><item><id>a</id><n>1</n><n>2</n></item></list>`)
	if err != nil {
		t.Fatal(err)
	}
	want = Document{"/list": Nested, "/list/item[a]": Nested, "/list/item[a]/id": "a", "/list/item[a]#2": Nested, "/list/item[a]#2/id": "a", "/list/item[a]#2/n": "1", "/list/item[a]#2/n#2": "2"}
	if diff := cmp.Diff(want, fromXML); diff != "" {
		t.Errorf("XML() (-want +got):\n%s", diff)
	}
}

func TestMalformed(t *testing.T) {
	for name, read := range map[string]func() (Document, error){
		"JSON that ends early":  func() (Document, error) { return reader.JSON(`{"a":`) },
		"JSON that goes on":     func() (Document, error) { return reader.JSON(`{} {}`) },
		"XML that ends early":   func() (Document, error) { return reader.XML(`<a><b></a>`) },
		"XML that goes on":      func() (Document, error) { return reader.XML(`<a/><b/>`) },
		"nothing where JSON is": func() (Document, error) { return reader.JSON(``) },
		"nothing where XML is":  func() (Document, error) { return reader.XML(``) },
	} {
		if document, err := read(); err == nil {
			t.Errorf("%s is read as %v, want an error", name, document)
		}
	}
}

func TestCompare(t *testing.T) {
	want := Document{"": Nested, "/a": "1", "/b": Nested, "/b/c": "2", "/bb": "3", "/same": "4"}
	got := Document{"": Nested, "/a": "9", "/bb": "3", "/d": Nested, "/d[0]": "5", "/same": "4"}
	differences := []Difference{{"/a", "1", "9"}, {"/b", Nested, Absent}, {"/d", Absent, Nested}}
	if diff := cmp.Diff(differences, Compare(want, got)); diff != "" {
		t.Errorf("Compare() (-want +got):\n%s", diff)
	}
	if text := differences[0].String(); text != "/a: 1 → 9" {
		t.Errorf("String() = %q, want %q", text, "/a: 1 → 9")
	}
}
