package page_test

import (
	"encoding/csv"
	"encoding/json"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"golang.org/x/net/html"
)

// TestTrends_everyCellLeadsToItsCaptures: each count of a line finds exactly that many captures.
func TestTrends_everyCellLeadsToItsCaptures(t *testing.T) {
	s := theSite(t)
	for _, path := range []string{
		"/harbour/trends?terms=" + url.QueryEscape(`bridge, "fish auction", lang = (fr OR de)`) + "&unit=month&lang=en",
		"/harbour/trends?field=status&unit=year&query=" + url.QueryEscape("harbour OR bridge") + "&to=2025",
		"/harbour/trends?field=lang&unit=day&year=2025",
	} {
		_, doc := s.get(t, path)
		tried := 0
		for n := range doc.Descendants() {
			if n.Data != "td" || attr(n, "class") != "n" || n.FirstChild == nil || n.FirstChild.Data != "a" {
				continue
			}
			number, link := textOf(n), attr(n.FirstChild, "href")
			_, found := s.get(t, link)
			head := headOf(found)
			if m := counted.FindStringSubmatch(head); m == nil || m[1] != number {
				t.Errorf("%s: %s leads to %s, which says %q", path, number, link, head)
			}
			tried++
		}
		if tried == 0 {
			t.Errorf("%s has no counts", path)
		}
	}
}

// TestTrends_oneAnswer: the page, the API and the command that the page shows have the same counts.
func TestTrends_oneAnswer(t *testing.T) {
	s := theSite(t)
	const asked = "terms=harbour,bridge,mime:pdf&unit=month&from=2021"
	r, err := s.client.Get(s.address + "/api/v1/trends?collection=harbour&" + asked)
	if err != nil {
		t.Fatal(err)
	}
	var a struct {
		Command string
		Periods []struct {
			Label string
			Count int64
		}
		Lines []struct {
			Label  string
			Counts []int64
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
		t.Fatal(err)
	}
	_ = r.Body.Close() // it was read
	byAPI := map[string]string{}
	for i, p := range a.Periods {
		for _, l := range a.Lines {
			if p.Count > 0 {
				byAPI[p.Label+" "+l.Label] = strconv.FormatInt(l.Counts[i], 10)
			}
		}
	}
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", filepath.Base(program)+" "+a.Command+" --format=csv")
	cmd.Dir, cmd.Env = root(""), append(cmd.Environ(), "PATH="+filepath.Dir(program)+":/usr/bin:/bin")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", a.Command, err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(out))).ReadAll()
	if err != nil || len(rows) != len(byAPI)+1 {
		t.Fatalf("%s: %d rows, %v, want %d", a.Command, len(rows)-1, err, len(byAPI))
	}
	for _, row := range rows[1:] {
		if got := byAPI[row[0]+" "+row[1]]; got != row[2] {
			t.Errorf("%v: the API has %s", row, got)
		}
	}
	_, doc := s.get(t, "/harbour/trends?"+asked)
	for n := range doc.Descendants() {
		if n.Data != "tr" || attr(n.Parent.Parent.Parent, "role") != "group" || n.Parent.Data != "tbody" {
			continue
		}
		cells := cellsOf(n)
		for i, l := range a.Lines {
			if got := cells[2+2*i]; got != byAPI[cells[0]+" "+l.Label] {
				t.Errorf("%s: the page has %s of %s, the API %s", cells[0], got, l.Label, byAPI[cells[0]+" "+l.Label])
			}
		}
	}
}

func cellsOf(row *html.Node) (cells []string) {
	for c := range row.ChildNodes() {
		if c.Data == "td" || c.Data == "th" {
			cells = append(cells, textOf(c))
		}
	}
	return cells
}

// TestBrowser_trends compares words from the overview in three steps, by keyboard alone. Then a drag over the chart
// chooses dates, and a column leads to its captures.
func TestBrowser_trends(t *testing.T) {
	s := theSite(t)
	b := newBrowser(t)
	b.looks(false, 1200, 900)
	b.do(chromedp.Navigate(s.address + "/harbour"))
	b.tabTo(`a[href$="/trends"]`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.await(`location.pathname.endsWith("/trends") && document.readyState === "complete"`)
	b.tabTo("#terms")
	b.do(chromedp.KeyEvent("harbour, bridge"), chromedp.KeyEvent(kb.Enter))
	b.await(`location.search.includes("terms=") && document.querySelectorAll("svg.chart path").length === 2`)
	b.do(chromedp.Navigate(s.address + "/harbour/trends?terms=harbour,bridge&unit=year"))
	drag := `(() => {
		const spots = [...document.querySelectorAll("[data-at]")], middle = (e) => {
			const r = e.getBoundingClientRect();
			return {clientX: r.x + r.width / 2, clientY: r.y + 9, bubbles: true, button: 0};
		};
		const say = (name, e) => e.dispatchEvent(new PointerEvent(name, middle(e)));
		say("pointerdown", spots[1]); say("pointermove", spots[2]);
		const marked = document.querySelectorAll(".brushed").length;
		say("pointerup", spots[2]);
		return marked;
	})()`
	if n := ask[int](b, drag); n != 2 {
		t.Errorf("%d columns are marked, want 2", n)
	}
	b.await(`location.search.includes("from=2020&") && location.search.includes("to=2021")`)
	b.await(`document.readyState === "complete" && document.querySelectorAll("[data-at]").length === 2`)
	ask[bool](b, `document.querySelector("svg.chart a").dispatchEvent(new MouseEvent("click", {bubbles: true})), true`)
	b.await(`location.pathname.endsWith("/search") && location.search.includes("year=2020")`)
	b.silent()
}

// tabTo presses Tab until the focus is on an element.
func (b *browser) tabTo(selector string) {
	b.Helper()
	for range 80 {
		b.do(chromedp.KeyEvent(kb.Tab))
		if ask[bool](b, "document.activeElement.matches("+strconv.Quote(selector)+")") {
			return
		}
	}
	b.Fatalf("Tab does not come to %s", selector)
}

// TestBrowser_trendsWithoutScripts: the form and links do the same.
func TestBrowser_trendsWithoutScripts(t *testing.T) {
	s := theSite(t)
	b := newBrowser(t)
	b.looks(false, 1200, 900)
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(s.address + "/harbour/search?query=harbour"))
	b.do(chromedp.SendKeys("#from", "2025"), chromedp.Click(`form.row button`),
		chromedp.WaitVisible(`.chips[aria-label="Active filters"]`))
	b.do(chromedp.Click("form.row a.btn"), chromedp.WaitVisible("#terms"))
	if at := b.where(); !strings.Contains(at, "terms=harbour") || !strings.Contains(at, "from=2025") {
		t.Errorf("the link to trends leads to %s", at)
	}
	b.do(chromedp.Click("svg.chart a"), chromedp.WaitVisible(".hits"))
}
