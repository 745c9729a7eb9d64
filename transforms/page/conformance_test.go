package page

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// treeCase is one case of the html5lib tests of tree construction: only its source is used here.
type treeCase struct{ name, src string }

// treeCases reads the cases that golang.org/x/net ships in its module, or skips the test.
func treeCases(tb testing.TB) []treeCase {
	tb.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
	if err != nil {
		tb.Skipf("no module golang.org/x/net: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "html/testdata/*/*.dat"))
	if err != nil {
		tb.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "html/testdata/*/tree-construction/*.dat"))
	if err != nil || len(files)+len(more) == 0 {
		tb.Skip("no test data in module golang.org/x/net")
	}
	var cases []treeCase
	for _, file := range append(files, more...) {
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		for i, c := range strings.Split("\n"+string(text), "\n#data\n")[1:] {
			src, _, _ := strings.Cut("\n"+c, "\n#errors\n")
			name := strings.TrimSuffix(filepath.Base(file), ".dat") + ":" + strconv.Itoa(i+1)
			cases = append(cases, treeCase{name, strings.TrimPrefix(src, "\n")})
		}
	}
	return cases
}

// textOf is all text of the page, white space collapsed.
func textOf(p *Page) string {
	var b strings.Builder
	for i := range p.Nodes {
		if p.Nodes[i].Tag == TagText {
			b.WriteString(p.Content(i))
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// textOfTree is what textOf should be: the text of golang.org/x/net/html.
func textOfTree(tb testing.TB, src string) string {
	tb.Helper()
	root, err := html.Parse(bytes.NewReader([]byte(src)))
	if err != nil {
		tb.Fatal(err)
	}
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func TestParse_treeConstruction(t *testing.T) {
	cases := treeCases(t)
	equal := 0
	for _, c := range cases {
		got, want := textOf(Parse([]byte(c.src), Options{})), textOfTree(t, c.src)
		if got == want {
			equal++
		} else {
			t.Errorf("%s: %q\n got %q\nwant %q", c.name, c.src, got, want)
		}
	}
	t.Logf("%d of %d cases have the same text (%.1f %%)", equal, len(cases), 100*float64(equal)/float64(len(cases)))
}
