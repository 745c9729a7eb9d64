package page_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// read requests a path and returns its status and its body.
func (s *site) read(t *testing.T, path string) (int, string) {
	t.Helper()
	r, err := s.client.Get(s.address + path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }() // it was read
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// sqlAnswer is the part of an answer that the tests compare.
type sqlAnswer struct {
	Rows      [][]any
	Total     int
	Cut       bool
	Command   string
	NextLink  string `json:"next_link"`
	Downloads []struct{ Format, Link string }
	Examples  []struct{ SQL, Link string }
}

func (s *site) sql(t *testing.T, statement, more string) (answer sqlAnswer) {
	t.Helper()
	status, body := s.read(t, "/api/v1/sql?collection=harbour&sql="+url.QueryEscape(statement)+more)
	if err := json.Unmarshal([]byte(body), &answer); err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d, %v: %.300s", statement, status, err, body)
	}
	return answer
}

// TestSQL_asTheCommand: each example has the rows of its command, and so have the downloads.
func TestSQL_asTheCommand(t *testing.T) {
	s := theSite(t)
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range s.sql(t, "", "").Examples {
		answer := s.sql(t, e.SQL, "")
		if len(answer.Rows) == 0 {
			t.Errorf("%s: no rows", e.SQL)
		}
		// The program has no name in a command that the page shows: its readers have it by several names.
		cmd := exec.Command("sh", "-c", program+" "+answer.Command+" --format=csv")
		cmd.Dir = root("")
		want, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", answer.Command, err)
		}
		if lines := strings.Count(string(want), "\r\n") - 1; lines != answer.Total {
			t.Errorf("%s: %d rows, and by the command %d", e.SQL, answer.Total, lines)
		}
		for _, d := range answer.Downloads {
			status, got := s.read(t, d.Link)
			if status != http.StatusOK || d.Format == "csv" && got != string(want) ||
				d.Format == "csv-bom" && got != "\ufeff"+string(want) {
				t.Errorf("%s: %d, %.300q, want %.300q", d.Link, status, got, want)
			}
		}
		if status, _ := s.read(t, e.Link); status != http.StatusOK {
			t.Errorf("%s: %d", e.Link, status)
		}
	}
}

// TestSQL_pages: the pages of an answer have all its rows once; the rest is for downloads.
func TestSQL_pages(t *testing.T) {
	s := theSite(t)
	const numbers = "with recursive x(n) as (select 1 union all select n + 1 from x limit 250) select n from x"
	first := s.sql(t, numbers, "")
	last := s.sql(t, numbers, "&first=201")
	if len(first.Rows) != 100 || first.Total != 250 || first.Cut || len(last.Rows) != 50 || last.Rows[0][0] != 201. {
		t.Errorf("%d rows of %d, then %d", len(first.Rows), first.Total, len(last.Rows))
	}
	if !strings.Contains(first.NextLink, "first=101") || last.NextLink != "" {
		t.Errorf("%q, %q", first.NextLink, last.NextLink)
	}
	many := strings.Replace(numbers, "250", "10500", 1)
	if a := s.sql(t, many, ""); a.Total != 10_000 || !a.Cut {
		t.Errorf("%d rows, cut %v", a.Total, a.Cut)
	}
	_, all := s.read(t, "/api/v1/sql/rows?collection=harbour&sql="+url.QueryEscape(many))
	if strings.Count(all, "\n") != 10_501 {
		t.Errorf("the file has %d lines", strings.Count(all, "\n"))
	}
	if a := s.sql(t, numbers, "&first=900"); len(a.Rows) != 0 || a.Total != 250 {
		t.Errorf("beyond the end: %d rows", len(a.Rows))
	}
}

