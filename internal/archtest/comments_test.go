package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestComments(t *testing.T) {
	for _, p := range packages(t) {
		set := token.NewFileSet()
		var files []*ast.File
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		for _, fault := range commentFaults(files) {
			t.Errorf("%s: %s", p.path(), fault)
		}
	}
}

// commentFaults lists what in one package lacks its comment.
func commentFaults(files []*ast.File) []string {
	var faults []string
	documented := false
	for _, file := range files {
		documented = documented || file.Doc != nil
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Name.IsExported() && onExported(decl) && decl.Doc == nil && !said[decl.Name.Name] {
					faults = append(faults, fmt.Sprintf("func %s has no comment: say what it does, its bounds and errors, and who may call it at once", decl.Name))
				}
			case *ast.GenDecl:
				faults = append(faults, specFaults(decl)...)
			}
		}
	}
	if len(files) > 0 && !documented {
		faults = append(faults, "the package has no comment: say what it is for and what it is not for")
	}
	return faults
}

// said are methods whose names say all: the standard library defines what they
// have to do.
var said = map[string]bool{"Error": true, "String": true, "Unwrap": true, "Less": true, "Len": true, "Swap": true}

// onExported reports whether a function can be reached: it has no receiver, or
// one of an exported type.
func onExported(decl *ast.FuncDecl) bool {
	if decl.Recv == nil {
		return true
	}
	receiver := decl.Recv.List[0].Type
	for {
		switch r := receiver.(type) {
		case *ast.StarExpr:
			receiver = r.X
		case *ast.IndexExpr:
			receiver = r.X
		case *ast.IndexListExpr:
			receiver = r.X
		case *ast.Ident:
			return r.IsExported()
		default:
			return false
		}
	}
}

// specFaults covers types, constants and variables. A group of constants or
// variables may share one comment.
func specFaults(decl *ast.GenDecl) []string {
	var faults []string
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() && spec.Doc == nil && (decl.Doc == nil || decl.Lparen.IsValid()) {
				faults = append(faults, fmt.Sprintf("type %s has no comment: say what it is, who may use it at once and who ends it", spec.Name))
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if name.IsExported() && spec.Doc == nil && spec.Comment == nil && decl.Doc == nil {
					faults = append(faults, fmt.Sprintf("%s %s has no comment: say what it is, and its unit", decl.Tok, name))
				}
			}
		}
	}
	return faults
}

// TestCommentFaults shows that the rule can be broken.
func TestCommentFaults(t *testing.T) {
	const source = `package p

type Exported struct{}
type hidden struct{}
// Known is known.
type Known[T any] struct{}

func New() {}
func (Exported) Run() {}
func (Exported) String() string { return "" }
func (hidden) Run() {}
func (*Known[T]) Stop() {}

const Limit = 1
// A and B share this.
const (
	A = 1
	B = 2
)
var (
	Seconds int // how long
	Count int
	private int
)
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, fault := range commentFaults([]*ast.File{file}) {
		name, _, _ := strings.Cut(fault, " has no comment")
		got = append(got, name)
	}
	want := []string{"type Exported", "func New", "func Run", "func Stop", "const Limit", "var Count", "the package"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}
