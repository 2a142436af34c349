package client_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPageNamesWhatThereIs looks for each exported name of the package, and for each
// option, on docs/go-client.md.
func TestPageNamesWhatThereIs(t *testing.T) {
	page, err := os.ReadFile("../../docs/go-client.md")
	if err != nil {
		t.Fatal(err)
	}
	said := make(map[string]bool)
	for _, word := range regexp.MustCompile(`\w+`).FindAllString(string(page), -1) {
		said[word] = true
	}
	for name := range exported(t) {
		if !said[name] {
			t.Errorf("docs/go-client.md does not mention %s", name)
		}
	}
}

// exported are the exported names of the package, with the methods of its types but
// for those of the standard library's interfaces, and the fields of its configurations.
func exported(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string]bool)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			for _, id := range named(declaration) {
				if id.IsExported() && !slices.Contains([]string{"Error", "String", "RoundTrip"}, id.Name) {
					names[id.Name] = true
				}
			}
		}
	}
	return names
}

// named are the names that a declaration is about.
func named(declaration ast.Decl) []*ast.Ident {
	var names []*ast.Ident
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || ast.IsExported(strings.TrimLeft(types.ExprString(d.Recv.List[0].Type), "*")) {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				names = append(names, spec.Names...)
			case *ast.TypeSpec:
				names = append(names, spec.Name)
				if s, ok := spec.Type.(*ast.StructType); ok && strings.HasSuffix(spec.Name.Name, "Config") {
					for _, field := range s.Fields.List {
						names = append(names, field.Names...)
					}
				}
			}
		}
	}
	return names
}
