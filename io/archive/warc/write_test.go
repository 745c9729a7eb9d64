package warc_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/archivetest"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

var when = time.Date(2026, 3, 4, 5, 6, 7, 123456789, time.UTC)

func page(url, body string) *schemas.Capture {
	header := []schemas.Field{{Name: "Content-Type", Value: "text/html"}}
	return &schemas.Capture{
		URL: url, Timestamp: when, RecordType: schemas.TypeResponse, Status: 200, Header: header,
		MIMEDeclared: "text/html", Body: []byte(body),
	}
}

func write(t testing.TB, o dump.WriteOptions, list ...*schemas.Capture) (*archivetest.Memory, map[string]int64) {
	t.Helper()
	m := &archivetest.Memory{}
	w := warc.NewWriter(m, o)
	for _, c := range list {
		if err := w.Write(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return m, w.Drops()
}

// read returns the captures of a file, in which nothing may be odd.
func read(t testing.TB, name string, b []byte) (list []*schemas.Capture) {
	t.Helper()
	size := int64(len(b))
	f, err := archive.Detect(name, bytes.NewReader(b), size)
	if err != nil {
		t.Fatal(err)
	}
	r, err := archive.NewReader(bytes.NewReader(b), archive.Input{Name: name, Size: size, End: size}, f, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for c, err := range r.Captures() {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	if n := r.Counts(); n.Rejects > 0 || len(n.ByFlag) > 0 || len(n.ByQuirk) > 0 {
		t.Errorf("%s: rejects %v, flags %v, quirks %v", name, n.ByReject, n.ByFlag, n.ByQuirk)
	}
	return list
}

// TestWriter_recordTypes writes what samples do not have: it comes back as it was.
func TestWriter_recordTypes(t *testing.T) {
	text := []byte("HTTP/1.1 is a protocol")
	ref := &schemas.Reference{
		RecordID: "urn:uuid:1", URL: "http://example.com/first", Timestamp: "2020-01-02T03:04:05Z",
		Profile: "http://netpreserve.org/warc/1.1/revisit/server-not-modified",
	}
	coded := []schemas.Field{{Name: "Content-Encoding", Value: "gzip"}, {Name: "Content-Length", Value: "99"}}
	tests := []*schemas.Capture{
		{
			URL: "dns:example.com", RecordType: schemas.TypeResponse, MIMEDeclared: "text/dns",
			Body: []byte("example.com. A 1.2.3.4"),
		},
		{
			URL: "urn:x:y", RecordType: schemas.TypeResource, MIMEDeclared: "image/png", Body: []byte("\x89PNG"),
			Truncated: "time",
		},
		{
			URL: "http://example.com/", RecordType: schemas.TypeConversion, MIMEDeclared: "text/plain", Body: text,
			RecordID: "urn:uuid:2",
		},
		{
			URL: "http://example.com/", RecordType: schemas.TypeRevisit, RefersTo: ref, Status: 304, Header: coded,
			Digest: "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
		},
		{URL: "http://example.com/", RecordType: schemas.TypeRevisit, RefersTo: ref, IP: "2001:db8::1"},
	}
	for i, c := range tests {
		c.Timestamp = when
		m, drops := write(t, dump.WriteOptions{}, c)
		got := read(t, m.Names[0], m.Files[m.Names[0]])
		ignored := []string{"Origin"}
		if c.RecordID == "" {
			ignored = append(ignored, "RecordID")
		}
		if c.Digest == "" {
			ignored = append(ignored, "Digest")
		}
		if diff := cmp.Diff([]*schemas.Capture{c}, got, cmpopts.IgnoreFields(schemas.Capture{}, ignored...),
			cmpopts.EquateEmpty()); diff != "" || len(drops) > 0 {
			t.Errorf("capture %d: dropped %v; (-written +read):\n%s", i, drops, diff)
		}
	}
}

// TestWriter_drops: values that cannot be written are reported, and do not break the record.
func TestWriter_drops(t *testing.T) {
	c := page("http://example.com/\r\nWARC-Type: request\r\n\r\n", "<p>body</p>")
	c.Timestamp = time.Time{}
	c.RecordID, c.IP, c.Status, c.MIMEDeclared = "no id", "host:80", 1234, "text/plain"
	c.Header = append(c.Header, schemas.Field{Name: "A\nB", Value: "x\r\n\r\n<p>no body</p>"}, schemas.Field{})
	c.Crawl = map[string]string{"depth": "3", schemas.CrawlRequested: "http://example.com/\nWARC-Type: metadata"}
	m, drops := write(t, dump.WriteOptions{}, c)
	want := map[string]int64{
		"timestamp": 1, "record_id": 1, "ip": 1, "status": 1, "header": 1, "mime_declared": 1,
		"crawl.depth": 1,
	}
	if diff := cmp.Diff(want, drops); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
	got := read(t, m.Names[0], m.Files[m.Names[0]])
	if len(got) != 1 || got[0].URL != "http://example.com/%0D%0AWARC-Type:%20request%0D%0A%0D%0A" ||
		string(got[0].Body) != "<p>body</p>" {
		t.Errorf("read %+v", got)
	}
	if err := warc.NewWriter(m, dump.WriteOptions{}).Write(&schemas.Capture{}); !errors.Is(err, dump.ErrRefused) {
		t.Errorf("a capture without a URL: %v, want %v", err, dump.ErrRefused)
	}
}

// TestWriter_header: fields about codings that are undone have other names, so that the message is a right one.
func TestWriter_header(t *testing.T) {
	field := func(name, value string) schemas.Field { return schemas.Field{Name: name, Value: value} }
	tests := []struct {
		name       string
		give, want []schemas.Field
	}{
		{
			"right length",
			[]schemas.Field{field("content-length", "4"), field("Content-Length", "4")},
			[]schemas.Field{field("content-length", "4")},
		},
		{"no length", []schemas.Field{field("A", "1")}, []schemas.Field{field("A", "1")}},
		{
			"gzip",
			[]schemas.Field{field("Content-Encoding", "gzip"), field("Content-Length", "24"), field("B", "2")},
			[]schemas.Field{
				field("X-Crawler-Content-Encoding", "gzip"), field("X-Crawler-Content-Length", "24"),
				field("B", "2"), field("Content-Length", "4"),
			},
		},
		{
			"chunked",
			[]schemas.Field{field("transfer-encoding", "chunked")},
			[]schemas.Field{field("X-Crawler-transfer-encoding", "chunked"), field("Content-Length", "4")},
		},
	}
	for _, tt := range tests {
		c := page("http://example.com/", "body")
		c.Header, c.MIMEDeclared = tt.give, ""
		m, _ := write(t, dump.WriteOptions{}, c)
		got := read(t, m.Names[0], m.Files[m.Names[0]])
		if diff := cmp.Diff(tt.want, got[0].Header); diff != "" || string(got[0].Body) != "body" {
			t.Errorf("%s: body %q, header (-want +got):\n%s", tt.name, got[0].Body, diff)
		}
	}
}

func TestWriter_revisits(t *testing.T) {
	list := []*schemas.Capture{
		page("http://a.example/", "same"), page("http://b.example/", "other"),
		page("http://c.example/", "same"), page("http://d.example/", ""), page("http://e.example/", ""),
	}
	m, _ := write(t, dump.WriteOptions{Revisits: true}, list...)
	got := read(t, m.Names[0], m.Files[m.Names[0]])
	var types []schemas.RecordType
	for _, c := range got {
		types = append(types, c.RecordType)
	}
	if diff := cmp.Diff([]schemas.RecordType{"response", "response", "revisit", "response", "response"},
		types); diff != "" {
		t.Fatalf("types (-want +got):\n%s", diff)
	}
	want := &schemas.Reference{
		RecordID: got[0].RecordID, URL: "http://a.example/", Timestamp: "2026-03-04T05:06:07.123456789Z",
		Profile: "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
	}
	if diff := cmp.Diff(want, got[2].RefersTo); diff != "" || got[2].Digest != got[0].Digest || got[2].Status != 200 {
		t.Errorf("digest %s of %s, refers to (-want +got):\n%s", got[2].Digest, got[0].Digest, diff)
	}
}

func TestWriter_files(t *testing.T) {
	var list []*schemas.Capture
	for i := range 7 {
		list = append(list, page(fmt.Sprintf("http://example.com/%d", i), strings.Repeat("x", 1000)))
	}
	o := dump.WriteOptions{Compress: dump.Off, MaxFileBytes: 3000, Stamp: when}
	m, _ := write(t, o, list...)
	if diff := cmp.Diff([]string{
		"gleaner-20260304050607-00000.warc", "gleaner-20260304050607-00001.warc",
		"gleaner-20260304050607-00002.warc", "gleaner-20260304050607-00003.warc",
	}, m.Names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	ids := map[string]bool{}
	for _, name := range m.Names {
		for _, c := range read(t, name, m.Files[name]) {
			ids[c.RecordID] = true
		}
	}
	if len(ids) != len(list) {
		t.Errorf("%d ids of %d records", len(ids), len(list))
	}
}

// TestWriter_Last: a record can be read by itself from where Last says that it is.
func TestWriter_Last(t *testing.T) {
	for _, o := range []dump.WriteOptions{{}, {Zstd: true}, {Compress: dump.Off}} {
		m := &archivetest.Memory{}
		w := warc.NewWriter(m, o)
		places := map[string]warc.Place{}
		for _, c := range archivetest.Samples() {
			if err := w.Write(c); err != nil {
				t.Fatal(err)
			}
			places[c.URL] = w.Last()
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for url, p := range places {
			got := read(t, p.File, m.Files[p.File][p.Offset:p.Offset+p.Length])
			if len(got) != 1 || got[0].URL != url || got[0].Digest != p.Digest || got[0].RecordType != p.Type {
				t.Errorf("at %+v is %+v, want %s", p, got, url)
			}
		}
	}
}

// TestWriter_warcio has warcio check the digests and read the records.
func TestWriter_warcio(t *testing.T) {
	python := pythontest.Interpreter(t, "import warcio", "warcio==1.8.1")
	const script = `
import sys
from warcio.archiveiterator import ArchiveIterator
for name in sys.argv[1:]:
    for r in ArchiveIterator(open(name, "rb"), check_digests="raise"):
        body = r.content_stream().read()
        status = r.http_headers.get_statuscode() if r.http_headers else "-"
        print(r.rec_type, r.rec_headers.get_header("WARC-Target-URI") or "-", status, len(body))
`
	list := append(archivetest.Samples(), archivetest.Samples()...)
	for _, o := range []dump.WriteOptions{
		{Revisits: true},
		{Revisits: true, WARC10: true},
		{Revisits: true, Compress: dump.Off},
	} {
		m, _ := write(t, o, list...)
		path := filepath.Join(t.TempDir(), m.Names[0])
		if err := os.WriteFile(path, m.Files[m.Names[0]], 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(python, "-m", "warcio.cli", "check", path).CombinedOutput(); err != nil {
			t.Errorf("warcio check: %v: %s", err, out)
		}
		out, err := exec.Command(python, "-c", script, path).CombinedOutput()
		if err != nil {
			t.Fatalf("warcio: %v: %s", err, out)
		}
		want := []string{"warcinfo - - 0"}
		for _, c := range read(t, path, m.Files[m.Names[0]]) {
			status := fmt.Sprintf("%03d", c.Status)
			if len(c.Header) == 0 {
				status = "-"
			}
			want = append(want, fmt.Sprintf("%s %s %s %d", c.RecordType, c.URL, status, len(c.Body)))
		}
		got := strings.Split(strings.TrimSpace(string(out)), "\n")
		got[0] = "warcinfo - - 0" // its length depends on the version
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v: read by us and by warcio (-ours +warcio):\n%s", o, diff)
		}
	}
}

// FuzzWriter writes captures of arbitrary parts: the output reads as one sound record.
func FuzzWriter(f *testing.F) {
	f.Add("http://example.com/", "Content-Type", "text/html", 200, "body", "urn:uuid:1", "192.0.2.1", "response")
	f.Add("x", "Transfer-Encoding", "chunked", -1, "HTTP/1.1 200 OK\r\n\r\n", "<a:b>", "::1", "resource")
	f.Add("http://a\r\n\r\nWARC/1.0\r\n", ":\n", "\r\n\r\n", 99999, "WARC/1.0\r\n", "", "", "revisit")
	f.Fuzz(func(t *testing.T, url, name, value string, status int, body, id, ip, kind string) {
		c := &schemas.Capture{
			URL: url, Status: status, Header: []schemas.Field{{Name: name, Value: value}}, Body: []byte(body), RecordID: id,
			IP: ip, RecordType: schemas.RecordType(kind), Digest: value, Truncated: value,
			Crawl:    map[string]string{schemas.CrawlRelevance: value},
			RefersTo: &schemas.Reference{URL: value, RecordID: value, Timestamp: value, Profile: value}, Timestamp: when,
		}
		m := &archivetest.Memory{}
		w := warc.NewWriter(m, dump.WriteOptions{Compress: dump.Off})
		if err := w.Write(c); err != nil {
			if errors.Is(err, dump.ErrRefused) {
				return
			}
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		b := m.Files[m.Names[0]]
		r, err := archive.NewReader(bytes.NewReader(b), archive.Input{Name: "x", Size: int64(len(b)), End: int64(len(b))},
			archive.Format{Name: "warc"}, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var got []*schemas.Capture
		for c, err := range r.Captures() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, c)
		}
		n := r.Counts()
		if len(got) != 1 || n.Rejects > 0 || n.Records != 2 || got[0].HasFlag(schemas.FlagLength) ||
			got[0].HasFlag(schemas.FlagPartial) || got[0].HasFlag(schemas.FlagBlock) {
			t.Errorf("%d captures, counts %+v, of %q", len(got), n, b)
		}
		if len(got) == 1 && !bytes.Equal(got[0].Body, c.Body) && !got[0].HasFlag(schemas.FlagChunked) &&
			!got[0].HasFlag(schemas.FlagEncoding) {
			t.Errorf("body %q, want %q", got[0].Body, c.Body)
		}
	})
}

func ExampleNewWriter() {
	m := &archivetest.Memory{} // dump.OpenFolder for files
	w := warc.NewWriter(m, dump.WriteOptions{Compress: dump.Off})
	c := &schemas.Capture{
		URL: "http://example.com/", Timestamp: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Status: 200,
		Header: []schemas.Field{{Name: "Content-Type", Value: "text/plain"}}, Body: []byte("Hello\n"),
	}
	if err := w.Write(c); err != nil {
		fmt.Println(err)
	}
	p := w.Last()
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	fmt.Print(strings.ReplaceAll(string(m.Files[p.File][p.Offset:]), "\r", ""))
	// Output:
	// WARC/1.1
	// WARC-Type: response
	// WARC-Record-ID: <urn:uuid:ccc6e1f8-58cb-5aca-9219-6d4a2e8ba6bc>
	// WARC-Warcinfo-ID: <urn:uuid:cde69286-83c2-5b7a-a2de-619221a059cc>
	// WARC-Target-URI: http://example.com/
	// WARC-Date: 2026-01-02T03:04:05Z
	// WARC-Payload-Digest: sha1:DURJE4MSRU7Z4K5QG5N5NTS5W3DNGSGZ
	// Content-Type: application/http; msgtype=response
	// WARC-Block-Digest: sha1:PREAZI2CMT5DQASW7YC52NX7G55WTA7M
	// Content-Length: 51
	//
	// HTTP/1.1 200 OK
	// Content-Type: text/plain
	//
	// Hello
}

func BenchmarkWriter(b *testing.B) {
	c := page("http://example.com/", strings.Repeat("<p>A paragraph of some length, with words in it.</p>\n", 2000))
	b.SetBytes(int64(len(c.Body)))
	b.ReportAllocs()
	w := warc.NewWriter(&archivetest.Memory{}, dump.WriteOptions{MaxFileBytes: 1 << 20})
	for b.Loop() {
		if err := w.Write(c); err != nil {
			b.Fatal(err)
		}
	}
}
