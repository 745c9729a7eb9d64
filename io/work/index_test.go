package work

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

const archives = "../../testdata/archives"

// reading holds the captures and rejects of units.
type reading struct {
	captures []string
	rejects  []schemas.Reject
	counts   schemas.Counts
}

func printed(c *schemas.Capture) string {
	return fmt.Sprintf("%s %d+%d %s %d %v %x", filepath.Base(c.Origin.File), c.Origin.Offset, c.Origin.Sequence, c.URL,
		c.Status, c.Flags, c.Body)
}

// shelf returns the captures of archives of several formats, and their lines of an index.
func shelf(t testing.TB) (all []string, list []cdx.Line) {
	t.Helper()
	s := blob.New(blob.Options{})
	for _, name := range []string{"site.arc.gz", "site.warc", "site.warc.gz", "site.warc.zst", "wget.warc.gz"} {
		infos, err := s.Expand(t.Context(), []string{filepath.Join(archives, name)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		units, err := Plan(t.Context(), s, infos, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		for c, err := range NewReader(s, units[0], archive.Options{}).Captures(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if c.Origin.Sequence > 0 {
				continue
			}
			all = append(all, printed(c))
			list = append(list, cdx.Line{
				SURT: "com,example)/", Timestamp: c.Timestamp, URL: c.URL, MIME: c.MIMEDeclared, Status: c.Status, Digest: c.Digest,
				Length: c.Origin.Length, Offset: c.Origin.Offset, Filename: name,
			})
		}
	}
	if len(list) < 50 {
		t.Fatalf("%d lines", len(list))
	}
	return all, list
}

// readIndex reads what an index of this content points to.
func readIndex(t testing.TB, content []byte, filter string) (r reading) {
	t.Helper()
	s, path := blob.New(blob.Options{}), filepath.Join(t.TempDir(), "index.cdx")
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	infos, err := s.Expand(t.Context(), []string{path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	units, err := PlanIndexes(t.Context(), s, infos, 1, schemas.Lookup{Filter: filter, Base: archives}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range units {
		x := NewReader(s, u, archive.Options{})
		for item, err := range x.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if item.Reject != nil {
				r.rejects = append(r.rejects, *item.Reject)
				continue
			}
			c := item.Capture
			r.captures = append(r.captures, printed(c))
		}
		r.counts.Add(x.Counts())
	}
	if r.counts.BytesRead != int64(len(content)) || r.counts.Rejects != int64(len(r.rejects)) ||
		r.counts.Captures != int64(len(r.captures)) {
		t.Errorf("counts %+v of %d bytes, %d captures and %d rejects", r.counts, len(content), len(r.captures),
			len(r.rejects))
	}
	return r
}

func cdxj(list []cdx.Line) (b []byte) {
	for _, l := range list {
		b = l.AppendTo(b)
	}
	return b
}

// columns writes lines as CDX of 11 columns, in an order of its own that the legend tells.
func columns(list []cdx.Line) []byte {
	var b bytes.Buffer
	b.WriteString(" CDX V g N b a m s k r M S\n")
	for _, l := range list {
		fmt.Fprintf(&b, "%d %s %s %s %s %s %d %s - - %d\n", l.Offset, l.Filename, l.SURT,
			l.Timestamp.Format("20060102150405"),
			strings.ReplaceAll(l.URL, " ", "%20"), strings.ReplaceAll(cmp.Or(l.MIME, "-"), " ", ""), l.Status,
			cmp.Or(l.Digest, "-"), l.Length)
	}
	return b.Bytes()
}

// renamed returns lines with other names of files.
func renamed(list []cdx.Line, name func(string) string) []cdx.Line {
	list = slices.Clone(list)
	for i := range list {
		list[i].Filename = name(list[i].Filename)
	}
	return list
}

// objects writes lines as JSON, as servers of indexes do.
func objects(list []cdx.Line) (b []byte) {
	for _, l := range list {
		text := string(l.AppendTo(nil))
		key, rest, _ := strings.Cut(text, " ")
		stamp, object, _ := strings.Cut(rest, " {")
		b = fmt.Appendf(b, `{"urlkey": %q, "timestamp": %q, %s`, key, stamp, object)
	}
	return b
}

// rows writes lines as an array of arrays, with a row of names.
func rows(list []cdx.Line) []byte {
	b := []byte(`[["urlkey","timestamp","original","statuscode","digest","length","offset","filename"]`)
	for _, l := range list {
		b = fmt.Appendf(b, ",\n[%q,%q,%q,%d,%q,%d,%d,%q]", l.SURT, l.Timestamp.Format("20060102150405"), l.URL, l.Status,
			cmp.Or(l.Digest, "-"), l.Length, l.Offset, l.Filename)
	}
	return append(b, "]\n"...)
}

// wpull writes lines as wpull does.
func wpull(list []cdx.Line) []byte {
	b := []byte(" CDX a b m s k S V g u\n")
	for _, l := range list {
		b = fmt.Appendf(b, "%s %d %s %d %s %d %d %s <urn:uuid:1>\n", strings.ReplaceAll(l.URL, " ", "%20"),
			l.Timestamp.Unix(),
			strings.ReplaceAll(cmp.Or(l.MIME, "-"), " ", ""), l.Status, cmp.Or(l.Digest, "-"), l.Length, l.Offset, l.Filename)
	}
	return b
}

// TestIndex_sameCaptures: what lines point to are the captures of the archives, whatever the index's form and order.
func TestIndex_sameCaptures(t *testing.T) {
	want, list := shelf(t)
	slices.Sort(want)
	slices.Reverse(list)
	noLength := slices.Clone(list)
	wrong := slices.Clone(list)
	for i := range list {
		noLength[i].Length = 0
		wrong[i].Length = max(1, wrong[i].Length/2)
	}
	var packed bytes.Buffer
	zw := gzip.NewWriter(&packed)
	_, err := zw.Write(cdxj(list))
	if err = cmp.Or(err, zw.Close()); err != nil {
		t.Fatal(err)
	}
	padding := bytes.Repeat([]byte("0 x com,example)/ 20200101000000 http://example.com/ text/html 999 - - - 0\n"), 2000)
	rowPadding := bytes.Repeat([]byte(`["com,example)/","20200101000000","http://example.com/",999,"-",0,0,"x"],`+"\n"),
		2000)
	whole, err := filepath.Abs(archives)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		content []byte
	}{
		{"CDXJ", cdxj(list)},
		{"gzip", packed.Bytes()},
		{"no length", cdxj(noLength)},
		{"wrong length", cdxj(wrong)},
		{"CDX", columns(list)},
		{"JSON lines", objects(list)},
		{"JSON lines behind a mark", append([]byte("\xef\xbb\xbf"), objects(list)...)},
		{"an array of arrays", rows(list)},
		{"an array in ranges", slices.Concat(rows(list[:10]), rowPadding, rows(list[10:]))},
		{"CDX behind a mark, in ranges", slices.Concat([]byte("\xef\xbb\xbf"), columns(list[:10]), padding,
			columns(list[10:])[27:])},
		{"names with a dot", cdxj(renamed(list, func(s string) string { return "./" + s }))},
		{"absolute names", columns(renamed(list, func(s string) string { return filepath.Join(whole, s) }))},
		{"URLs of files", cdxj(renamed(list, func(s string) string { return "file://" + filepath.Join(whole, s) }))},
		{"seconds since 1970", wpull(list)},
		{"CDX in ranges", slices.Concat(columns(list[:10]), padding, columns(list[10:])[27:])},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := readIndex(t, tt.content, "status!=999")
			slices.Sort(got.captures)
			if diff := gocmp.Diff(want, got.captures); diff != "" || len(got.rejects) > 0 {
				t.Errorf("rejects %v; captures (-archives +index):\n%.3000s", got.rejects, diff)
			}
		})
	}
}

func TestIndex_filter(t *testing.T) {
	want, list := shelf(t)
	want = slices.DeleteFunc(want, func(s string) bool { return !strings.Contains(s, " 404 ") })
	got := readIndex(t, cdxj(list), "status=404")
	if diff := gocmp.Diff(want, got.captures); diff != "" || len(want) == 0 {
		t.Errorf("%d captures; (-want +got):\n%s", len(want), diff)
	}
}

// TestIndex_rejects: a line that leads nowhere is a reject, and takes none of its neighbours along.
func TestIndex_rejects(t *testing.T) {
	_, list := shelf(t)
	good := list[20]
	at := func(change func(*cdx.Line)) string {
		l := good
		change(&l)
		return string(l.AppendTo(nil))
	}
	tests := []struct {
		name, line string
		kind       schemas.Kind
	}{
		{"no line", "com,example)/ 2020 {\n", schemas.KindGarbage},
		{"no file", at(func(l *cdx.Line) { l.Filename = "nothing.warc.gz" }), schemas.KindUnsupported},
		{"no archive", at(func(l *cdx.Line) { l.Filename = "README.md" }), schemas.KindUnsupported},
		{"out of the folder", at(func(l *cdx.Line) { l.Filename = "../archives/site.warc.gz" }), schemas.KindUnsupported},
		{"absolute", at(func(l *cdx.Line) { l.Filename = "/etc/passwd" }), schemas.KindUnsupported},
		{"elsewhere", at(func(l *cdx.Line) { l.Filename = "http://example.com/a.warc.gz" }), schemas.KindUnsupported},
		{"no offset", at(func(l *cdx.Line) { l.Offset = -1 }), schemas.KindUnsupported},
		{"inside a record", at(func(l *cdx.Line) { l.Offset += 7 }), schemas.KindGarbage},
		{"behind the end", at(func(l *cdx.Line) { l.Offset = 1<<63 - 1 }), schemas.KindGarbage},
		{"length of all", at(func(l *cdx.Line) { l.Offset, l.Length = 3, 1<<63-1 }), schemas.KindGarbage},
		{"warcinfo", at(func(l *cdx.Line) { l.Offset = 0 }), schemas.KindGarbage},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			content := string(list[19].AppendTo(nil)) + tt.line + string(list[21].AppendTo(nil))
			got := readIndex(t, []byte(content), "")
			if len(got.captures) != 2 || len(got.rejects) != 1 {
				t.Fatalf("%d captures, rejects %v", len(got.captures), got.rejects)
			}
			r := got.rejects[0]
			if r.Kind != tt.kind || r.Offset != int64(len(list[19].AppendTo(nil))) || r.Lost != int64(len(tt.line)) ||
				got.counts.BytesLost != r.Lost {
				t.Errorf("rejected %+v, want %s", r, tt.kind)
			}
		})
	}
	again := slices.Concat(cdxj(list[:3]), cdxj(list[:3]))
	if got := readIndex(t, again, ""); len(got.captures) != 3 || got.counts.ByQuirk["same_record_again"] != 3 {
		t.Errorf("lines that are there twice give %d captures, quirks %v", len(got.captures), got.counts.ByQuirk)
	}
}

func FuzzIndex(f *testing.F) {
	_, list := shelf(f)
	f.Add(cdxj(list[:3]), "status=200")
	f.Add(columns(list[:3]), "2014..")
	f.Add([]byte("a 2020 {\"filename\":\"site.warc.gz\",\"offset\":-1}\nb 2021 {\"filename\":\"site.warc\","+
		"\"offset\":\"1\",\"length\":\"9999999999\"}"), "")
	f.Fuzz(func(t *testing.T, content []byte, filter string) {
		if _, err := cdx.ParseFilter(filter); err != nil || len(content) == 0 {
			return
		}
		readIndex(t, content, filter)
	})
}
