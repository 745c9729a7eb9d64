package warc_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/archivetest"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

func document() *schemas.Document {
	return &schemas.Document{
		URL: "http://example.com/", Timestamp: "2026-03-04T05:06:07Z", Text: "Grüße\nHello\n", RecordID: "urn:uuid:1",
		Language: "de", Languages: []schemas.Language{{Code: "de"}, {Code: "en"}},
	}
}

func wet(t testing.TB, list ...*schemas.Document) *archivetest.Memory {
	t.Helper()
	m := &archivetest.Memory{}
	w := warc.NewWET(m, dump.WriteOptions{WARC10: true})
	for _, d := range list {
		if err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestWET(t *testing.T) {
	second := document()
	second.Text, second.Language, second.Languages, second.RecordID = "other", "und", nil, ""
	m := wet(t, document(), second)
	const name = "gleaner-00000.warc.wet.gz"
	got := read(t, name, m.Files[name])
	if len(got) != 2 {
		t.Fatalf("%d captures in %v", len(got), m.Names)
	}
	for i, text := range []string{"Grüße\nHello\n", "other"} {
		c := got[i]
		if c.RecordType != schemas.TypeConversion || string(c.Body) != text || c.MIMEDeclared != "text/plain" ||
			c.URL != "http://example.com/" {
			t.Errorf("capture %d is %+v", i, c)
		}
	}
	if got[0].RecordID == got[1].RecordID {
		t.Error("two texts have one id")
	}
	for _, d := range []*schemas.Document{{URL: "http://example.com/"}, {Text: "text"}} {
		if err := warc.NewWET(m, dump.WriteOptions{}).Write(d); !errors.Is(err, dump.ErrRefused) {
			t.Errorf("Write(%+v) = %v, want %v", d, err, dump.ErrRefused)
		}
	}
}

// TestWET_warcio has warcio read the fields that our reader does not keep.
func TestWET_warcio(t *testing.T) {
	python := pythontest.Interpreter(t, "import warcio", "warcio==1.8.1")
	const script = `
import sys
from warcio.archiveiterator import ArchiveIterator
for r in ArchiveIterator(open(sys.argv[1], "rb"), check_digests="raise"):
    h = r.rec_headers.get_header
    print(r.rec_type, h("WARC-Refers-To"), h("WARC-Identified-Content-Language"), h("WARC-Date"), len(r.content_stream().read()))
`
	m := wet(t, document())
	path := filepath.Join(t.TempDir(), m.Names[0])
	if err := os.WriteFile(path, m.Files[m.Names[0]], 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-c", script, path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	want := fmt.Sprintf("conversion <urn:uuid:1> deu,eng 2026-03-04T05:06:07Z %d", len(document().Text))
	if diff := cmp.Diff(want, lines[len(lines)-1]); diff != "" {
		t.Errorf("warcio reads (-want +got):\n%s", diff)
	}
}

func ExampleNewWET() {
	m := &archivetest.Memory{}
	w := warc.NewWET(m, dump.WriteOptions{Compress: dump.Off})
	if err := w.Write(document()); err != nil {
		fmt.Println(err)
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	for line := range strings.Lines(string(m.Files["gleaner-00000.warc.wet"])) {
		if strings.HasPrefix(line, "WARC-Refers-To") || strings.HasPrefix(line, "WARC-Identified") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output:
	// WARC-Refers-To: <urn:uuid:1>
	// WARC-Identified-Content-Language: deu,eng
}
