package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	whereLink = regexp.MustCompile(`\]\(([^)]+\.go)\)`)
	whereName = regexp.MustCompile("`(\\w+)`")
)

// TestWhereThingsAreDone: each file in design.md's table of places declares the name beside it. If a row has several
// files, the first file declares the first name, the second file the second, and the last file all further names.
func TestWhereThingsAreDone(t *testing.T) {
	text, err := os.ReadFile("design.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## Where things are done\n")
	section, _, ended := strings.Cut(section, "\n## ")
	if !found || !ended {
		t.Fatal("design.md has no such section")
	}
	rows := 0
	for line := range strings.Lines(section) {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 || !strings.Contains(cells[1], "](") {
			continue
		}
		rows++
		files := whereLink.FindAllStringSubmatch(cells[1], -1)
		names := whereName.FindAllStringSubmatch(cells[2], -1)
		if len(files) == 0 || len(names) < len(files) {
			t.Errorf("%q: %d files and %d names", strings.TrimSpace(line), len(files), len(names))
			continue
		}
		for i, name := range names {
			file := path.Join("docs", files[min(i, len(files)-1)][1])
			if !declares(t, path.Join(root, file), name[1]) {
				t.Errorf("%s declares no %s", file, name[1])
			}
		}
	}
	if rows < 20 {
		t.Errorf("%d rows, want 20 at least", rows)
	}
}

// declares reports whether a file has a function, method, type, variable or constant of a name at its top.
func declares(t *testing.T, file, name string) bool {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return true // that is said already
	}
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == name {
				return true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if declaredBy(s, name) {
					return true
				}
			}
		}
	}
	return false
}

// declaredBy reports whether a name is one that a declaration of types, variables or constants has.
func declaredBy(s ast.Spec, name string) bool {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return s.Name.Name == name
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.Name == name {
				return true
			}
		}
	}
	return false
}
