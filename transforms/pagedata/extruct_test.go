package pagedata

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// base is the URL of all pages that are compared.
const base = "https://example.com/dir/page"

// given are the folders of the given pages: docs of CONTRIBUTING.md.
var given = []string{
	"wcxb-dev/html/*", "trafilatura-half/html/*", "readability/*/source.html.gz",
}

// corpusDir is the folder of the given pages beside the checkout.
var corpusDir = "../../../shared/corpora/maintext"

// givenPages returns the given pages that are UTF-8, by name.
func givenPages(tb testing.TB) map[string][]byte {
	tb.Helper()
	pages := map[string][]byte{}
	for _, pattern := range given {
		names, _ := filepath.Glob(filepath.Join(corpusDir, pattern))
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				tb.Fatal(err)
			}
			if strings.HasSuffix(name, ".gz") {
				r, err := gzip.NewReader(bytes.NewReader(data))
				if err != nil {
					tb.Fatal(err)
				}
				if data, err = io.ReadAll(r); err != nil {
					tb.Fatal(err)
				}
			}
			if rel, _ := filepath.Rel(corpusDir, name); utf8.Valid(data) {
				pages[rel] = data
			}
		}
	}
	if len(pages) == 0 {
		tb.Skip("no given pages in " + corpusDir)
	}
	return pages
}

// extractPage returns the items of a page.
func extractPage(src []byte) []*Item {
	p := page.Parse(src, page.Options{URL: base})
	items, _ := Extract(Input{Page: p, LD: jsonld.Nodes(p.Scripts(), jsonld.Options{})})
	return items
}

// thing is an item in the form that both sides are compared in.
type thing struct {
	types []string
	props map[string][]any // string or *thing
}

func newThing(types ...string) *thing {
	t := &thing{props: map[string][]any{}}
	for _, s := range types {
		t.types = append(t.types, known(Bare(s)))
	}
	slices.Sort(t.types)
	t.types = slices.Compact(t.types)
	return t
}

// text is a value without what the two sides write differently: white space, references, forms of numbers, of time
// zones and of URLs.
func text(s string) string {
	s = page.Unescape(page.Unescape(s))
	if u := strings.TrimSpace(s); strings.Contains(u, "://") && !strings.ContainsAny(u, " \n<") {
		if r := parsedBase.Resolve(u); r != "" {
			s = strings.TrimSuffix(r, "#")
		}
	}
	s = strings.Join(strings.FieldsFunc(s, func(c rune) bool { return unicode.IsSpace(c) || c <= 32 || c == 0x200b }), "")
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return fmt.Sprint(f)
	}
	return s
}

var parsedBase = page.Parse(nil, page.Options{URL: base})

func (t *thing) add(name string, v any) {
	name = Bare(name)
	if s, ok := v.(string); ok {
		if s = text(s); s == "" || s == base {
			return
		}
		v = s
	}
	t.props[name] = append(t.props[name], v)
}

// String is the thing in one form for all orders of its properties.
func (t *thing) String() string {
	var b strings.Builder
	fmt.Fprint(&b, t.types, "{")
	for _, name := range slices.Sorted(maps.Keys(t.props)) {
		var values []string
		for _, v := range t.props[name] {
			values = append(values, fmt.Sprint(v))
		}
		slices.Sort(values)
		fmt.Fprintf(&b, "%s=%q ", name, values)
	}
	return b.String() + "}"
}

// ours converts an item.
func ours(it *Item) *thing {
	t := newThing(it.Types...)
	if it.Syntax == schemas.SyntaxOpenGraph {
		t.types = nil
	}
	for _, p := range it.Props {
		switch {
		case p.Item != nil:
			t.add(p.Name, ours(p.Item))
		case it.Syntax == schemas.SyntaxMicroformats:
			t.add(p.Name, zoneless(p.Value))
		default:
			t.add(p.Name, p.Value)
		}
	}
	return t
}

// theirs are the items of extruct by syntax.
type theirs struct {
	File        string
	LD          []any            `json:"json-ld"`
	Microdata   []map[string]any `json:"microdata"`
	OpenGraph   []map[string]any `json:"opengraph"`
	Microformat []map[string]any `json:"microformat"`
	RDFa        []map[string]any `json:"rdfa"`
}

