package segment

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

func sum(b string) string {
	h := sha1.Sum([]byte(b))
	return "sha1:" + base32.StdEncoding.EncodeToString(h[:])
}

// piece returns one record of the response called id, with further fields.
func piece(id string, number int, block string, fields ...string) string {
	kind, name := "response", "WARC-Record-ID: <"+id+">"
	if number > 1 {
		kind, name = "continuation", "WARC-Record-ID: <"+id+"-n>\r\nWARC-Segment-Origin-ID: <"+id+">"
	}
	fields = append(fields, fmt.Sprintf("Content-Length: %d", len(block)))
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\n%s\r\nWARC-Date: 2024-02-03T04:05:06Z\r\nWARC-Target-URI: "+
		"http://example.org/%s\r\n"+
		"WARC-Segment-Number: %d\r\nWARC-Block-Digest: %s\r\nContent-Type: application/http\r\n%s\r\n\r\n%s\r\n\r\n",
		kind, name, id, number, sum(block), strings.Join(fields, "\r\n"), block)
}

func total(n int) string { return fmt.Sprintf("WARC-Segment-Total-Length: %d", n) }

// TestReader_headIsKept: the head of the first segment is not that of the next in the same member.
func TestReader_headIsKept(t *testing.T) {
	name := archiveOf(t, "a.warc.gz", piece("x", 1, httpHead, "WARC-Payload-Digest: "+sum("tide")),
		piece("x", 2, "tide", "Further: "+strings.Repeat("field ", 99), total(len(httpHead)+4)))
	r := newReader(t, archive.Options{})
	c := read(t, r, Join(segmentsOf(t, name)["x"]))
	if c.URL != "http://example.org/x" || c.RecordID != "x" || c.Digest != sum("tide") || len(c.Flags) > 0 ||
		c.Timestamp.IsZero() {
		t.Errorf("capture %+v", c)
	}
}

