package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A package of manyLines lines of code has few tests if it has less than fewTests lines of tests per 100 lines of
// code.
const (
	fewTests  = 30
	manyLines = 500
)

// amount holds the numbers of lines of code and of tests in a folder, without comments and blank lines.
type amount struct {
	code, tests int
	imports     []string // of the code
}

// testFigures measures the tests of the module in dir against its code.
func testFigures(dir string) ([]figure, error) {
	folders, long, tall := map[string]*amount{}, 0, 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name := filepath.Base(path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir && (name[0] == '.' || name == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		a := folders[filepath.Dir(path)]
		if a == nil {
			a = &amount{}
			folders[filepath.Dir(path)] = a
		}
		if !strings.HasSuffix(name, "_test.go") {
			a.code += linesOf(src)
			a.imports = append(a.imports, importsOf(src)...)
			return nil
		}
		a.tests += linesOf(src)
		long += longLines(src)
		tall += longFunctions(src)
		return nil
	})
	var all amount
	few, support := 0, supporting(dir, folders)
	helpers := 0 // lines of support
	for path, a := range folders {
		all.code += a.code
		all.tests += a.tests
		switch {
		case support[path]:
			helpers += a.code
		case a.code >= manyLines && 100*a.tests < fewTests*a.code:
			few++
		}
	}
	return []figure{
		{
			name: fmt.Sprintf("lines above %d characters, tests", maxLine), value: long, budget: 100,
			note: "except raw strings",
		},
		{
			name: fmt.Sprintf("functions of tests above %d lines", maxFunc), value: tall, budget: 17,
			note: "without comments and tables",
		},
		{name: "lines of tests, in 100 of code", value: 100 * all.tests / max(all.code, 1), budget: 60, least: true},
		{
			name: "with support for tests, in 100 of the rest", value: 100 * (all.tests + helpers) / max(all.code-helpers, 1),
			budget: 70, least: true, note: "packages that only tests import",
		},
		{
			name: fmt.Sprintf("folders of %d lines with few tests", manyLines), value: few, budget: zero,
			note: fmt.Sprintf("of their own: below %d in 100", fewTests),
		},
	}, err
}

// supporting returns the folders that only support tests: fake servers, made inputs, conformance kits. No program
// imports them, and nobody else can: they are internal, or take a testing.TB.
func supporting(dir string, folders map[string]*amount) map[string]bool {
	imported := map[string]bool{}
	for _, a := range folders {
		for _, path := range a.imports {
			imported[path] = true
		}
	}
	support := map[string]bool{}
	for path, a := range folders {
		name, err := filepath.Rel(dir, path)
		if err != nil || a.code == 0 || imported[module+filepath.ToSlash(name)] {
			continue
		}
		if strings.HasPrefix(filepath.ToSlash(name), "internal/") || slices.Contains(a.imports, "testing") {
			support[path] = true
		}
	}
	return support
}

// importsOf returns the paths that a file imports, or nil if it is not Go.
func importsOf(src []byte) (paths []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	for _, i := range file.Imports {
		path, _ := strconv.Unquote(i.Path.Value) // the parser has checked it
		paths = append(paths, path)
	}
	return paths
}

// linesOf counts the lines that are neither comments nor blank.
func linesOf(src []byte) (n int) {
	for l := range strings.Lines(string(src)) {
		if strings.TrimSpace(l) != "" && !isComment(l) {
			n++
		}
	}
	return n
}

// longFunctions counts the functions above maxFunc lines, without comments and without the rows of tables.
func longFunctions(src []byte) (n int) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, 0)
	if err != nil {
		return 0
	}
	line := func(pos token.Pos) int { return set.Position(pos).Line }
	lines := strings.Split(string(src), "\n")
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		size := linesOf([]byte(strings.Join(lines[line(f.Pos())-1:line(f.End())], "\n")))
		ast.Inspect(f, func(node ast.Node) bool {
			table, is := node.(*ast.CompositeLit)
			if is {
				size -= max(0, line(table.End())-line(table.Pos())-1)
			}
			return !is
		})
		if size > maxFunc {
			n++
		}
	}
	return n
}

// longLines counts the lines above maxLine. It skips lines with raw strings, which cannot be wrapped.
func longLines(src []byte) (n int) {
	raw := rawLines(src)
	line := 0
	for l := range strings.Lines(string(src)) {
		if line++; utf8.RuneCountInString(strings.TrimRight(l, "\n")) > maxLine && !raw[line] {
			n++
		}
	}
	return n
}

// rawLines returns the numbers of the lines that have a part of a raw string.
func rawLines(src []byte) map[int]bool {
	lines := map[int]bool{}
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	for {
		pos, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return lines
		case tok == token.STRING && text[0] == '`':
			first := file.Line(pos)
			for i := range 1 + strings.Count(text, "\n") {
				lines[first+i] = true
			}
		}
	}
}
