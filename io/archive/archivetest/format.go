package archivetest

import (
	"bytes"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
)

// Format is a format that is written.
type Format struct {
	Name    string // of archive.Outputs
	Reads   string // format that Detect returns for its files, such as "warc+gzip"
	Single  bool   // a file is one capture, so files cannot be concatenated
	Options dump.WriteOptions
	Refuses []string // URLs of Samples that the format cannot hold
}

// TestFormat checks that files of f's writer are read again. Captures are the same and in order, except for fields that
// the writer reports as dropped. Writing again gives the same bytes. Empty, concatenated and damaged files are read
// properly, and each file passes [Test].
func TestFormat(t *testing.T, f Format) {
	t.Helper()
	t.Run("round trip", f.testRoundTrip)
	t.Run("same bytes", f.testSameBytes)
	t.Run("empty", f.testEmpty)
	t.Run("joined", f.testJoined)
	t.Run("contract", f.testContract)
	t.Run("hostile", f.testHostile)
}

// samples returns the Samples that the format holds, and checks that it refuses the others.
func (f Format) samples(t *testing.T) []*schemas.Capture {
	t.Helper()
	return slices.DeleteFunc(Samples(), func(c *schemas.Capture) bool {
		if !slices.Contains(f.Refuses, c.URL) {
			return false
		}
		w, err := archive.NewWriter(f.Name, &Memory{}, f.Options)
		if err != nil {
			t.Fatal(err)
		}
		// A new writer, because a refusal must not depend on earlier captures.
		if err := w.Write(c); !errors.Is(err, dump.ErrRefused) {
			t.Errorf("Write(%s) = %v, want %v", c.URL, err, dump.ErrRefused)
		}
		return true
	})
}

// write writes the captures and returns the files and the dropped fields.
func (f Format) write(t *testing.T, list ...*schemas.Capture) (*Memory, map[string]int64) {
	t.Helper()
	m := &Memory{}
	w, err := archive.NewWriter(f.Name, m, f.Options)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		if err := w.Write(c); err != nil {
			t.Fatalf("Write(%s): %v", c.URL, err)
		}
	}
	// Some formats write their index or footer only here.
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return m, w.Drops()
}

// read returns the captures of a file, after checking its detected format.
func (f Format) read(t *testing.T, name string, b []byte) (list []*schemas.Capture) {
	t.Helper()
	size := int64(len(b))
	told, err := archive.Detect(name, bytes.NewReader(b), size)
	if err != nil || told.String() != f.Reads {
		t.Fatalf("Detect(%s) = %v, %v; want %s", name, told, err, f.Reads)
	}
	in := archive.Input{Name: name, Size: size, End: size}
	r, err := archive.NewReader(bytes.NewReader(b), in, told, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for item, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		if item.Capture == nil {
			t.Errorf("%s: rejected: %+v", name, item.Reject)
			continue
		}
		list = append(list, item.Capture)
	}
	return list
}

// testRoundTrip writes each sample by itself, to know its dropped fields, and then all samples.
func (f Format) testRoundTrip(t *testing.T) {
	// All samples together must keep the order of the single ones.
	var order []string
	for _, c := range f.samples(t) {
		// Alone, so that the dropped fields are those of this sample.
		m, drops := f.write(t, c)
		var got []*schemas.Capture
		for _, name := range m.Names {
			got = append(got, f.read(t, name, m.Files[name])...)
		}
		// A copy: dropped fields are removed from it, not from the sample.
		want := *c
		if f.Options.StatusLine && want.Status == 0 {
			want.Status = http.StatusOK // as the option says
		}
		for field := range drops {
			without(t, &want, field)
		}
		// The reader sets these.
		ignored := []string{"Origin", "RecordID", "Digest", "Flags"}
		if drops["record_type"] > 0 {
			ignored = append(ignored, "RecordType")
		}
		if drops["truncated"] > 0 {
			ignored = append(ignored, "Truncated")
		}
		ignore := cmpopts.IgnoreFields(schemas.Capture{}, ignored...)
		// EquateEmpty, because formats do not distinguish a missing header from an empty one; times may lose fractions.
		if diff := cmp.Diff([]*schemas.Capture{&want}, got, ignore, cmpopts.EquateEmpty(),
			cmpopts.EquateApproxTime(time.Second)); diff != "" {
			t.Errorf("%s: what comes back differs by more than %v, which was said to be dropped (-written +read):\n%s", c.URL,
				drops, diff)
		}
		// A repeated or missing sample would fail the comparison below.
		for _, c := range got {
			order = append(order, c.URL)
		}
	}
	m, _ := f.write(t, f.samples(t)...)
	var all []string
	for _, name := range m.Names {
		for _, c := range f.read(t, name, m.Files[name]) {
			all = append(all, c.URL)
		}
	}
	if diff := cmp.Diff(order, all); diff != "" {
		t.Errorf("written together, the captures come back as (-want +got):\n%s", diff)
	}
}