// archiveOf writes records to a file: uncompressed, or when its name ends in .gz, all into one member.
func archiveOf(t testing.TB, name string, records ...string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	data := []byte(strings.Join(records, ""))
	if strings.HasSuffix(name, ".gz") {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		data = b.Bytes()
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// segmentsOf reads a file and returns the segments in it by their records.
func segmentsOf(t testing.TB, names ...string) map[string][]schemas.Segment {
	t.Helper()
	found := map[string][]schemas.Segment{}
	o := archive.Options{MaxSegments: 1000}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		size := int64(len(b))
		f, err := archive.Detect("", bytes.NewReader(b), size)
		if err != nil {
			t.Fatal(err)
		}
		r, err := archive.NewReader(bytes.NewReader(b), archive.Input{Name: name, Size: size, End: size}, f, o)
		if err != nil {
			t.Fatal(err)
		}
		for item, err := range r.All() {
			if err != nil {
				t.Fatal(err)
			}
			if s := item.Segment; s != nil {
				found[s.OriginID] = append(found[s.OriginID], *s)
			}
		}
		r.Close()
	}
	return found
}

// oneByOne is a reader that is given plans one at a time, and the rejects that it has told.
type oneByOne struct {
	*Reader
	rejects []schemas.Reject
}

func newReader(t testing.TB, o archive.Options) *oneByOne {
	t.Helper()
	store := blob.New(blob.Options{})
	r := NewReader(store, nil, o)
	t.Cleanup(func() {
		r.Close()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return &oneByOne{Reader: r}
}

// read returns the capture of a plan, nil when it has none.
func read(t testing.TB, r *oneByOne, p Plan) (c *schemas.Capture) {
	t.Helper()
	r.plans = append(r.plans, p)
	for {
		item, err := r.Next(t.Context())
		switch {
		case err == io.EOF:
			return c
		case err != nil:
			t.Fatal(err)
		case item.Reject != nil:
			r.rejects = append(r.rejects, *item.Reject)
		default:
			c = item.Capture
		}
	}
}

const httpHead = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"

func TestReader_overFiles(t *testing.T) {
	message := httpHead + "what the tide brings"
	a := archiveOf(t, "a.warc.gz", piece("x", 3, message[50:], total(len(message)), "WARC-Truncated: time"),
		piece("y", 1, message, total(len(message))))
	b := archiveOf(t, "b.warc", piece("x", 2, message[20:50]), piece("x", 1, message[:20], "WARC-Payload-Digest: "+
		sum("what the tide brings")))
	found := segmentsOf(t, a, b)
	r := newReader(t, archive.Options{})
	for _, id := range []string{"x", "y", "x"} {
		c := read(t, r, Join(found[id]))
		if c == nil || string(c.Body) != "what the tide brings" || c.Status != 200 || len(c.Flags) > 0 ||
			c.URL != "http://example.org/"+id {
			t.Errorf("%s: %+v", id, c)
		}
		if id == "x" && (c.Truncated != "time" || c.Origin.File != b || c.Origin.Offset != found["x"][2].Offset ||
			c.Digest != sum("what the tide brings")) {
			t.Errorf("truncated %q, origin %+v, digest %s", c.Truncated, c.Origin, c.Digest)
		}
	}
	want := schemas.Counts{Captures: 3, BodyBytes: 60}
	if diff := cmp.Diff(want, r.Counts()); diff != "" || len(r.rejects) > 0 {
		t.Errorf("rejects %v, counts (-want +got):\n%s", r.rejects, diff)
	}
}

func TestReader_flags(t *testing.T) {
	message := httpHead + strings.Repeat("tide ", 20)
	first, rest := message[:60], message[60:]
	tests := []struct {
		name    string
		records []string
		o       archive.Options
		body    int
		flags   []schemas.Flag
	}{
		{
			"digest of a block",
			[]string{piece("x", 1, first), strings.Replace(piece("x", 2, rest, total(len(message))), "tide", "Tide", 1)},
			archive.Options{},
			100,
			[]schemas.Flag{schemas.FlagBlock},
		},
		{
			"digest of the payload",
			[]string{
				piece("x", 1, first, "WARC-Payload-Digest: "+sum(message[46:60])),
				piece("x", 2, rest, total(len(message))),
			},
			archive.Options{},
			100,
			[]schemas.Flag{schemas.FlagPayload},
		},
		{
			"unknown digest",
			[]string{piece("x", 1, first), strings.Replace(piece("x", 2, rest, total(len(message))), "sha1:", "sum:", 1)},
			archive.Options{},
			100,
			[]schemas.Flag{schemas.FlagUnchecked},
		},
		{
			"the rest is missing",
			[]string{piece("x", 1, first)},
			archive.Options{},
			15,
			[]schemas.Flag{schemas.FlagPartial, schemas.FlagSegment},
		},
		{
			"the file ends inside",
			[]string{piece("x", 1, first), piece("x", 2, rest, total(len(message)))[:400]},
			archive.Options{},
			-1,
			[]schemas.Flag{schemas.FlagPartial, schemas.FlagSegment, schemas.FlagBlock},
		},
		{
			"limit of the body",
			[]string{piece("x", 1, first), piece("x", 2, rest, total(len(message)))},
			archive.Options{MaxBody: 50},
			50,
			[]schemas.Flag{schemas.FlagBody},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newReader(t, tt.o)
			c := read(t, r, Join(segmentsOf(t, archiveOf(t, "a.warc", tt.records...))["x"]))
			if c == nil || !slices.Equal(c.Flags, tt.flags) || tt.body >= 0 && len(c.Body) != tt.body {
				t.Errorf("Read = %d bytes, flags %v; want %d, %v", len(c.Body), c.Flags, tt.body, tt.flags)
			}
		})
	}
}

// TestReader_longBlock: bytes beyond the limit are not kept, but counted.
func TestReader_longBlock(t *testing.T) {
	part := strings.Repeat("0123456789abcdef", 1<<16) // 1 MiB
	name := archiveOf(t, "a.warc", piece("x", 1, httpHead+part), piece("x", 2, part),
		piece("x", 3, part, total(3<<20+len(httpHead))))
	r := newReader(t, archive.Options{MaxBody: 1 << 20})
	p := Join(segmentsOf(t, name)["x"])
	p.Parts[2].File = "not read"
	c := read(t, r, p)
	if len(c.Body) != 1<<20 || !slices.Equal(c.Flags, []schemas.Flag{schemas.FlagBody}) {
		t.Errorf("%d bytes, flags %v; want %d and body", len(c.Body), c.Flags, 1<<20)
	}
}

// TestReader_otherTypes: a request in segments is joined and is not a capture, and its segments are not rejects.
func TestReader_otherTypes(t *testing.T) {
	request := strings.Replace(piece("x", 1, "GET / HT"), "response", "request", 1)
	r := newReader(t, archive.Options{})
	if c := read(t, r, Join(segmentsOf(t,
		archiveOf(t, "a.warc", request, piece("x", 2, "TP/1.1\r\n\r\n", total(18))))["x"])); c != nil || len(r.rejects) > 0 {
		t.Errorf("capture %v, rejects %v; want none", c, r.rejects)
	}
}

func TestReader_rejectsWhatIsNotUsed(t *testing.T) {
	name := archiveOf(t, "a.warc", piece("x", 1, httpHead), piece("x", 3, "c"), piece("x", 1, httpHead),
		piece("y", 2, "b"))
	found := segmentsOf(t, name)
	r := newReader(t, archive.Options{})
	read(t, r, Join(found["x"]))
	if c := read(t, r, Join(found["y"])); c != nil {
		t.Errorf("a capture without its first segment: %+v", c)
	}
	var got []string
	for _, j := range r.rejects {
		got = append(got, fmt.Sprint(j.Record, " ", j.Length == j.Lost, " ", j.Kind, " ",
			strings.ReplaceAll(j.Message, name, "F")))
	}
	want := []string{
		"x false segment segment 1 stands at byte 0 of F, too, and was taken from there",
		"x true segment segment 3 of a record whose segment 2 is not there",
		"y true segment segment 2 of a record whose first segment is not there",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rejects (-want +got):\n%s", diff)
	}
	if n := r.Counts(); n.Rejects != 3 || n.BytesLost != r.rejects[1].Length+r.rejects[2].Length {
		t.Errorf("counts %+v", n)
	}
}

// TestReader_goneRecord: where a record is not found again, the body ends.
func TestReader_goneRecord(t *testing.T) {
	name := archiveOf(t, "a.warc", piece("x", 1, httpHead+"a"), piece("x", 2, "b"),
		piece("x", 3, "c", total(len(httpHead)+3)))
	found := segmentsOf(t, name)["x"]
	for what, change := range map[string]func(s *schemas.Segment){
		"no record there":         func(s *schemas.Segment) { s.Offset += 3 },
		"another segment there":   func(s *schemas.Segment) { s.Offset = found[2].Offset },
		"another record there":    func(s *schemas.Segment) { s.OriginID = "y" },
		"not so many in a member": func(s *schemas.Segment) { s.Sequence = 1 },
	} {
		p := Join(found)
		change(&p.Parts[1])
		r := newReader(t, archive.Options{})
		c := read(t, r, p)
		if string(c.Body) != "a" || !slices.Equal(c.Flags, []schemas.Flag{schemas.FlagPartial, schemas.FlagSegment}) ||
			len(r.rejects) != 2 {
			t.Errorf("%s: body %q, flags %v, rejects %v", what, c.Body, c.Flags, r.rejects)
		}
	}
	r := newReader(t, archive.Options{})
	r.plans = []Plan{{Parts: []schemas.Segment{{File: name + ".not", Number: 1}}}}
	if _, err := r.Next(t.Context()); err == nil {
		t.Error("a file that is gone is no error")
	}
}

// TestReader_searchIsBounded: segments after each other in one member, asked for backwards, do not cost a pass each.
func TestReader_searchIsBounded(t *testing.T) {
	const n = 150
	filler := fmt.Sprintf("WARC/1.1\r\nWARC-Type: metadata\r\nContent-Length: %d\r\n\r\n", 1<<20)
	var b strings.Builder
	b.WriteString(filler)
	noise := sum("seed")
	for b.Len() < 1<<20+len(filler) { // does not compress
		noise = sum(noise)
		b.WriteString(noise)
	}
	records := []string{b.String()[:1<<20+len(filler)] + "\r\n\r\n"}
	for i := range n {
		records = append(records, piece(fmt.Sprint("x", i), 1, httpHead, total(len(httpHead))))
	}
	found := segmentsOf(t, archiveOf(t, "a.warc.gz", records...))
	r := newReader(t, archive.Options{})
	for i := range n {
		read(t, r, Join(found[fmt.Sprint("x", n-1-i)]))
	}
	limit := budget(r.file.Size())
	for _, spent := range r.spent {
		if spent > limit+r.file.Size() {
			t.Errorf("%d bytes were read, with a limit of %d", spent, limit)
		}
	}
	if len(r.rejects) == 0 || len(r.rejects) > n-10 {
		t.Errorf("%d of %d segments rejected; want some", len(r.rejects), n)
	}
	r = newReader(t, archive.Options{})
	for i := range n {
		read(t, r, Join(found[fmt.Sprint("x", i)]))
	}
	if len(r.rejects) > 0 {
		t.Errorf("in the order of the file, %d segments rejected", len(r.rejects))
	}
}
