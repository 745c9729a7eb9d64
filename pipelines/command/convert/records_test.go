package convert

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// warcRecord returns a WARC record: a head, with its length, and a block.
func warcRecord(version, block string, head ...string) string {
	return fmt.Sprintf("WARC/%s\r\n%s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", version, strings.Join(head, "\r\n"),
		len(block), block)
}

const (
	infoID    = "<urn:uuid:00000000-0000-4000-8000-000000000001>"
	pageID    = "<urn:uuid:00000000-0000-4000-8000-000000000002>"
	requestID = "<urn:uuid:00000000-0000-4000-8000-000000000003>"
	metaID    = "<urn:uuid:00000000-0000-4000-8000-000000000004>"
	textID    = "<urn:uuid:00000000-0000-4000-8000-000000000005>"
	targetURI = "WARC-Target-URI: http://a.example/"
	// digest of the payload as it was written
	oneSHA256 = "894ffc7f88eeaa0772ad82e14166bdc933d778064110facac175ff5f90377727"
	dated     = "WARC-Date: 2024-05-06T07:08:09Z"
)

// crawled returns an archive in the form of a browser crawler's.
func crawled(version string) string {
	const answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n<p>One.\r\n"
	return warcRecord(version, "software: X\r\n", "WARC-Type: warcinfo", "WARC-Record-ID: "+infoID,
		"WARC-Date: 2024-05-06T00:00:00Z", "WARC-Filename: a.warc", "Content-Type: application/warc-fields") +
		warcRecord(version, answer, "WARC-Type: response", "WARC-Record-ID: "+pageID, targetURI, dated,
			"WARC-Warcinfo-ID: "+infoID, "WARC-Page-ID: 5a", "WARC-Resource-Type: document", "WARC-Protocol: h2",
			"WARC-Protocol: tls/1.3", `WARC-JSON-Metadata: {"a": "caf`+"\xe9"+`"}`, "X-Empty:",
			"WARC-Payload-Digest: sha256:"+oneSHA256,
			"Content-Type: application/http;msgtype=response") +
		warcRecord(version, "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", "WARC-Type: request",
			"WARC-Record-ID: "+requestID, targetURI, dated, "WARC-Concurrent-To: "+pageID,
			"Content-Type: application/http; msgtype=request") +
		warcRecord(version, "via: http://b.example/\r\n", "WARC-Type: metadata", "WARC-Record-ID: "+metaID, targetURI,
			dated, "WARC-Concurrent-To: "+pageID, "X-Own: 1", "Content-Type: application/warc-fields") +
		warcRecord(version, "?", "WARC-Type: x-own", "WARC-Record-ID: <urn:x:5>", dated)
}

// converted returns a record that refers to another, and is not a revisit.
func converted(version, kind string) string {
	return warcRecord(version, "One.", "WARC-Type: "+kind, "WARC-Record-ID: "+textID, targetURI, dated,
		"WARC-Refers-To: "+pageID, "WARC-Refers-To-Target-URI: http://a.example/",
		"WARC-Refers-To-Date: 2024-05-06T07:08:09Z", "WARC-Profile: http://a.example/profile",
		"WARC-Payload-Digest: "+sha1Of("One."), "Content-Type: text/plain")
}

