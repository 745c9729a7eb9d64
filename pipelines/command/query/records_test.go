package query

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// shelfOf writes an archive of records, each in a gzip member if zipped, and returns a collection of it. A record is
// the fields of its head, without lengths, and its block.
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
			where := fmt.Sprintf("--where=record_id = 'urn:x:%d'", i)
			code, _, errs := command(t, "--collection="+dir, where, "--format=warc",
				"--output="+file)
			list := members(t, file)
			if code != cli.ExitDone || len(list) == 0 {
				t.Errorf("%q, in a member %v: exit code %d, %d records\n%s", records[i][0], zipped, code, len(list),
					errs)
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

// responseOf is a response record of a page, as shelfOf takes it.
func responseOf(page, fields, block string) [2]string {
	return [2]string{"WARC-Type: response\r\nWARC-Target-URI: http://e.example/" + page + "\r\n" +
		"WARC-Date: 2021-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:x:" + page + ">\r\n" + fields, block}
}

// revisitOf is a revisit of a page a year later.
func revisitOf(page, fields, status string) [2]string {
	return [2]string{"WARC-Type: revisit\r\nWARC-Target-URI: http://e.example/" + page + "\r\n" +
		"WARC-Date: 2022-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:x:revisit-" + page + ">\r\n" +
		"Content-Type: application/http\r\n" +
		fields, "HTTP/1.1 " + status + "\r\nServer: x\r\n\r\n"}
}

func compressed(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestQuery_records: records are read as ingest reads them, whatever a crawler wrote.
func TestQuery_records(t *testing.T) {
	const ok, isHTTP = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n",
		"Content-Type: application/http;msgtype=response\r\n"
	zipped, plain := compressed(t, "<p>zipped"), ok+"\r\n<p>x"
	var zstded bytes.Buffer
	z, err := zstd.NewWriter(&zstded)
	if err == nil {
		_, err = z.Write([]byte("<p>zstd"))
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		page, fields, block string
		status              int
		payload, body       string
	}{
		{"plain", isHTTP, plain, 200, "<p>x", "<p>x"},
		{"interim", isHTTP, "HTTP/1.1 100 Continue\r\n\r\n" + plain, 200, "<p>x", "<p>x"},
		{"hints", isHTTP, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + plain, 200, "<p>x", "<p>x"},
		{"login", isHTTP, "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n" + plain, 200, "<p>x", "<p>x"},
		{"tunnel", isHTTP, "HTTP/1.1 200 Connection established\r\n\r\n" + plain, 200, "<p>x", "<p>x"},
		{"message", "Content-Type: message/http\r\n", plain, 200, "<p>x", "<p>x"},
		{"capitals", "Content-Type: Application/HTTP\r\n", plain, 200, "<p>x", "<p>x"},
		{"type-of-body", "Content-Type: text/html\r\n", plain, 200, "<p>x", "<p>x"},
		{"no-type", "", plain, 200, "<p>x", "<p>x"},
		{"old", isHTTP, "<html>\n<p>a\n\n<p>b", 0, "<html>\n<p>a\n\n<p>b", "<html>\n<p>a\n\n<p>b"},
		{"line-first", isHTTP, "\r\n" + plain, 200, "<p>x", "<p>x"},
		{"bare-lines", isHTTP, strings.ReplaceAll(plain, "\r", ""), 200, "<p>x", "<p>x"},
		{"empty", isHTTP, ok + "\r\n", 200, "", ""},
		{
			"chunks", isHTTP, ok + "Transfer-Encoding: chunked\r\n\r\n4\r\n<p>x\r\n0\r\n\r\n", 200,
			"4\r\n<p>x\r\n0\r\n\r\n", "<p>x",
		},
		{"gzip", isHTTP, ok + "Content-Encoding: gzip\r\n\r\n" + zipped, 200, zipped, "<p>zipped"},
		{"zstd", isHTTP, ok + "Content-Encoding: zstd\r\n\r\n" + zstded.String(), 200, zstded.String(), "<p>zstd"},
		{"zipped-chunks", isHTTP, ok + "Transfer-Encoding: gzip, chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n",
			len(zipped), zipped), 200, fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(zipped), zipped), "<p>zipped"},
		{"not-gzip", isHTTP, ok + "Content-Encoding: gzip\r\n\r\n<p>x", 200, "<p>x", "<p>x"},
	}
	var records [][2]string
	for _, tt := range tests {
		records = append(records, responseOf(tt.page, tt.fields, tt.block))
	}
	for _, zip := range []bool{true, false} {
		dir := shelfOf(t, zip, records...)
		for _, tt := range tests {
			r, said := recordOf(t, dir, "urn:x:"+tt.page)
			if r.Status != tt.status || string(r.Payload) != tt.payload || string(r.Body) != tt.body || r.Original != nil {
				t.Errorf("%s: status %d, payload %q, body %q, %v: %s", tt.page, r.Status, r.Payload, r.Body, r.HTTPHeaders,
					said)
			}
			if !slices.Contains(r.Headers, [2]string{"WARC-Record-ID", "<urn:x:" + tt.page + ">"}) ||
				slices.ContainsFunc(r.HTTPHeaders, func(f [2]string) bool { return f[0] == "Content-Type" }) != (tt.status > 0) {
				t.Errorf("%s: headers %q, of HTTP %q", tt.page, r.Headers, r.HTTPHeaders)
			}
		}
	}
}

