package maintext

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/internal/browsertest"
)

// leftEdges returns the left edges of cells, in pixels, by their texts, for each table of a page, as Chromium shows
// it.
const leftEdges = `(() => {
	const frame = document.createElement("iframe");
	frame.style = "width: 4000px; height: 2000px";
	document.body.replaceChildren(frame);
	const d = frame.contentDocument;
	d.open(); d.write(%s); d.close();
	return JSON.stringify([...d.querySelectorAll("table")].map((t) => {
		const edges = {};
		for (const c of t.querySelectorAll("td, th")) {
			if (c.textContent.trim()) edges[c.textContent.trim()] = Math.round(c.getBoundingClientRect().left);
		}
		return edges;
	}));
})()`

// TestColumns_asChromium compares columns of tables with Chromium. In text and Markdown, values are in one column if
// Chromium shows them below each other, and only then. It uses 400 generated tables, and tables of real pages with
// names as texts. Of the pages, it uses one in eight, or all with GLEANER_SLOW=1.
func TestColumns_asChromium(t *testing.T) {
	tab := browsertest.Tab(t)
	ctx, cancel := context.WithTimeout(tab, 5*time.Minute)
	defer cancel()
	tables := realTables(t)
	t.Logf("%d tables of real pages", len(tables))
	rng := rand.New(rand.NewPCG(3, 4))
	for range 400 {
		tables = append(tables, randomTable(rng))
	}
	values := 0
	const batch = 50
	for i := 0; i < len(tables) && !t.Failed(); i += batch {
		some := tables[i:min(i+batch, len(tables))]
		// It is a string.
		quoted, _ := json.Marshal("<!doctype html><style>td, th { min-width: 30px }</style>" + strings.Join(some, ""))
		text, err := chromedp.Run(ctx, chromedp.Evaluate[string](fmt.Sprintf(leftEdges, quoted)))
		if err != nil {
			t.Fatal(err)
		}
		var edges []map[string]int
		if err := json.Unmarshal([]byte(text), &edges); err != nil || len(edges) != len(some) {
			t.Fatal(len(edges), err)
		}
		for k, src := range some {
			r := whole(parse(src))
			for form, rows := range map[string][][]string{
				"text":     cellsOfText(r.Text),
				"Markdown": cellsOfMarkdown(markdownOf(r)),
			} {
				n, problem := compareColumns(rows, edges[k])
				if values += n; problem != "" {
					t.Errorf("%s: %s\n%s\n%q", form, problem, src, rows)
				}
			}
		}
	}
	t.Logf("%d values", values)
	if values < 5000 {
		t.Errorf("%d values in tables, want 5,000 or more", values)
	}
}

// compareColumns reports where columns and edges do not correspond one to one.
func compareColumns(rows [][]string, edges map[string]int) (values int, problem string) {
	edgeOf, columnOf := map[int]int{}, map[int]int{}
	for _, row := range rows {
		for column, name := range row {
			edge, ok := edges[name]
			if !ok {
				continue
			}
			values++
			if e, seen := edgeOf[column]; seen && e != edge {
				return values, fmt.Sprintf("%s stands in column %d, with what is shown at %d, and is at %d", name, column, e, edge)
			}
			if c, seen := columnOf[edge]; seen && c != column {
				return values, fmt.Sprintf("%s stands in column %d, what is shown above it in %d", name, column, c)
			}
			edgeOf[column], columnOf[edge] = edge, column
		}
	}
	return values, ""
}

func cellsOfText(text string) (rows [][]string) {
	for line := range strings.SplitSeq(text, "\n") {
		rows = append(rows, strings.Split(line, "\t"))
	}
	return rows
}

func cellsOfMarkdown(text string) (rows [][]string) {
	for line := range strings.SplitSeq(text, "\n") {
		var row []string
		if !strings.HasPrefix(line, "|") {
			continue // it is not a table
		}
		for _, c := range strings.Split(strings.Trim(line, "|"), "|") {
			row = append(row, strings.TrimSpace(c))
		}
		rows = append(rows, row)
	}
	return rows
}

// randomTable makes a table with cells that span rows and columns, empty cells and sections.
func randomTable(rng *rand.Rand) string {
	var b strings.Builder
	b.WriteString("<table>")
	name := 0
	for i := range 2 + rng.IntN(7) {
		if i == 0 && rng.IntN(3) == 0 {
			b.WriteString("<thead>")
		} else if rng.IntN(6) == 0 {
			b.WriteString("<tbody>")
		}
		b.WriteString("<tr>")
		for range 1 + rng.IntN(6) {
			cell := []string{"td", "th"}[rng.IntN(2)]
			b.WriteString("<" + cell)
			if rng.IntN(5) == 0 {
				fmt.Fprintf(&b, " colspan=%d", rng.IntN(4))
			}
			if rng.IntN(5) == 0 {
				fmt.Fprintf(&b, " rowspan=%d", rng.IntN(4))
			}
			b.WriteString(">")
			if rng.IntN(5) > 0 {
				fmt.Fprintf(&b, "v%d", name)
				name++
			}
			b.WriteString("</" + cell + ">")
		}
	}
	return b.String() + "</table>"
}

// realTables returns tables of pages that contain no other table: one table from each of ten or more pages. The texts
// of their cells are replaced by names.
func realTables(t *testing.T) (tables []string) {
	files, _ := filepath.Glob(corpora + "wcxb-dev/html/*.html.gz")
	step := 8
	if os.Getenv("GLEANER_SLOW") != "" {
		step = 1
	}
	for i := 0; i < len(files); i += step {
		file := files[i]
		root, err := html.Parse(strings.NewReader(string(unzip(t, file))))
		if err != nil {
			t.Fatal(err)
		}
		for n := range root.Descendants() {
			if n.Type == html.ElementNode && n.Data == "table" && len(tables) < 2000 {
				if src := named(n); src != "" {
					tables = append(tables, src)
				}
			}
		}
	}
	return tables
}

// named writes a table with its cells' spans and a name for each cell with a text. It returns "" for a table that
// contains another.
func named(table *html.Node) string {
	var b strings.Builder
	name := 0
	for n := range table.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "table":
			return ""
		case "thead", "tbody", "tfoot", "tr":
			b.WriteString("<" + n.Data + ">")
		case "td", "th":
			b.WriteString("<" + n.Data)
			for _, a := range n.Attr {
				if a.Key == "rowspan" || a.Key == "colspan" {
					fmt.Fprintf(&b, " %s=%q", a.Key, a.Val)
				}
			}
			b.WriteString(">")
			for c := range n.Descendants() {
				if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
					fmt.Fprintf(&b, "v%d", name)
					name++
					break
				}
			}
		}
	}
	return "<table>" + b.String() + "</table>"
}
