// Package archivetest tests what every archive format must fulfil: the contract of [archive.Reader] and, for formats
// that are written, of [codec.Writer].
//
//	func TestReader_contract(t *testing.T) {
//		capturetest.Test(t, capturetest.Archive{Name: "site.warc.gz", Bytes: b, Captures: 31})
//	}
//
//	func TestFormats(t *testing.T) {
//		capturetest.TestFormat(t, capturetest.Format{Name: "ache-files", Reads: "ache-json"})
//	}
package archivetest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/schemas"
)

// Archive is an undamaged archive, whole in memory.
type Archive struct {
	Name     string // for the captures' origins and for failures
	Bytes    []byte
	Captures int // number of captures
}

// Test checks that a's format is detected by its content and that its reader keeps the contract. Captures are in order
// and owned by the receiver; every byte and item is accounted for. The captures of ranges together are the file's. A
// truncated archive is read up to its end. A failing file is an error, not damage.
func Test(t *testing.T, a Archive) {
	t.Helper()
	f, err := archive.Detect(a.Name, bytes.NewReader(a.Bytes), a.size())
	if err != nil {
		t.Fatalf("%s: Detect: %v", a.Name, err)
	}
	// The other tests compare with this reading.
	whole := a.read(t, f, 0, a.size())
	t.Run("counts", func(t *testing.T) { a.testCounts(t, f, whole) })
	t.Run("owned", func(t *testing.T) { a.testOwned(t, f) })
	t.Run("ranges", func(t *testing.T) { a.testRanges(t, f, whole) })
	t.Run("cut", func(t *testing.T) { a.testCut(t, f, whole) })
	t.Run("failing file", func(t *testing.T) { a.testFailingFile(t, f) })
}

func (a Archive) size() int64 { return int64(len(a.Bytes)) }

// print is what readings of a capture are compared by. A length equal to the file's is left out: formats without
// records have it, and truncating the file changes it.
func (a Archive) print(c *schemas.Capture) string {
	length := c.Origin.Length
	if length == a.size() {
		length = 0
	}
	return fmt.Sprintf("%s %s %s %d %v %d+%d/%d %x", c.URL, c.RecordID, c.RecordType, c.Status, c.Flags,
		c.Origin.Offset, length, c.Origin.Sequence, sha256.Sum256(c.Body))
}

// read returns the prints of the captures in [start, end).
func (a Archive) read(t *testing.T, f archive.Format, start, end int64) []string {
	t.Helper()
	in := archive.Input{Name: a.Name, Size: a.size(), Start: start, End: end}
	r, err := archive.NewReader(bytes.NewReader(a.Bytes), in, f, archive.Options{})
	if err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	}
	defer r.Close()
	var prints []string
	var told told
	for item, err := range r.All() {
		if err != nil {
			t.Fatalf("%s, bytes %d to %d: %v", a.Name, start, end, err)
			// The test goes on after such a mistake, because other checks are useful, too.
		}
		if why := told.add(item); why != "" {
			t.Errorf("%s, bytes %d to %d: %s", a.Name, start, end, why)
		}
		if item.Capture != nil {
			prints = append(prints, a.print(item.Capture))
		}
	}
	counts := r.Counts()
	// Padding and damage count as well.
	if n := counts.BytesRead; n != end-start {
		t.Errorf("%s, bytes %d to %d: %d bytes are accounted for", a.Name, start, end, n)
	}
	// Manifests contain these counts.
	if told.captures != counts.Captures || told.rejects != counts.Rejects || told.lost != counts.BytesLost {
		t.Errorf("%s, bytes %d to %d: counted %+v, and told %+v", a.Name, start, end, counts, told)
	}
	return prints
}

// told sums up the items of a reading.
type told struct {
	captures, rejects, lost int64
	capture, reject         int64 // offsets of the last ones
}

// add adds an item, and returns its faults.
func (n *told) add(item archive.Item) string {
	c, r := item.Capture, item.Reject
	switch {
	// Exactly one of the two must be set, and segments are joined before a reader returns captures.
	case (c == nil) == (r == nil) || item.Segment != nil:
		return fmt.Sprintf("an item is %+v, and not one capture or one reject", item)
	case r != nil:
		n.rejects, n.lost = n.rejects+1, n.lost+r.Lost
		// Ordered within each kind: a reject may follow a capture that begins after it.
		if r.Offset < n.reject {
			return fmt.Sprintf("the reject at byte %d comes behind that at byte %d", r.Offset, n.reject)
		}
		n.reject = r.Offset
	default:
		n.captures++
		// Several captures may be of one record, so equal offsets are valid.
		if c.Origin.Offset < n.capture {
			return fmt.Sprintf("the capture at byte %d comes behind that at byte %d", c.Origin.Offset, n.capture)
		}
		n.capture = c.Origin.Offset
	}
	return ""
}