func saved(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// dropsOf returns the counts of a conversion by format and field.
func dropsOf(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m schemas.Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	return m.Totals.ByDrop
}

// listRecords lists the records of an archive with warcio: type, id, the fields that must stay, and the block's
// digest.
const listRecords = `
import sys, hashlib, zipfile, io
from warcio.archiveiterator import ArchiveIterator
from warcio.recordloader import ArcWarcRecordLoader
for name in sys.argv[1:]:
    data = open(name, "rb").read()
    if name.endswith(".wacz"):
        z = zipfile.ZipFile(name)
        data = b"".join(z.read(n) for n in sorted(z.namelist()) if n.startswith("archive/"))
    for r in ArchiveIterator(io.BytesIO(data), no_record_parse=True):
        made = ("Content-Length", "WARC-Block-Digest", "Content-Type", "WARC-Date", "WARC-Target-URI", "WARC-Type")
        body = r.content_stream().read()
        if r.rec_headers.get_header("WARC-Filename", "").startswith("gleaner"):
            print("own")
            continue
        heads = sorted(": ".join(h) for h in r.rec_headers.headers if h[0] not in made)
        print(r.rec_type, r.rec_headers.get_header("WARC-Date")[:19], hashlib.md5(body).hexdigest(), *heads, sep=" | ")
`

// TestRecords_kept: a copy has all records and fields of the archive, read by warcio.
func TestRecords_kept(t *testing.T) {
	python := pythontest.Interpreter(t, "import warcio", "warcio==1.8.1")
	list := func(path string) []string {
		out, err := exec.CommandContext(t.Context(), python, "-c", listRecords, path).CombinedOutput()
		if err != nil {
			t.Fatalf("warcio: %v: %s", err, out)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	tests := []struct {
		name, version string
		args          []string
	}{
		{"a copy", "1.1", []string{"--to=warc"}},
		{"uncompressed", "1.1", []string{"--to=warc", "--compress=off"}},
		{"of 1.0", "1.0", []string{"--to=warc", "--warc_version=1.0"}},
		{"a package", "1.1", []string{"--to=wacz"}},
		{"with revisits", "1.1", []string{"--to=warc", "--warc_revisits"}},
	}
	for _, tt := range tests {
		source := saved(t, "a.warc", crawled(tt.version)+converted(tt.version, "conversion")+
			strings.ReplaceAll(converted(tt.version, "resource"), textID, "<urn:x:6>"))
		want := list(source)
		out := t.TempDir()
		mustRun(t, append(tt.args, "--output="+out, source)...)
		files, _ := filepath.Glob(filepath.Join(out, "wa*", "*", "gleaner*"))
		if len(files) != 1 {
			t.Fatalf("%s: files %q", tt.name, files)
		}
		got := list(files[0])
		if got[0] != "own" {
			t.Errorf("%s: the first record is %s", tt.name, got[0])
		}
		for i := range got {
			// A record without WARC-Warcinfo-ID belongs to the warcinfo before it.
			got[i] = strings.ReplaceAll(got[i], " | WARC-Warcinfo-ID: "+infoID, "")
		}
		for i := range want {
			want[i] = strings.ReplaceAll(want[i], " | WARC-Warcinfo-ID: "+infoID, "")
		}
		if diff := cmp.Diff(want, got[1:]); diff != "" {
			t.Errorf("%s (-archive +copy):\n%s", tt.name, diff)
		}
		if strings.HasSuffix(files[0], ".gz") {
			if text, err := exec.Command(python, "-m", "warcio.cli", "check", files[0]).CombinedOutput(); err != nil {
				t.Errorf("%s: warcio check: %v: %s", tt.name, err, text)
			}
		}
		if drops := dropsOf(t, out); len(drops) > 0 {
			t.Errorf("%s: dropped %v", tt.name, drops)
		}
	}
}

// TestRecords_counted: lost records of formats without such records are counted and logged.
func TestRecords_counted(t *testing.T) {
	source := saved(t, "a.warc", crawled("1.1")+warcRecord("1.1", "rest", "WARC-Type: continuation",
		"WARC-Record-ID: <urn:x:6>", dated, targetURI, "WARC-Segment-Origin-ID: <urn:x:7>", "WARC-Segment-Number: 2"))
	for _, format := range []string{"cdr", "ache-warc", "ache-files", "pagestore"} {
		out := t.TempDir()
		code, text := runCommand(t, "--to="+format, "--output="+out, source)
		if code != 3 { // for the continuation of a missing record
			t.Errorf("%s: exit code %d", format, code)
		}
		got := dropsOf(t, out)
		for _, name := range []string{"request", "metadata", "warcinfo", "other_record", "continuation", "record_fields"} {
			if got[format+"."+name] != 1 || !strings.Contains(text, format+"."+name) {
				t.Errorf("%s: %s is counted %d times:\n%s", format, name, got[format+"."+name], text)
			}
		}
	}
}

// TestRecords_ids: an id that is not a URI is replaced, and references to it follow, in other files too.
func TestRecords_ids(t *testing.T) {
	for _, id := range []string{"<5>", "5 6", "<caf\xe9>", "{9f7b4c5e}"} {
		text := strings.ReplaceAll(crawled("1.1"), pageID, id)
		const request = "WARC/1.1\r\nWARC-Type: request"
		before, rest, _ := strings.Cut(text, request)
		files := []string{saved(t, "a.warc", before), saved(t, "b.warc", request+rest)}
		var ids, references []string
		for _, file := range files {
			out := t.TempDir()
			mustRun(t, "--to=warc", "--compress=off", "--output="+out, file)
			names, _ := filepath.Glob(filepath.Join(out, "warc", "*", "*.warc"))
			b, err := os.ReadFile(names[0])
			if err != nil {
				t.Fatal(err)
			}
			kind := ""
			for line := range strings.SplitSeq(string(b), "\r\n") {
				field, value, _ := strings.Cut(line, ": ")
				switch {
				case field == "WARC-Type":
					kind = value
				case field == "WARC-Record-ID" && kind == "response":
					ids = append(ids, value)
				case field == "WARC-Concurrent-To":
					references = append(references, value)
				}
			}
		}
		if len(ids) != 1 || len(references) != 2 || references[0] != ids[0] || references[1] != ids[0] ||
			!strings.HasPrefix(ids[0], "<urn:uuid:") {
			t.Errorf("%q: the response is %q, and the others are of %q", id, ids, references)
		}
	}
}

// TestRecords_hostile: fields that would start other fields, and truncated blocks.
func TestRecords_hostile(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	text := warcRecord("1.1", "a\r\n\r\nWARC/1.1\r\n", "WARC-Type: metadata", "WARC-Record-ID: "+metaID, dated,
		"WARC-Target-URI: http://a.example/ b", "A\rB: c\rWARC-Type: response", "WARC-Block-Digest: sha1:AAAA") +
		warcRecord("1.1", long, "WARC-Type: request", "WARC-Record-ID: "+requestID, dated, targetURI)
	out := t.TempDir()
	code, said := runCommand(t, "--to=warc", "--max_body=1MiB", "--output="+out, saved(t, "a.warc", text))
	if code > 3 || code == 1 {
		t.Fatalf("exit code %d: %s", code, said)
	}
	names, _ := filepath.Glob(filepath.Join(out, "warc", "*", "*.gz"))
	again := t.TempDir()
	code, said = runCommand(t, "--to=cdr", "--output="+again, names[0])
	if got := dropsOf(t, again); code != 0 || got["cdr.metadata"] != 1 || got["cdr.request"] != 1 {
		t.Errorf("the copy: exit code %d, dropped %v: %s", code, got, said)
	}
}

// TestRecords_cut: the long block of a record that is not a capture is truncated, and counted if the format has such
// records.
func TestRecords_cut(t *testing.T) {
	record := func(kind string, size int) string {
		return warcRecord("1.1", strings.Repeat("x", size), "WARC-Type: "+kind, "WARC-Record-ID: <urn:x:5>", targetURI, dated,
			"Content-Type: application/octet-stream")
	}
	const limit = 2 << 20 // --max_body and 1 MiB
	for _, tt := range []struct {
		name, text, to string
		want           int64
	}{
		{"request", record("request", limit+1), "warc", 1},
		{"metadata", record("metadata", 2*limit), "warc", 1},
		{"another type", record("x-own", limit+1) + record("request", limit+1), "warc", 2},
		{"in two formats", record("request", limit+1), "warc,wacz", 1},
		{"in one of two", record("request", limit+1), "warc,cdr", 1},
		{"of no such format", record("request", limit+1), "cdr", 0},
		{"short enough", record("request", limit), "warc", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := t.TempDir()
			code, said := runCommand(t, "--to="+tt.to, "--max_body=1MiB", "--compress=off", "--output="+out,
				saved(t, "a.warc", crawled("1.1")+tt.text))
			m, err := readManifest(out)
			if got := m.Totals.ByFlag["body"]; err != nil || got != tt.want || (code == 3) != (tt.want > 0) {
				t.Errorf("exit code %d, %d truncated, %v; want %d\n%s", code, got, err, tt.want, said)
			}
			names, _ := filepath.Glob(filepath.Join(out, "warc", "*", "*.warc"))
			for _, name := range names {
				b, err := os.ReadFile(name)
				if n := bytes.Count(b, []byte("WARC-Truncated: length\r\n")); err != nil || int64(n) != tt.want {
					t.Errorf("%d records say that they are truncated, %v; want %d", n, err, tt.want)
				}
			}
		})
	}
}

// TestWarcinfo_date: without --stamp, it is the date of the first capture. A package's dates are valid.
func TestWarcinfo_date(t *testing.T) {
	python := pythontest.Interpreter(t, "import warcio", "warcio==1.8.1")
	source := saved(t, "a.warc", crawled("1.1"))
	const script = `
import sys, zipfile, datetime
for i in zipfile.ZipFile(sys.argv[1]).infolist(): print(datetime.datetime(*i.date_time).isoformat())`
	for stamp, want := range map[string]string{
		"": "1980-01-01T00:00:00", "2024-05-06T07:08:10Z": "2024-05-06T07:08:10",
		"1975-01-01T00:00:00Z": "1980-01-01T00:00:00",
		"2300-01-01T00:00:00Z": "2107-12-31T23:59:58",
	} {
		out := t.TempDir()
		mustRun(t, "--to=wacz", "--stamp="+stamp, "--output="+out, source)
		names, _ := filepath.Glob(filepath.Join(out, "wacz", "*", "*.wacz"))
		b, err := exec.CommandContext(t.Context(), python, "-c", script, names[0]).CombinedOutput()
		if got := strings.Fields(string(b)); err != nil || len(got) < 5 || got[0] != want || got[len(got)-1] != want {
			t.Errorf("--stamp=%s: dates %q, %v; want %s", stamp, got, err, want)
		}
	}
	for _, format := range []string{"warc", "ache-warc"} {
		out := t.TempDir()
		mustRun(t, "--to="+format, "--compress=off", "--output="+out, source)
		names, _ := filepath.Glob(filepath.Join(out, format, "*", "*.warc"))
		if b, err := os.ReadFile(names[0]); err != nil || strings.Contains(string(b), "WARC-Date: 1970") {
			t.Errorf("%s is of 1970: %v\n%s", format, err, b)
		}
	}
}
