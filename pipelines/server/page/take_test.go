package page_test

import (
	"archive/zip"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/parquet-go/parquet-go"
)

// takeAnswer is the part of an answer that the tests compare.
type takeAnswer struct {
	Captures, Total int64
	Preview         struct {
		Names []string
		Rows  [][]string
	}
	Files []struct {
		Format, Link, Command string
		Rows, Bytes           int64
		Exact                 bool
	}
	Tables []struct {
		Label, Preview string
		Downloads      []struct{ Format, Link string }
	}
	Notebook string
}

func (s *site) take(t *testing.T, query string) (answer takeAnswer) {
	t.Helper()
	status, body := s.read(t, "/api/v1/take?collection=harbour"+query)
	if err := json.Unmarshal([]byte(body), &answer); err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d, %v: %.300s", query, status, err, body)
	}
	return answer
}

// TestTake_files: each file has the rows and bytes that the page promises, and the rows of its command.
func TestTake_files(t *testing.T) {
	s := theSite(t)
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"&query=harbour&fields=url,language,tags", "&lang=fr&fold=none", "&query=zzzqqq"} {
		answer := s.take(t, query)
		for _, f := range answer.Files {
			status, got := s.read(t, f.Link)
			if status != http.StatusOK || f.Rows != answer.Total {
				t.Errorf("%s: %d, %d rows of %d", f.Link, status, f.Rows, answer.Total)
			}
			if f.Exact && int64(len(got)) != f.Bytes {
				t.Errorf("%s: %d bytes, the page says %d", f.Link, len(got), f.Bytes)
			}
			switch f.Format {
			case "csv", "jsonl", "urls":
				cmd := exec.Command("sh", "-c", program+" "+f.Command)
				cmd.Dir = root("")
				want, err := cmd.Output()
				if err != nil || got != string(want) {
					t.Errorf("%s: %v, %.200q, want %.200q", f.Command, err, got, want)
				}
			case "parquet":
				p, err := parquet.OpenFile(strings.NewReader(got), int64(len(got)))
				if err != nil || p.NumRows() != answer.Total {
					t.Errorf("%s: %v", f.Link, err)
				}
			case "wacz":
				if answer.Total == 0 {
					continue
				}
				z, err := zip.NewReader(strings.NewReader(got), int64(len(got)))
				if err != nil || !slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == "datapackage.json" }) {
					t.Errorf("%s: %v", f.Link, err)
				}
			}
		}
	}
}

// TestTake_preview: the preview has the chosen columns in the order of documents, and a wrong one is said.
func TestTake_preview(t *testing.T) {
	s := theSite(t)
	answer := s.take(t, "&query=harbour&fields=title,lang,url")
	if got := strings.Join(answer.Preview.Names, " "); got != "url language title" || len(answer.Preview.Rows) != 5 {
		t.Errorf("%d rows of %s", len(answer.Preview.Rows), got)
	}
	for _, row := range answer.Preview.Rows {
		if len(row) != 3 || !strings.HasPrefix(row[0], "http") {
			t.Errorf("the row %q", row)
		}
	}
	if status, body := s.read(t, "/api/v1/take?fields=nosuch"); status != http.StatusBadRequest ||
		!strings.Contains(body, "unknown field") {
		t.Errorf("a wrong column: %d, %s", status, body)
	}
	status, body := s.read(t, answer.Notebook)
	var book struct {
		NBFormat int `json:"nbformat"`
		Cells    []any
	}
	if err := json.Unmarshal([]byte(body), &book); err != nil || status != http.StatusOK || book.NBFormat != 4 {
		t.Errorf("the notebook: %d, %v", status, err)
	}
}

// TestTake_tables: each table opens, has its rows as a file, and counts as the page of the search does.
func TestTake_tables(t *testing.T) {
	s := theSite(t)
	answer := s.take(t, "&query=harbour")
	var search struct{ Captures int64 }
	_, body := s.read(t, "/api/v1/search?collection=harbour&query=harbour")
	if err := json.Unmarshal([]byte(body), &search); err != nil || search.Captures != answer.Captures {
		t.Errorf("%d captures, and %d on the page of the search, %v", answer.Captures, search.Captures, err)
	}
	for _, table := range answer.Tables {
		// A table of links is not offered, since this collection lists none.
		if status, _ := s.read(t, table.Preview); status != http.StatusOK {
			t.Errorf("%s: %d", table.Label, status)
		}
		_, text := s.read(t, table.Downloads[0].Link)
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Errorf("%s: %d rows, %v", table.Label, len(rows), err)
		}
	}
}

// TestBrowser_take takes a table away as a reader does, without scripts: search, Take away, choose columns, download.
func TestBrowser_take(t *testing.T) {
	s := theSite(t)
	b := newBrowser(t)
	b.looks(false, 1200, 900)
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(s.address + "/harbour"))
	b.do(chromedp.Click(`nav a[href="/harbour/take"]`), chromedp.WaitVisible("#files"))
	b.do(chromedp.Click("summary"), chromedp.WaitVisible(`input[value="tags"]`))
	b.do(chromedp.Click(`input[value="tags"]`), chromedp.Click("fieldset ~ button"), chromedp.WaitVisible("#preview"))
	b.await("location.search.includes('tags') && " +
		"document.querySelector('#preview')?.parentNode.innerText.includes('tags')")
	link := ask[string](b, `[...document.querySelectorAll('th a')].find(a => a.innerText == 'CSV').getAttribute('href')`)
	status, text := s.read(t, link)
	if head, _, _ := strings.Cut(text, "\r\n"); status != http.StatusOK || !slices.Contains(strings.Split(head, ","), "tags") {
		t.Errorf("%s: %d, %s", link, status, head)
	}
	b.silent()
}
