package serve

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// TestAccess_exports: files of all forms have no record and no text that their reader may not see, and those of an
// administrator have them.
func TestAccess_exports(t *testing.T) {
	g := launch(t, rules, map[string][]held{"out": slices.Concat(openPages, roomPages, deniedPages)})
	for _, format := range []string{"jsonl", "csv", "csv-bom", "parquet", "warc", "wacz", "wet", "urls"} {
		path := "/api/v1/export?collection=out&fold=none&format=" + format
		for _, who := range []asker{{}, {"viewer", "", ""}, {"editor", "", ""}} {
			r, body := g.ask(who, path)
			text := unpacked(t, []byte(body))
			if r.StatusCode != http.StatusOK || leaks(text) {
				t.Errorf("%+v %s: %s, %d bytes show a secret", who, format, r.Status, len(text))
			}
			if format != "parquet" && !strings.Contains(text, "http://open.example/") {
				t.Errorf("%+v %s lacks what may be read", who, format)
			}
		}
		_, body := g.ask(asker{"admin", "", ""}, path)
		if text := unpacked(t, []byte(body)); !leaks(text) {
			t.Errorf("an administrator's %s has %d bytes without the closed captures", format, len(text))
		}
	}
}

// unpacked returns a file and, if it is packed, its content too.
func unpacked(t *testing.T, data []byte) string {
	t.Helper()
	out := string(data)
	if z, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err == nil {
		for _, f := range z.File {
			in, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(in)
			if err != nil {
				t.Fatal(err)
			}
			out += unpacked(t, content)
		}
		return out
	}
	if z, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		content, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		out += string(content)
	}
	return out
}