// TestSQL_mistakes: a statement that has no answer stays in its box, and the page points to the mistake.
func TestSQL_mistakes(t *testing.T) {
	s := theSite(t)
	for statement, want := range map[string]string{
		"select host,\n  hots from documents":      "Line 2, column 3: no such column: hots.",
		"select '<script>' frm documents":          `near "documents": syntax error`,
		"drop table documents":                     "can only read",
		"select 1; select 2":                       "2 statements",
		"select * from links":                      "ingest --extract=links",
		"select zeroblob(1000000000)":              "too big",
		"select length(text) from documents('a=')": "unknown field",
	} {
		path := "/harbour/sql?sql=" + url.QueryEscape(statement)
		status, body := s.read(t, path)
		_, doc := s.get(t, path)
		said, box := "", ""
		for n := range doc.Descendants() {
			switch {
			case attr(n, "role") == "alert":
				said += textOf(n)
			case n.Data == "textarea":
				box = textOf(n)
			}
		}
		if status != http.StatusBadRequest || !strings.Contains(said, want) || box != statement ||
			strings.Contains(body, "<script>") {
			t.Errorf("%q: %d, %q, box %q, want %q", statement, status, said, box, want)
		}
		status, body = s.read(t, "/api/v1/sql/rows?sql="+url.QueryEscape(statement))
		if status != http.StatusBadRequest || !strings.Contains(body, `"location":"query.sql"`) {
			t.Errorf("%q as a file: %d, %s", statement, status, body)
		}
	}
	for _, c := range []struct {
		path string
		want int
	}{
		{"/harbour/sql?sql=" + strings.Repeat("x", 20_001), http.StatusBadRequest},
		{"/api/v1/sql?sql=" + strings.Repeat("x", 20_001), http.StatusUnprocessableEntity},
		{"/harbour/sql?sql=select+1&first=0", http.StatusBadRequest},
		{"/nosuch/sql?sql=select+1", http.StatusNotFound},
		{"/api/v1/sql/rows", http.StatusBadRequest},
		{"/api/v1/sql/rows?sql=select+1&format=warc", http.StatusUnprocessableEntity},
	} {
		if status, body := s.read(t, c.path); status != c.want {
			t.Errorf("%.60s: %d, want %d: %.200s", c.path, status, c.want, body)
		}
	}
	// net/http closes the connection, which the client may see before the answer.
	r, err := s.client.Get(s.address + "/api/v1/sql?sql=" + strings.Repeat("x", 10_000_000))
	if err == nil {
		_ = r.Body.Close() // it was not read
		if r.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("10 MB: %s", r.Status)
		}
	}
}

// TestSQL_brokenOff: a file whose statement fails after some rows has no end that a client takes for one.
func TestSQL_brokenOff(t *testing.T) {
	s := theSite(t)
	const statement = "with recursive x(n) as (select 1 union all select n + 1 from x limit 200000) " +
		"select case when n < 150000 then n else json('wrong') end from x"
	r, err := s.client.Get(s.address + "/api/v1/sql/rows?sql=" + url.QueryEscape(statement))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }() // it was read
	n, err := io.Copy(io.Discard, r.Body)
	if r.StatusCode != http.StatusOK || n == 0 || err == nil {
		t.Errorf("%s, %d bytes, %v, want an error", r.Status, n, err)
	}
}

// TestBrowser_sql answers a statement as a reader does, without scripts: from the overview to the rows in two clicks.
func TestBrowser_sql(t *testing.T) {
	s := theSite(t)
	b := newBrowser(t)
	b.looks(false, 390, 900)
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(s.address + "/harbour"))
	b.do(chromedp.Click(`nav a[href="/harbour/sql"]`), chromedp.WaitVisible("#sql"))
	b.do(chromedp.SetValue("#sql", "select host, captures\nfrom hosts order by captures desc"),
		chromedp.Click("form.sql button"), chromedp.WaitVisible("#rows"))
	text := ask[string](b, "document.querySelector('main').innerText")
	for _, want := range []string{"captures by host", "www.harbour-gazette.example", "CSV for spreadsheets"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q: %s", want, text)
		}
	}
	if at := b.where(); !slices.Contains(strings.Split(at, "/"), "harbour") || !strings.Contains(at, "sql?sql=select") {
		t.Errorf("the address is %s", at)
	}
	b.silent()
}
