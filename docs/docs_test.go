// Package docs_test checks that the documentation is true. Commands that it names find their tests. Blocks that are
// marked as runnable run, in order, in a copy of the checkout, and print the text that the page shows.
//
// A block is marked by a comment on the line above its fence, which no reader of the page sees:
//
//	<!-- run -->            a block of sh, sql or python is run; it must end with 0
//	<!-- run exit=3 -->     with this exit code
//	<!-- output -->         the block shows what the block that was run last prints on standard output
//
// In a shown output, a line that is only … stands for any lines, and … in a line for any text. Times, speeds and memory
// may differ. Addresses of servers are those of servers that the test starts.
package docs_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// root is the checkout.
const root = ".."

// block is a fenced block of a page.
type block struct {
	line     int
	language string // as the fence says
	mark     string // what the comment above it says
	text     string
}

// page is a page of the documentation.
type page struct {
	name   string // relative to the checkout
	text   string
	blocks []block
}

var (
	fence = regexp.MustCompile("^( *)```(.*)$")
	mark  = regexp.MustCompile(`^<!-- ((?:run|output)\b.*?) *-->$`)
)

// pages are README.md and the pages in docs.
func pages(t *testing.T) (all []page) {
	t.Helper()
	names := []string{"README.md"}
	err := fs.WalkDir(os.DirFS(root), "docs", func(name string, d fs.DirEntry, err error) error {
		if path.Ext(name) == ".md" {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		b, err := os.ReadFile(path.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, page{name, string(b), blocks(string(b))})
	}
	return all
}

// blocks are the fenced blocks of a page.
func blocks(text string) (all []block) {
	var open *block
	indent, above := "", ""
	for i, line := range strings.Split(text, "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case open == nil && m != nil:
			open = &block{line: i + 1, language: m[2], mark: above}
			indent = m[1]
		case open != nil && m != nil && m[2] == "":
			all = append(all, *open)
			open = nil
		case open != nil:
			open.text += strings.TrimPrefix(line, indent) + "\n"
		}
		above = ""
		if m := mark.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			above = m[1]
		}
	}
	return all
}