// without removes a dropped field from c.
func without(t *testing.T, c *schemas.Capture, field string) {
	t.Helper()
	// Drops of crawl fields are named crawl.NAME.
	prefix, name, _ := strings.Cut(field, ".")
	switch prefix {
	case "timestamp":
		c.Timestamp = time.Time{}
	// These are not compared.
	case "record_id", "record_type", "truncated":
	case "ip":
		c.IP = ""
	case "status":
		c.Status = 0
	case "header":
		c.Header = nil
	case "header_lines":
		// Formats with one value for each name join values as RFC 9110 section 5.3 allows.
		c.Header = joined(c.Header)
	case "mime_declared":
		c.MIMEDeclared = ""
	case "body":
		// Text formats replace bytes that are not UTF-8.
		c.Body = []byte(strings.ToValidUTF8(string(c.Body), "\uFFFD"))
	case "url":
		// A format with one URL keeps the requested one.
		c.URL = c.RequestedURL()
		delete(c.Crawl, schemas.CrawlRequested)
	case "crawl":
		delete(c.Crawl, name)
	// An unknown name is a mistake in the format's drops, which users read.
	default:
		t.Errorf("%s was dropped, which is no field", field)
	}
}

// joined joins fields of the same name.
func joined(fields []schemas.Field) (list []schemas.Field) {
	for _, f := range fields {
		i := slices.IndexFunc(list, func(have schemas.Field) bool { return have.Name == f.Name })
		if i < 0 {
			list = append(list, f)
		} else {
			list[i].Value += "," + f.Value
		}
	}
	return list
}

func (f Format) testSameBytes(t *testing.T) {
	first, _ := f.write(t, f.samples(t)...)
	second, _ := f.write(t, f.samples(t)...)
	// Names as well: a random or timed name would make a rerun write another file.
	if len(first.Names) == 0 || !slices.Equal(first.Names, second.Names) ||
		!maps.EqualFunc(first.Files, second.Files, bytes.Equal) {
		t.Errorf("two writings of the same captures differ, or wrote nothing: %v and %v", first.Names, second.Names)
	}
}

func (f Format) testEmpty(t *testing.T) {
	m, drops := f.write(t)
	// A file without captures may have a head or a footer. It must be read as empty, not as damaged.
	for name, b := range m.Files {
		if list := f.read(t, name, b); len(list) > 0 {
			t.Errorf("no captures were written, and %s has %d", name, len(list))
		}
	}
	if len(drops) > 0 {
		t.Errorf("no captures were written, and %v dropped", drops)
	}
}

// testJoined reads a file twice concatenated.
func (f Format) testJoined(t *testing.T) {
	if f.Single {
		t.Skip("a file is one capture")
	}
	m, _ := f.write(t, f.samples(t)...)
	// People concatenate gzip and WARC files by cat.
	name := m.Names[0]
	once := len(f.read(t, name, m.Files[name]))
	twice := len(f.read(t, name, slices.Concat(m.Files[name], m.Files[name])))
	if once == 0 || twice != 2*once {
		t.Errorf("a file holds %d captures, and %d when it is joined to itself", once, twice)
	}
}

func (f Format) testContract(t *testing.T) {
	// Written files must keep the reader's contract, too.
	m, _ := f.write(t, f.samples(t)...)
	for _, name := range m.Names {
		b := m.Files[name]
		Test(t, Archive{Name: name, Bytes: b, Captures: len(f.read(t, name, b))})
	}
}

// testHostile overwrites bytes with hostile numbers, lengths and signs, all over the files.
func (f Format) testHostile(t *testing.T) {
	// Only three samples, because each file is read 31 times for each kind of damage.
	m, _ := f.write(t, f.samples(t)[:3]...)
	// Damage to the magic must not end the test early, so the format is not detected.
	format, err := archive.ParseFormat(f.Reads)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range m.Names {
		for at := 0; at < len(m.Files[name]); at += max(1, len(m.Files[name])/31) {
			// Lengths that overflow in binary and in decimal, an array of 2^63-1 items in CBOR, and signs that open or
			// end a value.
			for _, bad := range []string{
				"\xff\xff\xff\xff\xff\xff\xff\xff", "99999999999999999999", "\x00",
				"\x9b\x7f\xff\xff\xff\xff\xff\xff\xff", "\"", "\n", "{[",
			} {
				b := bytes.Clone(m.Files[name])
				// The file keeps its length, so that every byte is accounted for.
				copy(b[at:], bad)
				if err := exhaust(name, b, format); err != nil {
					t.Fatalf("%s with %q at %d: %v", name, bad, at, err)
				}
			}
		}
	}
}

var errAccount = errors.New("the bytes of the file are not all accounted for")

// exhaust reads all of a file, damaged or not.
func exhaust(name string, b []byte, f archive.Format) error {
	size := int64(len(b))
	r, err := archive.NewReader(bytes.NewReader(b), archive.Input{Name: name, Size: size, End: size}, f,
		// A small limit, so that trusting a length shows in memory.
		archive.Options{MaxBody: 1 << 20})
	if err != nil {
		return err
	}
	defer r.Close()
	for _, err := range r.All() {
		if err != nil {
			return err
		}
	}
	// Each byte is read once; no more bytes can be lost.
	if c := r.Counts(); c.BytesRead != size || c.BytesLost > size {
		return errAccount
	}
	return nil
}