func (a Archive) testCounts(t *testing.T, f archive.Format, whole []string) {
	// An archive without captures would pass everything else.
	if len(whole) != a.Captures || a.Captures == 0 {
		t.Errorf("%d captures, want %d and more than none", len(whole), a.Captures)
	}
	// Captures must not depend on chance or on an earlier reading.
	if diff := cmp.Diff(whole, a.read(t, f, 0, a.size())); diff != "" {
		t.Errorf("the second reading differs (-first +second):\n%s", diff)
	}
}

// testOwned keeps all captures and compares them after the reader has finished with its buffers.
func (a Archive) testOwned(t *testing.T, f archive.Format) {
	r, err := archive.NewReader(bytes.NewReader(a.Bytes), archive.Input{Name: a.Name, Size: a.size(), End: a.size()}, f,
		archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var kept []*schemas.Capture
	var prints []string
	for c, err := range r.Captures() {
		if err != nil {
			t.Fatal(err)
		}
		kept, prints = append(kept, c), append(prints, a.print(c))
	}
	for i, c := range kept {
		if got := a.print(c); got != prints[i] {
			t.Errorf("capture %d was %s and is %s: the reader has written over it", i, prints[i], got)
		}
	}
}

func (a Archive) testRanges(t *testing.T, f archive.Format, whole []string) {
	// A size that divides any file, and two that a run may use.
	for _, every := range []int64{a.size()/7 + 1, 1 << 16, 1 << 20} {
		starts, err := archive.Starts(bytes.NewReader(a.Bytes), a.size(), every, f)
		if err != nil {
			t.Fatal(err)
		}
		// Bytes before the first record must be in a range, so 0 comes first.
		if len(starts) == 0 || starts[0] != 0 || !slices.IsSorted(starts) {
			t.Fatalf("Starts(every %d) = %v; want 0 first, increasing", every, starts)
		}
		var union []string
		for i, start := range starts {
			end := a.size()
			if i+1 < len(starts) {
				end = starts[i+1]
			}
			// The ranges in order give each capture once: a record belongs to the range it begins in.
			union = append(union, a.read(t, f, start, end)...)
		}
		if diff := cmp.Diff(whole, union); diff != "" {
			t.Errorf("the captures of %d ranges differ (-whole +ranges):\n%s", len(starts), diff)
		}
	}
}

// testCut truncates the archive at several positions: items that are complete must be read as before. The number is a
// prime, so that cuts avoid boundaries.
func (a Archive) testCut(t *testing.T, f archive.Format, whole []string) {
	const cuts = 23
	for i := int64(1); i < cuts; i++ {
		cut := Archive{Name: a.Name, Bytes: a.Bytes[:a.size()*i/cuts]}
		got := cut.read(t, f, 0, cut.size())
		// One more is allowed, because the rest of a record may look like another record.
		if len(got) > len(whole)+1 {
			t.Errorf("cut at %d: %d captures of %d", cut.size(), len(got), len(whole))
		}
		for k := range min(len(got)-1, len(whole)) { // the last one may be truncated
			if got[k] != whole[k] {
				t.Errorf("cut at %d: capture %d is %s, want %s", cut.size(), k, got[k], whole[k])
			}
		}
	}
}

var errDisk = errors.New("the disk is gone")

// failing fails reads beyond limit.
type failing struct {
	r     io.ReaderAt
	limit int64
}

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	// A read across the limit returns what precedes it, as a disk does.
	if off >= f.limit {
		return 0, errDisk
	}
	n, err := f.r.ReadAt(p[:min(int64(len(p)), f.limit-off)], off)
	if err == nil && n < len(p) {
		err = errDisk
	}
	return n, err
}

func (a Archive) testFailingFile(t *testing.T, f archive.Format) {
	// The test needs a readable half and another one.
	if a.size() < 2 {
		t.Skip("a file without a second half")
	}
	src := failing{bytes.NewReader(a.Bytes), a.size() / 2}
	r, err := archive.NewReader(src, archive.Input{Name: a.Name, Size: a.size(), End: a.size()}, f, archive.Options{})
	// NewReader may fail already if the format's index is at the end.
	if err == nil {
		defer r.Close()
		for _, err = range r.All() {
			if err != nil {
				break
			}
		}
	}
	// If a disk error passed for damage, a collection would lack captures without a sign.
	if !errors.Is(err, errDisk) {
		t.Errorf("the file's second half cannot be read, and the error is %v", err)
	}
}
