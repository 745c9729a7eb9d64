package query

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestQuery_recheck: archives that are as they were have no difference. A changed byte, a cut file, another order and a
// missing file are told, each for the captures that it concerns.
func TestQuery_recheck(t *testing.T) {
	shelf := archives(t)
	dir := collect(t, shelf)
	const head = "filename,offset,sequence,url,difference\r\n"
	code, out, errs := command(t, "--collection="+dir, "--all_versions", "--format=recheck")
	if code != cli.ExitDone || out != head || !strings.Contains(errs, "0 of 30 captures of the collection differ") {
		t.Fatalf("exit code %d, %q\n%s", code, out, errs)
	}
	plain := filepath.Join(shelf, "site.warc")
	original, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	// A byte of the last capture's payload.
	changed := bytes.Clone(original)
	changed[bytes.LastIndex(changed, []byte("</html>"))] = '?'
	for _, tt := range []struct {
		name  string
		data  []byte
		wants []string
		some  int // rows at least
	}{
		{"a changed byte", changed, nil, 1},
		{"a truncated file", original[:len(original)/2], []string{",not in the archive"}, 2},
		{"bytes before it", append([]byte("WARC/1.0\r\n\r\n\r\n\r\n"), original...), []string{",not in the archive"}, 9},
		{"no file", nil, nil, 0},
	} {
		if err := os.WriteFile(plain, tt.data, 0o644); err != nil {
			t.Fatal(err)
		}
		if tt.data == nil {
			if err := os.Remove(plain); err != nil {
				t.Fatal(err)
			}
		}
		code, out, errs := command(t, "--collection="+dir, "--all_versions", "--where=filename:site.warc", "--format=recheck")
		rows := strings.Count(out, "site.warc,")
		if code != cli.ExitLosses || rows < tt.some {
			t.Errorf("%s: exit code %d, %d rows\n%s%s", tt.name, code, rows, out, errs)
		}
		for _, want := range tt.wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", tt.name, want, out)
			}
		}
		if tt.data == nil && !strings.Contains(errs, "cannot be read again") {
			t.Errorf("%s: %s", tt.name, errs)
		}
	}
}
