package archive

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/stream/member"
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
	r, err := NewReader(src, in, f, o)
	if err != nil {
		t.Fatalf("NewReader: %v", err)
	}
	defer r.Close()
	for item, err := range r.All() {
		if err != nil {
			t.Fatalf("Next: %v", err)
		}
		if item.Reject != nil {
			l.rejects = append(l.rejects, *item.Reject)
			continue
		}
		c := item.Capture
		line := fmt.Sprintf("%s %x %v", c.URL, sha1.Sum(c.Body), c.Flags)
		l.captures = append(l.captures, line)
		l.full = append(l.full, fmt.Sprintf("%s %s %+v", line, c.RecordID, c.Origin))
	}
	l.counts = r.Counts()
	if at := r.NextStart(); at != in.End {
		t.Errorf("arrived at %d, want the range's end %d", at, in.End)
	}
	records, ok := r.reader.(*recordReader)
	if !ok {
		return l // of an archive within a file, whose own reader has been looked at
	}
	s := records.records.Stats()
	if n := s.Delivered + s.Structure + s.Lost; n != in.End-in.Start || l.counts.BytesRead != n {
		t.Errorf("%d delivered + %d structure + %d lost = %d, BytesRead %d, want %d", s.Delivered, s.Structure, s.Lost, n,
			l.counts.BytesRead, in.End-in.Start)
	}
	checkRejects(t, in, l)
	return l
}

func checkRejects(t testing.TB, in Input, l listing) {
	t.Helper()
	lost := int64(0)
	for _, r := range l.rejects {
		lost += r.Lost
		if r.File != in.Name || r.Kind == "" || r.Message == "" || r.Offset < in.Start || r.Offset+r.Length > in.Size ||
			r.Lost > r.Length {
			t.Errorf("reject %+v of range %+v", r, in)
		}
	}
	if lost != l.counts.BytesLost || l.counts.Rejects != int64(len(l.rejects)) {
		t.Errorf("rejects hold %d bytes in %d, counts say %d in %d", lost, len(l.rejects), l.counts.BytesLost,
			l.counts.Rejects)
	}
}

func readBytes(t testing.TB, data []byte, f Format) listing {
	t.Helper()
	size := int64(len(data))
	return readRange(t, bytes.NewReader(data), Input{Name: "made", Size: size, End: size}, f, Options{})
}

// delivery is a record as it was delivered, of any type.
type delivery struct {
	text           string // URL, hash of head and block, flags
	offset, length int64
	ordinal        int
}

// readRecords reads the records of all of src. Where their heads were written in the usual form, the hash is that of
// the record's bytes up to the end of its block.
func readRecords(t testing.TB, src io.ReaderAt, size int64, f Format) (all []delivery, losses []record.Loss) {
	t.Helper()
	r, err := record.NewReader(src, member.Range{End: size, Size: size}, f.Compression, f.grammar(), record.Options{})
	if err != nil {
		t.Fatalf("NewReader: %v", err)
	}
	defer r.Close()
	for {
		rec, loss, err := r.Step()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("Step: %v", err)
		}
		if loss != nil {
			losses = append(losses, *loss)
			continue
		}
		all = append(all, delivery{text: recordText(rec, f), offset: rec.Offset, length: rec.Length, ordinal: rec.Ordinal})
	}
	if s := r.Stats(); s.Delivered+s.Structure+s.Lost != size || s.Records != int64(len(all)) {
		t.Errorf("%+v does not add up to %d bytes, %d records", s, size, len(all))
	}
	return all, losses
}

func recordText(rec *record.Record, f Format) string {
	sum := sha1.New()
	put := func(parts ...[]byte) {
		for _, p := range parts {
			_, _ = sum.Write(p) // a hash does not fail
		}
	}
	if f.Name == "arc" {
		url, _, _ := bytes.Cut(rec.Head.Line, []byte(" "))
		put(rec.Head.Line, []byte("\n"), rec.Block)
		return fmt.Sprintf("%s %x %v", url, sum.Sum(nil), rec.Flags)
	}
	crlf := []byte("\r\n")
	put(rec.Head.Line, crlf)
	for _, field := range rec.Head.Fields {
		put(field.Name, []byte(": "), field.Value, crlf)
	}
	put(crlf, rec.Block)
	return fmt.Sprintf("%s %x %v", rec.Head.Get("WARC-Target-URI"), sum.Sum(nil), rec.Flags)
}

// readRanges reads the ranges that begin at starts one after the other.
func readRanges(t testing.TB, src io.ReaderAt, size int64, f Format, starts []int64) (l listing) {
	t.Helper()
	for i, start := range starts {
		end := size
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		part := readRange(t, src, Input{Name: "made", Size: size, Start: start, End: end}, f, Options{Borrow: true})
		l.full = append(l.full, part.full...)
		l.rejects = append(l.rejects, part.rejects...)
		l.counts.Add(part.counts)
	}
	return l
}

// checkSplit compares reading in the ranges that Starts gives with reading at once and returns how many there were.
func checkSplit(t testing.TB, src io.ReaderAt, size int64, whole listing, f Format, every int64) int {
	t.Helper()
	starts, err := Starts(src, size, every, f)
	if err != nil {
		t.Fatalf("Starts: %v", err)
	}
	checkRanges(t, src, size, whole, f, starts)
	return len(starts)
}

// checkRanges compares reading in ranges, with borrowed bodies, with reading at once: captures, rejects, their order,
// counts.
func checkRanges(t testing.TB, src io.ReaderAt, size int64, whole listing, f Format, starts []int64) {
	t.Helper()
	l := readRanges(t, src, size, f, starts)
	if !slices.Equal(whole.full, l.full) {
		t.Errorf("captures of the ranges from %d differ (-whole +split):\n%s", starts, cmp.Diff(whole.full, l.full))
	}
	if !slices.Equal(whole.rejects, l.rejects) {
		t.Errorf("rejects of the ranges from %d differ (-whole +split):\n%s", starts, cmp.Diff(whole.rejects, l.rejects))
	}
	if diff := cmp.Diff(whole.counts, l.counts); diff != "" {
		t.Errorf("counts of the ranges from %d differ (-whole +split):\n%s", starts, diff)
	}
}