// TestQuery_recordsOfRevisits: the original of a revisit is found as queries find it.
func TestQuery_recordsOfRevisits(t *testing.T) {
	// Of <p>x, in base32 and in hexadecimal digits.
	sum := sha1.Sum([]byte("<p>x"))
	digest := "WARC-Payload-Digest: sha1:" + base32.StdEncoding.EncodeToString(sum[:]) + "\r\n"
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
	tests := []struct {
		page, fields, status string
		original             bool
	}{
		{
			"named", digest + "WARC-Refers-To-Target-URI: http://e.example/named\r\n" +
				"WARC-Refers-To-Date: 2021-01-01T00:00:00Z\r\n",
			"200 OK", true,
		},
		{"by-id", "WARC-Refers-To: <urn:x:by-id>\r\n", "200 OK", true},
		{"unmodified", "", "304 Not Modified", true},
		{"hexadecimal", fmt.Sprintf("WARC-Payload-Digest: sha1:%x\r\n", sum), "200 OK", true},
		{"lower-case", strings.ToLower(digest[len("WARC-Payload-"):]), "200 OK", false},
		{"digest", digest, "200 OK", true},
		{"star*", "WARC-Refers-To: <urn:x:star*>\r\n", "200 OK", true},
	}
	var records [][2]string
	for _, tt := range tests {
		records = append(records, responseOf(tt.page, "Content-Type: application/http\r\n"+digest, ok+"<p>x"),
			revisitOf(tt.page, tt.fields, tt.status))
	}
	records = append(records, revisitOf("alone", "", "200 OK"))
	dir := shelfOf(t, true, records...)
	for _, tt := range tests {
		r, said := recordOf(t, dir, "urn:x:revisit-"+tt.page)
		if (r.Original != nil) != tt.original || tt.original && (string(r.Body) != "<p>x" || r.Original.Status != 200) ||
			len(r.Payload) > 0 || fmt.Sprint(r.Status) != tt.status[:3] || tt.original != (said == "") {
			t.Errorf("%s: %+v: %s", tt.page, r, said)
		}
	}
	if r, said := recordOf(t, dir, "urn:x:revisit-alone"); r.Original != nil ||
		!strings.Contains(said, "original of a revisit") {
		t.Errorf("without an original: %+v: %s", r, said)
	}
}

// readRecord is a line of the format records.
type readRecord struct {
	Headers, HTTPHeaders [][2]string
	Status               int
	Payload, Body        []byte
	Original             *readRecord
}

// UnmarshalJSON reads names with underscores.
func (r *readRecord) UnmarshalJSON(b []byte) error {
	type plain readRecord
	var more struct {
		HTTP [][2]string `json:"http_headers"`
	}
	err := errors.Join(json.Unmarshal(b, (*plain)(r)), json.Unmarshal(b, &more))
	r.HTTPHeaders = more.HTTP
	return err
}

// recordOf returns the record of an id, and the warnings.
func recordOf(t *testing.T, dir, id string) (r readRecord, said string) {
	t.Helper()
	code, stdout, errs := command(t, "--collection="+dir, "--all_versions", "--where=record_id = '"+strings.ReplaceAll(id,
		"*", `\*`)+"'", "--format=records")
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != cli.ExitDone {
		t.Errorf("%s: exit code %d, %v\n%s", id, code, err, errs)
	}
	for line := range strings.Lines(errs) {
		if !strings.Contains(line, "written anew") {
			said += line
		}
	}
	return r, said
}