// TestExtract_asExtruct compares the items of the given pages with those of extruct. GLEANER_EXTRUCT names results of
// an earlier run. The comparison leaves out white space, character references, and how numbers and URLs are written.
func TestExtract_asExtruct(t *testing.T) {
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("slow: set GLEANER_SLOW=1")
	}
	pages := givenPages(t)
	count, equal := map[string]int{}, map[string]int{}
	shown := map[string]int{}
	for _, line := range extructLines(t, pages) {
		x := parseTheirs(t, line)
		src, ok := pages[x.File]
		if !ok {
			continue
		}
		have := map[string][]string{}
		for _, it := range extractPage(src) {
			have[it.Syntax] = append(have[it.Syntax], spread(it)...)
		}
		for syntax, list := range x.things(page.Parse(src, page.Options{URL: base})) {
			for _, want := range list {
				count[syntax]++
				if i := slices.Index(have[syntax], want); i >= 0 {
					have[syntax] = slices.Delete(have[syntax], i, i+1)
					equal[syntax]++
				} else if shown[syntax]++; shown[syntax] <= 400 {
					t.Logf("%s: %s\n\twant %s\n\thave %s", x.File, syntax, cut(want), cut(strings.Join(have[syntax], "\n\t\t")))
				}
			}
		}
	}
	all, same := 0, 0
	for _, syntax := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%-12s %d of %d items equal (%.2f %%)", syntax, equal[syntax], count[syntax],
			100*float64(equal[syntax])/float64(count[syntax]))
		all, same = all+count[syntax], same+equal[syntax]
	}
	if same*1000 < all*990 {
		t.Errorf("%d of %d items are equal, want 99 %%", same, all)
	}
}

func parseTheirs(t *testing.T, line []byte) (x theirs) {
	t.Helper()
	if err := json.Unmarshal(line, &x); err != nil {
		t.Fatal(err)
	}
	return x
}

func cut(s string) string { return s[:min(len(s), 3000)] }

// spread returns an item of ours as the things to compare. RDFa is compared as a list of resources.
func spread(it *Item) []string {
	if it.Syntax != schemas.SyntaxRDFa {
		return []string{ours(it).String()}
	}
	var list []string
	var walk func(it *Item)
	walk = func(it *Item) {
		t := newThing(it.Types...)
		for _, p := range it.Props {
			switch {
			case p.Item == nil:
				t.add(p.Name, blankless(p.Value))
			default:
				t.add(p.Name, blankless(p.Item.ID))
				walk(p.Item)
			}
		}
		list = append(list, t.String())
	}
	walk(it)
	return list
}

func blankless(id string) string {
	if strings.HasPrefix(id, "_:") {
		return ""
	}
	return id
}

// zoneless leaves out the colon in a time zone, as extruct does in dates.
func zoneless(s string) string {
	if n := len(s); n > 16 && s[n-3] == ':' && (s[n-6] == '+' || s[n-6] == '-') {
		return s[:n-3] + s[n-2:]
	}
	return s
}

// extructLines are the results of extruct for the pages.
func extructLines(t *testing.T, pages map[string][]byte) [][]byte {
	if name := os.Getenv("GLEANER_EXTRUCT"); name != "" {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	}
	python := pythontest.Interpreter(t, "import extruct", "extruct==0.18.0", "mf2py==2.0.2", "pyrdfa3==3.6.5",
		"rdflib==7.6.0", "lxml==6.1.3", "beautifulsoup4==4.15.0", "html-text==0.7.1")
	dir := t.TempDir()
	var in bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, pages[name], 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&in, name)
	}
	script, err := filepath.Abs("find_data.py")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, script)
	cmd.Dir, cmd.Stdin = dir, &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]byte
	s := bufio.NewScanner(bytes.NewReader(out))
	s.Buffer(nil, 256<<20)
	for s.Scan() {
		lines = append(lines, bytes.Clone(s.Bytes()))
	}
	return lines
}
