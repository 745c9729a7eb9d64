package convert

import (
	"path/filepath"
	"strings"
	"testing"

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
