// Command english counts sentences that are hard to read in comments, messages and docs, and compares the counts with
// ceilings that only fall. It ends with 1 above a ceiling.
//
//	go run ./.tools/english                 # totals
//	go run ./.tools/english -by             # also by package and page
//	go run ./.tools/english -list io/cdx    # the sentences of files whose path contains io/cdx
//	go run ./.tools/english -lower          # lower the ceilings to the counts
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

// ceilings is the file of ceilings. A line has a kind, "words" or "length", and a number.
const ceilings = ".tools/english/ceilings.txt"

type options struct {
	by    bool
	list  string
	lower bool
}

var errAbove = errors.New("more sentences than the ceiling allows: write them plainly (-list shows them)")

func main() {
	by := flag.Bool("by", false, "print counts by package and page")
	list := flag.String("list", "", "print the sentences of files whose path contains this")
	lower := flag.Bool("lower", false, "lower the ceilings to the counts")
	flag.Parse()
	if err := run(os.Stdout, ".", options{*by, *list, *lower}); err != nil {
		fmt.Fprintln(os.Stderr, "english:", err)
		os.Exit(1)
	}
}

// count has the totals of a package, a page or a kind of text.
type count struct{ sentences, words, length int }

func (c *count) add(words, length *rule) {
	c.sentences++
	if words != nil {
		c.words++
	}
	if length != nil {
		c.length++
	}
}

func run(w io.Writer, dir string, o options) error {
	all, err := readTree(dir)
	if err != nil {
		return err
	}
	kinds, places := map[string]*count{}, map[string]*count{}
	for _, s := range all {
		words, length := broken(s.text)
		at(kinds, s.kind).add(words, length)
		at(places, s.place()).add(words, length)
		if r := cmp.Or(words, length); r != nil && o.list != "" && strings.Contains(s.file, o.list) {
			fmt.Fprintf(w, "%s:%d: %s (%s): %s\n", s.file, s.line, r.name, r.instead, s.text)
		}
	}
	if o.by {
		table(w, places)
	}
	table(w, kinds)
	name := filepath.Join(dir, ceilings)
	limits, err := readCeilings(name)
	if err != nil {
		return err
	}
	if o.lower {
		return writeCeilings(name, limits, kinds)
	}
	return above(w, limits, kinds)
}

func at(m map[string]*count, name string) *count {
	if m[name] == nil {
		m[name] = &count{}
	}
	return m[name]
}

// place returns the package of a comment, or the page of a sentence of the docs.
func (s sentence) place() string {
	if s.kind == "docs" {
		return s.file
	}
	return path.Dir(s.file)
}

func table(w io.Writer, counts map[string]*count) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "sentences\twords\tlength\t \n")
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		c := counts[name]
		fmt.Fprintf(t, "%d\t%d\t%d\t %s\n", c.sentences, c.words, c.length, name)
	}
	_ = t.Flush() // standard output of a tool
}
