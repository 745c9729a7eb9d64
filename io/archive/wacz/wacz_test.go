package wacz_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/archivetest"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/wacz"
	"github.com/gleaner-web/gleaner/schemas"
)

// write returns the WACZ file of the samples.
func write(t testing.TB, o dump.WriteOptions) []byte {
	t.Helper()
	m := &archivetest.Memory{}
	w := wacz.NewWriter(m, o)
	for _, c := range archivetest.Samples() {
		if err := w.Write(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if len(m.Names) != 1 {
		t.Fatalf("files %v", m.Names)
	}
	return m.Files[m.Names[0]]
}

// reading is the result of reading a file.
type reading struct {
	captures []*schemas.Capture
	rejects  []schemas.Reject
	counts   schemas.Counts
}

func read(t testing.TB, b []byte) (got reading) {
	t.Helper()
	size := int64(len(b))
	f, err := archive.Detect("a.wacz", bytes.NewReader(b), size)
	if err != nil {
		t.Fatal(err)
	}
	r, err := archive.NewReader(bytes.NewReader(b), archive.Input{Name: "a.wacz", Size: size, End: size}, f,
		archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for item, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		if item.Reject != nil {
			got.rejects = append(got.rejects, *item.Reject)
			continue
		}
		c := item.Capture
		got.captures = append(got.captures, c)
	}
	got.counts = r.Counts()
	if c := got.counts; c.BytesRead != size || c.BytesLost > size || c.Rejects != int64(len(got.rejects)) {
		t.Errorf("counts %+v of %d bytes, %d rejects", c, size, len(got.rejects))
	}
	return got
}

// files returns the content of a ZIP file.
func files(t testing.TB, b []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	content := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if content[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return content
}

// TestWriter_files: the index points to the records, the list names the pages, and the description has their hashes.
func TestWriter_files(t *testing.T) {
	b := write(t, dump.WriteOptions{MaxFileBytes: 2000, Stamp: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)})
	content := files(t, b)
	lines := 0
	for l, err := range cdx.NewReader(bytes.NewReader(content["indexes/index.cdx"]), cdx.Options{}).All() {
		if err != nil {
			t.Fatal(err)
		}
		lines++
		record := content["archive/"+l.Filename][l.Offset : l.Offset+l.Length]
		if got := read(t, record); len(got.captures) != 1 || got.captures[0].Digest != l.Digest ||
			got.captures[0].URL != strings.ReplaceAll(l.URL, "%20", " ") {
			t.Errorf("at %+v is %+v", l, got.captures)
		}
	}
	if want := len(archivetest.Samples()); lines != want {
		t.Errorf("%d lines in the index, want %d", lines, want)
	}
	want := `{"format":"json-pages-1.0","id":"pages","title":"All Pages"}
{"url":"http://[2001:db8::1]/six","ts":"2015-04-16T07:03:50Z","id":"`
	// One has status 200, four have none.
	if got := string(content["pages/pages.jsonl"]); !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 6 {
		t.Errorf("pages:\n%s", got)
	}
	var d struct {
		Resources []struct {
			Path, Hash string
			Bytes      int
		}
	}
	if err := json.Unmarshal(content["datapackage.json"], &d); err != nil {
		t.Fatal(err)
	}
	for _, r := range d.Resources {
		if got := content[r.Path]; r.Bytes != len(got) || r.Hash != fmt.Sprintf("sha256:%x", sha256.Sum256(got)) {
			t.Errorf("%+v, and the file has %d bytes", r, len(got))
		}
	}
	if len(d.Resources) != len(content)-2 || len(d.Resources) < 4 {
		t.Errorf("%d resources of %d files", len(d.Resources), len(content))
	}
}

// zipped makes a ZIP file; a file whose name ends in "*" is compressed.
func zipped(t testing.TB, content map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	var names []string
	for name := range content {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		h := &zip.FileHeader{Name: strings.TrimSuffix(name, "*")}
		if strings.HasSuffix(name, "*") {
			h.Method = zip.Deflate
		}
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestReader_problems: a fault of the container is a reject, and all readable records are read.
func TestReader_problems(t *testing.T) {
	good := files(t, write(t, dump.WriteOptions{}))
	var archive string
	for name := range good {
		if strings.HasPrefix(name, "archive/") {
			archive = name
		}
	}
	all := len(archivetest.Samples())
	tests := []struct {
		name     string
		change   func(map[string][]byte)
		captures int
		kinds    []schemas.Kind
	}{
		{"sound", func(map[string][]byte) {}, all, nil},
		{"no description", func(f map[string][]byte) { delete(f, "datapackage.json") }, all, []schemas.Kind{"damaged"}},
		{
			"another description", func(f map[string][]byte) { f["datapackage.json"] = append(f["datapackage.json"], '\n') },
			all,
			[]schemas.Kind{"damaged"},
		},
		{"description of another archive", func(f map[string][]byte) {
			f[archive] = bytes.Join([][]byte{
				f[archive],
				f[archive],
			}, nil)
		}, 2 * all, []schemas.Kind{"damaged"}},
		{"unknown hash", func(f map[string][]byte) {
			f["datapackage.json"] = bytes.ReplaceAll(f["datapackage.json"], []byte(`sha256:`), []byte("sha256:0"))
			delete(f, "datapackage-digest.json")
		}, all, nil}, // a hash of another length is not known
		{
			"no archive", func(f map[string][]byte) { f["archive/x.warc"] = []byte("a text") }, all,
			[]schemas.Kind{"unsupported"},
		},
		{"compressed", func(f map[string][]byte) { f["archive/x.warc*"] = f[archive] }, 2 * all, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			content := map[string][]byte{}
			for name, b := range good {
				content[name] = bytes.Clone(b)
			}
			tt.change(content)
			got := read(t, zipped(t, content))
			var kinds []schemas.Kind
			for _, r := range got.rejects {
				kinds = append(kinds, r.Kind)
			}
			if diff := cmp.Diff(tt.kinds, kinds); diff != "" || len(got.captures) != tt.captures {
				t.Errorf("%d captures, want %d; rejects %v", len(got.captures), tt.captures, got.rejects)
			}
		})
	}
}

// TestReader_flippedByte: the hash of the archive tells, besides what the member says itself.
func TestReader_flippedByte(t *testing.T) {
	b := write(t, dump.WriteOptions{Compress: dump.Off})
	at := bytes.Index(b, []byte("line\r\nline"))
	b[at] ^= 1
	got := read(t, b)
	if len(got.captures) != len(archivetest.Samples()) || len(got.rejects) != 1 ||
		!strings.Contains(got.rejects[0].Message, "SHA-256") {
		t.Errorf("%d captures, rejects %v", len(got.captures), got.rejects)
	}
}

// gzipped is a gzip member.
func gzipped(b []byte) []byte {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	_, err := w.Write(b)
	if err = errors.Join(err, w.Close()); err != nil {
		panic(err) // memory takes all
	}
	return z.Bytes()
}

func checksum(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

// TestAttack03_hashOfAPart: an archive's data may contradict the ZIP file's checksum or the description's hash. Its
// captures are flagged then, unless their own member or digest confirms them.
func TestAttack03_hashOfAPart(t *testing.T) {
	const text = "<p>the harbour at low tide</p>"
	bare := []byte("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: https://harbour.example/\r\n" +
		"Content-Type: text/html\r\nContent-Length: 30\r\n\r\n" + text + "\r\n\r\n")
	sum := sha1.Sum([]byte(text))
	digest := "WARC-Block-Digest: sha1:" + base32.StdEncoding.EncodeToString(sum[:]) + "\r\n"
	digested := bytes.Replace(bare, []byte("WARC-Type"), []byte(digest+"WARC-Type"), 1)
	flip := func(b []byte) { b[bytes.Index(b, []byte("low tide"))] ^= 1 }
	other := []byte(`{"resources":[{"path":"archive/x","hash":"sha256:` + strings.Repeat("0", 64) + `"}]}`)
	for _, tt := range []struct {
		name        string
		content     []byte
		description []byte // none without it
		damage      func(b []byte)
		flagged     bool
		problem     string
	}{
		{"sound", bare, nil, func([]byte) {}, false, "datapackage.json"},
		{"the ZIP file's checksum", bare, nil, flip, true, "CRC-32"},
		{"not described", bare, []byte("{}"), flip, true, "CRC-32"},
		{"the description's hash", bare, other, func([]byte) {}, true, "SHA-256"},
		{"a digest vouches", digested, other, func([]byte) {}, false, "SHA-256"},
		{"its member vouches", gzipped(bare), other, func([]byte) {}, false, "SHA-256"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			content := map[string][]byte{"archive/x": tt.content}
			if tt.description != nil {
				content["datapackage.json"] = tt.description
			}
			b := zipped(t, content)
			tt.damage(b)
			got := read(t, b)
			if len(got.captures) != 1 || got.captures[0].HasFlag(schemas.FlagUnverified) != tt.flagged {
				t.Errorf("%d captures, flagged %v, want %v", len(got.captures), got.captures[0].Flags, tt.flagged)
			}
			if !slices.ContainsFunc(got.rejects, func(r schemas.Reject) bool {
				return strings.Contains(r.Message,
					tt.problem)
			}) {
				t.Errorf("rejects %v, want one of %s", got.rejects, tt.problem)
			}
		})
	}
}

// TestReader_overlap: a directory that names the same bytes twice does not give them twice. The file whose place it
// does not say has its own header.
func TestReader_overlap(t *testing.T) {
	record := []byte("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 1\r\n\r\nx\r\n\r\n")
	b := zipped(t, map[string][]byte{"archive/a": record, "archive/b": record})
	second := bytes.LastIndex(b, []byte("PK\x01\x02"))
	copy(b[second+42:second+46], make([]byte, 4)) // where its local header stands: at the first one's
	got := read(t, b)
	damaged := func(r schemas.Reject) bool { return strings.Contains(r.Message, "does not say where it is") }
	if len(got.captures) != 2 || !slices.ContainsFunc(got.rejects, damaged) ||
		got.captures[0].Origin.Offset == got.captures[1].Origin.Offset {
		t.Errorf("%d captures, rejects %v; want each once", len(got.captures), got.rejects)
	}
}

// TestReader_pywb reads the sample of pywb, whose description is that of 2020.
func TestReader_pywb(t *testing.T) {
	b, err := os.ReadFile("../../../../shared/corpora/warc/raw/webrecorder+pywb/sample_archive/waczs/valid_example_1.wacz")
	if err != nil {
		t.Skip("no ../shared/corpora/warc beside the checkout: archives of others, which may not be copied into it")
	}
	got := read(t, b)
	if len(got.captures) != 1 || got.captures[0].URL != "http://www.example.com/" || len(got.rejects) > 0 {
		t.Errorf("%d captures, rejects %v", len(got.captures), got.rejects)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(write(f, dump.WriteOptions{MaxFileBytes: 1}))
	f.Add(zipped(f, map[string][]byte{
		"archive/a":         []byte("WARC/1.0\r\nContent-Length: 1\r\n\r\nx\r\n\r\n"),
		"datapackage.json*": []byte(`{"resources":[{"path":"archive/a","bytes":-1,"stats":{}}]}`),
	}))
	f.Fuzz(func(t *testing.T, b []byte) {
		is, err := wacz.Is(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		if is {
			read(t, b)
		}
	})
}

func ExampleOpen() {
	m := &archivetest.Memory{}
	w := wacz.NewWriter(m, dump.WriteOptions{})
	for _, c := range archivetest.Samples() {
		if err := w.Write(c); err != nil {
			fmt.Println(err)
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	b := m.Files["gleaner.wacz"]
	p, err := wacz.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, part := range p.Parts {
		fmt.Println(part.Name, len(p.Problems))
	}
	// Output:
	// archive/gleaner-00000.warc.gz 0
}

// TestWriter_noStatus: pages of formats without a status are pages, too. Index and list follow the status as written.
func TestWriter_noStatus(t *testing.T) {
	head := []schemas.Field{{Name: "Content-Type", Value: "text/html"}}
	for _, tt := range []struct {
		name   string
		status int
		kind   schemas.RecordType
		header []schemas.Field
		o      dump.WriteOptions
		want   int // status in the index
		isPage bool
	}{
		{"a response of ACHE", 0, schemas.TypeResponse, head, dump.WriteOptions{}, 0, true},
		{"with status lines", 0, schemas.TypeResponse, head, dump.WriteOptions{StatusLine: true}, 200, true},
		{"without a head", 0, schemas.TypeResponse, nil, dump.WriteOptions{}, 0, true},
		{"a resource", 0, schemas.TypeResource, nil, dump.WriteOptions{}, 0, true},
		{"a text of it", 0, schemas.TypeConversion, nil, dump.WriteOptions{}, 0, false},
		{"an error", 404, schemas.TypeResponse, head, dump.WriteOptions{StatusLine: true}, 404, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &archivetest.Memory{}
			w := wacz.NewWriter(m, tt.o)
			if err := errors.Join(w.Write(&schemas.Capture{
				URL: "http://a.example/", Timestamp: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), RecordType: tt.kind,
				Status: tt.status, Header: tt.header, MIMEDeclared: "text/html", Body: []byte("<p>x"),
			}), w.Close()); err != nil {
				t.Fatal(err)
			}
			content := files(t, m.Files[m.Names[0]])
			for l, err := range cdx.NewReader(bytes.NewReader(content["indexes/index.cdx"]), cdx.Options{}).All() {
				if err != nil || l.Status != tt.want {
					t.Errorf("the index has %d, want %d; error %v", l.Status, tt.want, err)
				}
			}
			if got := bytes.Contains(content["pages/pages.jsonl"], []byte("http://a.example/")); got != tt.isPage {
				t.Errorf("a page: %v, want %v", got, tt.isPage)
			}
		})
	}
}
