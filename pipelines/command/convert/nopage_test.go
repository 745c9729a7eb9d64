package convert

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
)

// noPages returns captures of archives that are not pages.
func noPages() (list []*schemas.Capture) {
	for _, url := range []string{
		"dns:www.example.org", "whois://whois.example/example.org", "ftp://ftp.example/pub/",
		"urn:pageinfo:https://host0.example/p/0",
		"metadata://netarchive.example/crawl/setup/order.xml", "screenshot:https://host0.example/p/0", "DNS:example.org",
	} {
		list = append(list, &schemas.Capture{
			URL: url, Timestamp: pages(1)[0].Timestamp, RecordType: schemas.TypeResource, MIMEDeclared: "text/plain",
			Body: []byte("nothing for a reader"),
		})
	}
	return list
}

// TestConvert_whatIsNoPage: formats of pages omit and count such captures, and the run counts no loss.
func TestConvert_whatIsNoPage(t *testing.T) {
	in := t.TempDir()
	others := noPages()
	list := append(pages(2), others...)
	list = append(list, &schemas.Capture{
		URL: "HTTP://host9.example/", Timestamp: pages(1)[0].Timestamp,
		RecordType: schemas.TypeResponse, Status: 200, Body: []byte("a page"),
	})
	write(t, in, "warc", dump.WriteOptions{}, list)
	for _, format := range []string{"ache-warc", "cdr", "ache-files", "ache-json", "ache-html", "ache-cbor"} {
		t.Run(format, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			code, text := runCommand(t, "--to="+format, "--output="+out, in)
			m, err := readManifest(out)
			left := m.Totals.ByReject["left_out"]
			if err != nil || code != 0 || m.Totals.Written != 3 || left != int64(len(others)) || m.Totals.BytesLost > 0 {
				t.Errorf("exit code %d, %+v, %v; want 3 pages and %d left out\n%s", code, m.Totals, err, len(others), text)
			}
			for name, content := range contents(t, out) {
				wrong := strings.Contains(name, "example.org") || strings.Contains(content, "nothing for a reader")
				if strings.HasPrefix(name, format) && wrong {
					t.Errorf("%s has a file that is not a page", name)
				}
			}
		})
	}
	out := filepath.Join(t.TempDir(), "out")
	mustRun(t, "--to=warc", "--output="+out, in)
	if m, err := readManifest(out); err != nil || m.Totals.Written != int64(len(list)) {
		t.Errorf("WARC has %d records, %v; want all %d", m.Totals.Written, err, len(list))
	}
}

// TestConvert_unchanged: a revisit says that a page is as before. By itself it is not a page, and must not replace one.
func TestConvert_unchanged(t *testing.T) {
	page := *pages(1)[0]
	page.RecordType, page.Body = schemas.TypeResponse, []byte("<p>the page</p>")
	later := func(kind schemas.RecordType, status int, url string, body string) *schemas.Capture {
		c := page
		c.RecordType, c.Status, c.URL, c.Body = kind, status, url, []byte(body)
		c.Timestamp = page.Timestamp.Add(time.Hour)
		return &c
	}
	for name, tt := range map[string]struct {
		second  *schemas.Capture
		written int64
	}{
		"revisit":                   {later(schemas.TypeRevisit, 200, page.URL, ""), 1},
		"revisit without HTTP":      {later(schemas.TypeRevisit, 0, page.URL, ""), 1},
		"revisit, not modified":     {later(schemas.TypeRevisit, 304, page.URL, ""), 1},
		"revisit of another URL":    {later(schemas.TypeRevisit, 200, page.URL+"&a=b", ""), 1},
		"response, not modified":    {later(schemas.TypeResponse, 304, page.URL, ""), 1},
		"a new body":                {later(schemas.TypeResponse, 200, page.URL+"&a=b", "<p>new</p>"), 2},
		"not modified, with a body": {later(schemas.TypeResponse, 304, page.URL+"&a=b", "<p>new</p>"), 2},
	} {
		in := t.TempDir()
		write(t, in, "warc", dump.WriteOptions{}, []*schemas.Capture{&page, tt.second})
		for _, format := range archive.Outputs() {
			if format == "warc" || format == "wacz" {
				continue
			}
			t.Run(name+", "+format, func(t *testing.T) {
				out := filepath.Join(t.TempDir(), "out")
				code, text := runCommand(t, "--to="+format, "--output="+out, in)
				m, err := readManifest(out)
				if err != nil || code != 0 || m.Totals.Written != tt.written || m.Totals.ByReject["left_out"] != 2-tt.written ||
					m.Totals.ByDrop[format+".overwritten"] > 0 {
					t.Errorf("exit code %d, %+v, %v; want %d written\n%s", code, m.Totals, err, tt.written, text)
				}
			})
		}
	}
}
