package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxLine is the longest line in characters; a tab counts as one.
const maxLine = 120

// maxFunc is the longest function in lines, without comments.
const maxFunc = 60

// code has the figures of the module's own files, without tests.
type code struct {
	files     []int // lines of each
	functions []int // lines of each without comments, so that reasons make no function longer
	comments  int   // comment-only lines
	code      int   // lines that are neither comments nor blank
	long      int   // lines above maxLine
	longest   string
	ingest    int            // lines of the command ingest, including comments and blank lines
	main      int            // lines of its main
	wings     map[string]int // lines of each wing of io, including comments and blank lines
	// sink counts lines outside io/sink that name the PostgreSQL sink: the cost of a further sink there.
	sink int
}

// readCode reads all files of the module in dir.
func readCode(dir string) (*code, error) {
	c := &code{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name := filepath.Base(path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir && (name[0] == '.' || name == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		return c.read(path)
	})
	return c, err
}

func (c *code) read(path string) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, src, parser.ParseComments)
	if err != nil || ast.IsGenerated(file) {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
	c.files = append(c.files, len(lines))
	c.place(filepath.ToSlash(path), lines)
	for _, l := range lines {
		c.line(l)
	}
	most := 0
	if len(c.functions) > 0 {
		most = slices.Max(c.functions)
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		n := 0
		for _, l := range lines[set.Position(f.Pos()).Line-1 : set.Position(f.End()).Line] {
			if !isComment(l) {
				n++
			}
		}
		c.functions = append(c.functions, n)
		if n > most {
			most, c.longest = n, fmt.Sprintf("%s in %s", f.Name.Name, path)
		}
	}
	return nil
}

// place counts the lines of files with their own budgets.
func (c *code) place(path string, lines []string) {
	switch {
	case strings.Contains(path, "pipelines/ingest/"):
		c.main += len(lines)
	case strings.Contains(path, "pipelines/command/ingest/"):
		c.ingest += len(lines)
	}
	if _, inside, ok := strings.Cut("/"+path, "/io/"); ok {
		wing, _, _ := strings.Cut(inside, "/")
		if c.wings == nil {
			c.wings = map[string]int{}
		}
		c.wings[wing] += len(lines)
	}
	if strings.Contains(path, "io/sink/") {
		return
	}
	for _, l := range lines {
		if strings.Contains(l, "SinkPostgres") {
			c.sink++
		}
	}
}

func (c *code) line(l string) {
	if utf8.RuneCountInString(l) > maxLine {
		c.long++
	}
	switch {
	case strings.TrimSpace(l) == "":
	case isComment(l):
		c.comments++
	default:
		c.code++
	}
}

// isComment reports whether a line is only a comment.
func isComment(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), "//") }

// figures returns the figures of the code. The module must have a file and a function.
func (c *code) figures() []figure {
	over := 0
	for _, n := range c.functions {
		if n > maxFunc {
			over++
		}
	}
	largest, share := c.largestWing()
	return []figure{
		{name: "lines of code", value: c.code, note: "neither comments nor blank"},
		{name: "lines of comment, in 100 of code", value: (100*c.comments + c.code/2) / c.code},
		{name: fmt.Sprintf("lines above %d characters", maxLine), value: c.long, budget: 50},
		{name: "files", value: len(c.files)},
		{name: "lines of a file, median", value: quantile(c.files, 50), budget: 130},
		{name: "functions", value: len(c.functions)},
		{name: "lines of a function, median", value: quantile(c.functions, 50), budget: 10},
		{name: "lines of a function, 9 in 10", value: quantile(c.functions, 90), budget: 30},
		{name: fmt.Sprintf("functions above %d lines", maxFunc), value: over, budget: 1, note: "longest: " + c.longest},
		{name: "lines of ingest's main", value: c.main, budget: 120},
		{name: "lines of ingest's command", value: c.ingest, budget: 1000, note: "its folder, comments too"},
		{name: "largest wing of io, in 100 of its lines", value: share, budget: 22, note: largest},
		{name: "lines elsewhere for a sink", value: c.sink, budget: 10, note: "that name PostgreSQL's, outside io/sink"},
	}
}

// largestWing returns the wing of io with the most lines, and its share of io's lines in per cent, rounded up.
func (c *code) largestWing() (name string, share int) {
	total := 0
	for wing, lines := range c.wings {
		total += lines
		if most := c.wings[name]; lines > most || lines == most && wing < name {
			name = wing
		}
	}
	return name, (100*c.wings[name] + total - 1) / max(total, 1)
}

// quantile returns the value that percent of the numbers do not exceed.
func quantile(numbers []int, percent int) int {
	sorted := slices.Sorted(slices.Values(numbers))
	return sorted[(len(sorted)-1)*percent/100]
}
