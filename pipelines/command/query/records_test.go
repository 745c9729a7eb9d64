package query

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// shelfOf writes an archive of records, each in a gzip member if zipped, and returns a collection of it. A record is the
// fields of its head, without lengths, and its block.
func shelfOf(t *testing.T, zipped bool, records ...[2]string) (dir string) {
	t.Helper()
	var archive bytes.Buffer
	for _, r := range records {
		record := fmt.Sprintf("WARC/1.1\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n", r[0], len(r[1]), r[1])
		if !zipped {
			archive.WriteString(record)
			continue
		}
		z := gzip.NewWriter(&archive)
		if _, err := z.Write([]byte(record)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	shelf := t.TempDir()
	name := "a.warc"
	if zipped {
		name += ".gz"
	}
	if err := os.WriteFile(filepath.Join(shelf, name), archive.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return collect(t, shelf)
}

// TestQuery_recordsWithOddHeads: a record has a URL that is written otherwise than in documents.
func TestQuery_recordsWithOddHeads(t *testing.T) {
	const head = "WARC-Type: response\r\nWARC-Date: 2021-01-01T00:00:00Z\r\nContent-Type: application/http\r\n" +
		"WARC-Record-ID: <urn:x:%d>\r\n%s"
	var records [][2]string
	for i, uri := range []string{
		"WARC-Target-URI: http://e.example/caf\xe9\r\n", "WARC-Target-URI: < http://e.example/brackets >\r\n",
		"WARC-Target-URI: http://e.example/fol\r\n ded\r\n", "VARC-Target-URI: http://e.example/bit\r\n",
		"WARC-Target-URI:\thttp://e.example/tab \r\n", "WARC-Target-URI: hvtp://e.example/scheme\r\n",
		"WARC-Target-URI: http://e.example/plain\r\n",
	} {
		records = append(records, [2]string{
			fmt.Sprintf(head, i, uri), fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page %d", i),
		})
	}
	for _, zipped := range []bool{true, false} {
		dir := shelfOf(t, zipped, records...)
		for i := range records {
			file := filepath.Join(t.TempDir(), "cut.warc.gz")
			code, _, errs := command(t, "--collection="+dir, fmt.Sprintf("--where=record_id = 'urn:x:%d'", i), "--format=warc",
				"--output="+file)
			list := members(t, file)
			if code != cli.ExitDone || len(list) == 0 {
				t.Errorf("%q, in a member %v: exit code %d, %d records\n%s", records[i][0], zipped, code, len(list), errs)
				continue
			}
			z, err := gzip.NewReader(bytes.NewReader(list[len(list)-1])) // after warcinfo
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			if _, err := z.WriteTo(&text); err != nil || !strings.Contains(text.String(), fmt.Sprintf("<p>page %d", i)) {
				t.Errorf("%q: %v, %s", records[i][0], err, text.String())
			}
		}
	}
}
