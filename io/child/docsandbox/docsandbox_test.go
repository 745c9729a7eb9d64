package docsandbox

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/child/sandbox"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/reader"
)

func TestMain(m *testing.M) {
	sandbox.Main(misbehave)
	os.Exit(m.Run())
}

// misbehave is Handle, except for special media types, which name a misbehaviour.
func misbehave(mime string, body []byte) []byte {
	switch mime {
	case "test/full":
		return encode(full())
	case "test/loop":
		for i := 0; ; i++ {
			sink = i
		}
	case "test/exit":
		os.Exit(0)
	case "test/short":
		return []byte{0, 0}
	case "test/broken":
		return []byte("\x00\x00\x00\x02{]")
	case "test/overlong":
		return []byte("\x7f\x00\x00\x02{}")
	case "test/huge":
		return make([]byte, 65<<20)
	}
	return Handle(mime, body)
}

var sink int

// full is a document without zero fields.
func full() *doctext.Document {
	return &doctext.Document{
		Text: "Title\n\n<b>\x00\f</b> текст\n", Title: "Title & <more>", Description: "Description",
		Authors:   []string{"Ada", "Боб"},
		Publisher: "Publisher", Tags: []string{"a", "b"}, Created: "2024-01-02", Modified: "2024-01-03T04:05:06Z",
		Language:  "de-AT",
		Generator: "Generator", Pages: 7, Problems: []doctext.Problem{{
			Kind:    doctext.KindDamaged,
			Message: "broken \"here\"",
		}},
	}
}

func newReader(t testing.TB) *Reader {
	t.Helper()
	r, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// TestReader_sameAsInProcess: reading in a child gives the same documents as reading in this process.
func TestReader_sameAsInProcess(t *testing.T) {
	r := newReader(t)
	if diff := cmp.Diff(full(), r.Read("test/full", nil)); diff != "" {
		t.Errorf("a document in which all is there (-want +got):\n%s", diff)
	}
	long := bytes.Repeat([]byte("%PDF-"), reader.MaxBody/4)
	for _, tt := range []struct {
		mime string
		body []byte
	}{
		{"application/pdf", []byte("not a PDF")},
		{"application/pdf", nil},
		{"image/png", []byte("x")},
		{"image/png", long},
	} {
		if len(tt.body) > reader.MaxBody && noHuge {
			continue
		}
		if diff := cmp.Diff(reader.Read(tt.mime, tt.body, doctext.Options{}), r.Read(tt.mime, tt.body)); diff != "" {
			t.Errorf("%s of %d bytes (-in process +in a child):\n%s", tt.mime, len(tt.body), diff)
		}
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
}

// noHuge is true if a child has too little memory to make a document that is too large for a reply.
var noHuge bool

// TestReader_misbehaviour: a document that makes its reader fail has a problem that says so, in the same words each
// time.
func TestReader_misbehaviour(t *testing.T) {
	r := newReader(t)
	tests := []struct{ mime, want string }{
		{"test/exit", "crashed: the process that read it died, twice: of its memory limit or of a fault"},
		{"test/short", "crashed: the process that read it died, twice: of its memory limit or of a fault"},
		{"test/broken", "crashed: the process that read it died, twice: of its memory limit or of a fault"},
		{"test/overlong", "crashed: the process that read it died, twice: of its memory limit or of a fault"},
		{"test/huge", "limit: what was read is larger than what can be passed on"},
		{"test/loop", "timeout: reading was given up after 10 s of processor time"},
	}
	for _, tt := range tests {
		t.Run(tt.mime, func(t *testing.T) {
			if tt.mime == "test/huge" && noHuge {
				t.Skip("under the race detector it takes more memory than a child may have")
			}
			d := r.Read(tt.mime, []byte("x"))
			if got := problems(d); got != tt.want || d.Text != "" {
				t.Errorf("Read(%q) = %s, want %s", tt.mime, got, tt.want)
			}
		})
	}
	if err := r.Err(); err != nil {
		t.Errorf("Err() = %v; want none, since the documents are at fault", err)
	}
}

func problems(d *doctext.Document) string {
	if len(d.Problems) != 1 {
		return fmt.Sprintf("%d problems", len(d.Problems))
	}
	return fmt.Sprintf("%s: %s", d.Problems[0].Kind, d.Problems[0].Message)
}

// TestReader_closed: errors that no document caused are in Err.
func TestReader_closed(t *testing.T) {
	r := newReader(t)
	r.Close()
	d := r.Read("application/pdf", []byte("x"))
	if len(d.Problems) != 1 || r.Err() == nil {
		t.Errorf("problems %v, Err() = %v; want one and an error", d.Problems, r.Err())
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(full()))
	f.Add([]byte("\x00\x00\x00\x02{}text"))
	f.Add([]byte("\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, reply []byte) {
		d, ok := decode(reply)
		if !ok {
			return
		}
		again, ok := decode(encode(d))
		if diff := cmp.Diff(d, again); !ok || diff != "" {
			t.Errorf("decode(encode(%+v)) (-want +got):\n%s", d, diff)
		}
	})
}

func BenchmarkReader(b *testing.B) {
	r := newReader(b)
	body := bytes.Repeat([]byte("no PDF "), 200<<10/7)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		r.Read("image/png", body)
	}
}
