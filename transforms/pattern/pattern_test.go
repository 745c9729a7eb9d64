package pattern_test

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

func TestLazy(t *testing.T) {
	year := pattern.Lazy(`^\d{4}$`)
	if !year().MatchString("2014") || year().MatchString("14") {
		t.Error("Lazy does not match as its expression does")
	}
	if first, second := year(), year(); first != second {
		t.Error("Lazy compiles its expression twice")
	}
}

// TestLazy_everyExpressionCompiles: mistakes are found here, since the start of a program no longer finds them.
func TestLazy_everyExpressionCompiles(t *testing.T) {
	files, compiled := token.NewFileSet(), 0
	check := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !isLazy(call) {
				return true
			}
			if text, known := literal(call.Args[0]); known {
				compiled++
				if _, err := regexp.Compile(text); err != nil {
					t.Errorf("%v: %v", files.Position(call.Pos()), err)
				}
			}
			return true
		})
		return nil
	}
	for _, dir := range []string{"transforms", "io", "pipelines"} {
		if err := filepath.WalkDir(filepath.Join("..", "..", dir), check); err != nil {
			t.Fatal(err)
		}
	}
	if compiled < 130 {
		t.Errorf("%d expressions were found, want at least 130", compiled)
	}
}

func isLazy(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != "Lazy" || len(call.Args) != 1 {
		return false
	}
	of, ok := f.X.(*ast.Ident)
	return ok && of.Name == "pattern"
}

// literal returns the text of literals that are joined. Expressions with names are left to the tests of their packages.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.StringVal(constant.MakeFromLiteral(e.Value, e.Kind, 0)), e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, known := literal(e.X)
		right, too := literal(e.Y)
		return left + right, known && too && e.Op == token.ADD
	}
	return "", false
}

func BenchmarkLazy(b *testing.B) {
	year := pattern.Lazy(`^\d{4}$`)
	b.ReportAllocs()
	for b.Loop() {
		if !year().MatchString("2014") {
			b.Fatal("no match")
		}
	}
}
