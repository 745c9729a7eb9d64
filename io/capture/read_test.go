package capture

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// listing is what reading an archive gave.
type listing struct {
	captures []string // URL, hash of the body, flags
	full     []string // the same, with record id and origin
	rejects  []schemas.Reject
	counts   schemas.Counts
}

// readRange reads one range and checks what must hold of any: reading ends, every byte is accounted for, every loss
// was reported where it is.
func readRange(t testing.TB, src io.ReaderAt, in Input, f Format, o Options) listing {
	t.Helper()
	var l listing
	o.OnReject = func(r schemas.Reject) { l.rejects = append(l.rejects, r) }
	r, err := NewReader(src, in, f, o)
	if err != nil {
		t.Fatalf("NewReader: %v", err)
	}
	defer r.Close()
	for c, err := range r.All() {
		if err != nil {
			t.Fatalf("Next: %v", err)
		}
		line := fmt.Sprintf("%s %x %v", c.URL, sha1.Sum(c.Body), c.Flags)
		l.captures = append(l.captures, line)
		l.full = append(l.full, fmt.Sprintf("%s %s %+v", line, c.RecordID, c.Origin))
	}
	l.counts = r.Counts()
	s := r.records.Stats()
	if n := s.Delivered + s.Structure + s.Lost; n != in.End-in.Start || l.counts.BytesRead != n {
		t.Errorf("%d delivered + %d structure + %d lost = %d, BytesRead %d, want %d", s.Delivered, s.Structure, s.Lost, n, l.counts.BytesRead, in.End-in.Start)
	}
	checkRejects(t, in, l)
	return l
}

func checkRejects(t testing.TB, in Input, l listing) {
	t.Helper()
	lost := int64(0)
	for _, r := range l.rejects {
		lost += r.Lost
		if r.File != in.Name || r.Kind == "" || r.Message == "" || r.Offset < in.Start || r.Offset+r.Length > in.Size || r.Lost > r.Length {
			t.Errorf("reject %+v of range %+v", r, in)
		}
	}
	if lost != l.counts.BytesLost || l.counts.Rejects != int64(len(l.rejects)) {
		t.Errorf("rejects hold %d bytes in %d, counts say %d in %d", lost, len(l.rejects), l.counts.BytesLost, l.counts.Rejects)
	}
}

func readBytes(t testing.TB, data []byte, f Format) listing {
	t.Helper()
	size := int64(len(data))
	return readRange(t, bytes.NewReader(data), Input{Name: "made", Size: size, End: size}, f, Options{})
}

// readSplit reads the ranges of about every bytes one after the other.
func readSplit(t testing.TB, src io.ReaderAt, name string, size, every int64, f Format) (l listing, ranges int) {
	t.Helper()
	starts, err := Starts(src, size, every, f)
	if err != nil {
		t.Fatalf("Starts: %v", err)
	}
	for i, start := range starts {
		end := size
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		part := readRange(t, src, Input{Name: name, Size: size, Start: start, End: end}, f, Options{})
		l.full = append(l.full, part.full...)
		l.rejects = append(l.rejects, part.rejects...)
		l.counts.Add(part.counts)
	}
	return l, len(starts)
}

// checkSplit compares reading in ranges with reading at once and returns how many ranges there were.
func checkSplit(t testing.TB, src io.ReaderAt, name string, size int64, whole listing, f Format, every int64) int {
	t.Helper()
	l, n := readSplit(t, src, name, size, every, f)
	if diff := cmp.Diff(whole.full, l.full); diff != "" {
		t.Errorf("captures of %d ranges of %d bytes differ (-whole +split):\n%s", n, every, diff)
	}
	if diff := cmp.Diff(losses(whole), losses(l)); diff != "" {
		t.Errorf("rejects of %d ranges of %d bytes differ (-whole +split):\n%s", n, every, diff)
	}
	if diff := cmp.Diff(whole.counts, l.counts); diff != "" {
		t.Errorf("counts of %d ranges of %d bytes differ (-whole +split):\n%s", n, every, diff)
	}
	return n
}

func losses(l listing) []string {
	var all []string
	for _, r := range l.rejects {
		all = append(all, fmt.Sprintf("%s %d", r.Kind, r.Lost))
	}
	slices.Sort(all)
	return all
}
