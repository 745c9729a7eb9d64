package damage

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"os"

	reading "github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/schemas"
)

// Document is what a reader delivered. It is identified by its URL, which is unique in a case.
type Document struct {
	URL, SHA1 string
	Size      int  // bytes of the body
	Flagged   bool // the reader says that something is wrong with it
}

// Score says how well a file was read.
// What damage touched cannot be asked for; what it did not touch can.
type Score struct {
	Untouched, Delivered int // pages that no damage touched, and those of them that were delivered with the right body
	Touched, Saved       int // likewise of those that damage touched
	Wrong                int // documents with a page's URL, another body and no flag
	// Unknowable are wrong documents that no reader can detect: the page has no digest, is in an uncompressed file, and
	// the body has its old length.
	Unknowable int
	Flagged    int // documents with the right body and a flag
}

// Add adds o to s.
func (s *Score) Add(o Score) {
	s.Untouched += o.Untouched
	s.Delivered += o.Delivered
	s.Touched += o.Touched
	s.Saved += o.Saved
	s.Wrong += o.Wrong
	s.Unknowable += o.Unknowable
	s.Flagged += o.Flagged
}

// Score compares what a reader delivered with the file's pages. Note, which may be nil, is called for each miss.
// Whether a body is right is recognised by its SHA-1. A document
// of no page, as of a record inside a page, is not counted.
func (f *File) Score(docs []Document, note func(string)) Score {
	if note == nil {
		note = func(string) {}
	}
	var s Score
	pages := map[string]*Page{}
	for i := range f.Pages {
		pages[f.Pages[i].URL] = &f.Pages[i]
	}
	right := map[string]bool{}
	// A page may be delivered twice, and counts once.
	for _, d := range docs {
		p := pages[d.URL]
		switch {
		// It may be of a request, or of an archive that a page holds.
		case p == nil:
		case d.SHA1 == p.SHA1:
			right[d.URL] = true
			if d.Flagged {
				s.Flagged++
			}
		// Wrong, but the reader says so.
		case d.Flagged:
		// No reader could know that bytes of the same number are others.
		case !p.Checked && p.Touched && d.Size == p.Size:
			s.Unknowable++
		default:
			s.Wrong++
			note(fmt.Sprintf("wrong without a flag: %s at %d to %d, touched %v, %d bytes for %d",
				p.URL, p.From, p.To, p.Touched, d.Size, p.Size))
		}
	}
	// Pages that were not delivered are found here.
	for _, p := range f.Pages {
		switch ok := right[p.URL]; {
		case p.Touched:
			s.Touched++
			s.Saved += count(ok)
		default:
			s.Untouched++
			s.Delivered += count(ok)
			if !ok {
				note(fmt.Sprintf("untouched and not delivered: %s at %d to %d", p.URL, p.From, p.To))
			}
		}
	}
	return s
}

// count is 1 for yes.
func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// Reading is what reading a file gave.
type Reading struct {
	Documents []Document
	Counts    schemas.Counts
	Rejects   []schemas.Reject
	// Faults are errors of the accounting: unread bytes, losses with a wrong sum.
	Faults []string
}

// Read reads a file in units of size bytes.
// It reads as a run does, with units and suspects, and without the rest.
func Read(ctx context.Context, path string, size int64) (got *Reading, err error) {
	s := blob.New(blob.Options{})
	defer s.Close()
	files, err := work.Files(ctx, s, []string{path}, nil, size)
	if err != nil {
		return nil, err
	}
	// A unit's beginning is found again in the midst of the file, which is what small sizes are for.
	units, err := work.Plan(ctx, s, files, size)
	if err != nil {
		return nil, err
	}
	var suspects reading.Suspects
	// It ends, because the set of suspects only grows and is bounded.
	for known := -1; known < suspects.Len(); { // again, when members turned out to be damaged that captures came of
		known = suspects.Len()
		got = &Reading{}
		if err := got.units(ctx, s, units, &suspects); err != nil {
			return nil, err
		}
	}
	got.account(path)
	return got, nil
}

// units reads all units once. The caller drops the results of an earlier round.
func (g *Reading) units(ctx context.Context, s *blob.Store, units []schemas.Unit, suspects *reading.Suspects) error {
	for _, u := range units {
		r := work.NewReader(s, u, reading.Options{Suspects: suspects})
		for item, err := range r.All(ctx) {
			if err != nil {
				return err
			}
			if item.Reject != nil {
				g.Rejects = append(g.Rejects, *item.Reject)
				continue
			}
			c := item.Capture
			sum := sha1.Sum(c.Body)
			// Any flag counts: it tells a user to be careful.
			g.Documents = append(g.Documents, Document{c.URL, hex.EncodeToString(sum[:]), len(c.Body), len(c.Flags) > 0})
		}
		g.Counts.Add(r.Counts())
	}
	return nil
}

// account checks the sums.
// Every byte has to be read once, and every byte that is lost has to be in a reject.
func (g *Reading) account(path string) {
	info, err := os.Stat(path)
	if err != nil {
		g.Faults = append(g.Faults, err.Error())
	} else if g.Counts.BytesRead != info.Size() {
		g.Faults = append(g.Faults, fmt.Sprintf("%d bytes read of %d", g.Counts.BytesRead, info.Size()))
	}
	var lost int64
	for _, r := range g.Rejects {
		lost += r.Lost
	}
	if lost != g.Counts.BytesLost {
		g.Faults = append(g.Faults, fmt.Sprintf("rejects of %d bytes, %d lost", lost, g.Counts.BytesLost))
	}
}
