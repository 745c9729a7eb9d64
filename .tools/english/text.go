package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// sentence is a sentence with its origin.
type sentence struct {
	kind string // comments, messages or docs
	file string
	line int
	text string
}

var (
	sentenceEnd = regexp.MustCompile(`[.!?]["')\]]*\s+(["'(\[]*[A-Z0-9«“–])`)
	link        = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	codeSpan    = regexp.MustCompile("`[^`]*`")
	abbreviated = strings.NewReplacer("e.g. ", "eg ", "i.e. ", "ie ", "etc. ", "etc ", "vs. ", "vs ", "No. ", "No ",
		"St. ", "St ")
	item  = regexp.MustCompile(`^\s*([-*]|\d+\.)\s+`)
	prose = regexp.MustCompile(`^[A-Za-z][^<>{}=|\\]*$`)
)

// readTree reads the sentences of all Go files and pages below dir, except generated files and test data.
func readTree(dir string) (all []sentence, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == ".git" || name == "testdata"):
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		var found []sentence
		switch filepath.Ext(name) {
		case ".go":
			found, err = goFile(path)
		case ".md":
			found, err = markdown(path)
		}
		rel, _ := filepath.Rel(dir, path)
		for i := range found {
			found[i].file = filepath.ToSlash(rel)
		}
		all = append(all, found...)
		return err
	})
	return all, err
}

// goFile reads the comments of a Go file and, outside tests, the messages: strings of five words and more.
func goFile(path string) (all []sentence, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
	if err != nil || ast.IsGenerated(file) {
		return nil, err
	}
	for _, group := range file.Comments {
		all = append(all, split("comments", set.Position(group.Pos()).Line, group.Text(), "\t")...)
	}
	if strings.HasSuffix(path, "_test.go") || !strings.Contains(filepath.ToSlash(path), "pipelines/") {
		return all, nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, _ := strconv.Unquote(lit.Value)
			if len(strings.Fields(text)) >= 5 && prose.MatchString(text) {
				all = append(all, split("messages", set.Position(lit.Pos()).Line, text, "\t")...)
			}
		}
		return true
	})
	return all, nil
}

// markdown reads a page without its code, headings and comments. A cell of a table is a paragraph.
func markdown(path string) ([]sentence, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(b), "\n")
	fenced := false
	for i, l := range lines {
		t := strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(t, "```"):
			fenced = !fenced
			lines[i] = ""
		case fenced, strings.HasPrefix(t, "#"), strings.HasPrefix(t, "<!--"), strings.HasPrefix(t, "|--"):
			lines[i] = ""
		case strings.HasPrefix(t, "|"):
			lines[i] = "\x00" + codeSpan.ReplaceAllString(t, "X")
		default:
			lines[i] = t
		}
	}
	text := codeSpan.ReplaceAllString(strings.Join(lines, "\n"), "X")
	return split("docs", 1, link.ReplaceAllString(text, "$1"), "\t"), nil
}

// split divides a text into paragraphs, list items and cells, and these into sentences. Lines that begin with code are
// left out.
func split(kind string, line int, text, code string) (all []sentence) {
	var part []string
	from := line
	flush := func() {
		for _, s := range sentences(strings.Join(part, " ")) {
			all = append(all, sentence{kind: kind, line: from, text: s})
		}
		part = part[:0]
	}
	for i, l := range strings.Split(text, "\n") {
		cells, isRow := strings.CutPrefix(l, "\x00")
		switch {
		case isRow:
			flush()
			from = line + i
			for _, c := range strings.Split(cells, "|") {
				part = append(part, strings.TrimSpace(c))
				flush()
			}
		case strings.TrimSpace(l) == "" || strings.HasPrefix(l, code):
			flush()
			from = line + i + 1
		default:
			if item.MatchString(l) {
				flush()
				from = line + i
			}
			part = append(part, strings.TrimSpace(item.ReplaceAllString(l, "")))
		}
	}
	flush()
	return all
}

// sentences divides a paragraph. Fewer than three words are not a sentence.
func sentences(paragraph string) (all []string) {
	p := abbreviated.Replace(paragraph)
	p = sentenceEnd.ReplaceAllString(p, ".\x01$1")
	for s := range strings.SplitSeq(p, "\x01") {
		if len(strings.Fields(s)) >= 3 {
			all = append(all, strings.TrimSpace(s))
		}
	}
	return all
}
