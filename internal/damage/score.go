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

// Document is what a reader returned. Its URL, unique in a case, identifies it.
type Document struct {
	URL, SHA1 string
	Size      int  // bytes of the body
	Flagged   bool // the reader reports a problem with it
}

// Score measures how well a file was read. Only untouched pages can be expected.
type Score struct {
	Untouched, Delivered int // untouched pages, and how many were delivered with the right body
	Touched, Saved       int // the same for touched pages
	Wrong                int // documents with a page's URL, another body and no flag
	// Unknowable are wrong documents that no reader can detect: the page has no digest, the file is uncompressed, and
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

// Score compares delivered documents with the file's pages, by SHA-1. It calls note, unless nil, for each miss. It
// ignores documents of no page, as from an archive within a page.
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
	// A page that was delivered twice counts once.
	for _, d := range docs {
		p := pages[d.URL]
		switch {
		// A request, or an archive within a page.
		case p == nil:
		case d.SHA1 == p.SHA1:
			right[d.URL] = true
			if d.Flagged {
				s.Flagged++
			}
		case d.Flagged:
		// No reader could notice that equally many bytes have changed.
		case !p.Checked && p.Touched && d.Size == p.Size:
			s.Unknowable++
		default:
			s.Wrong++
			note(fmt.Sprintf("wrong without a flag: %s at %d to %d, touched %v, %d bytes for %d",
				p.URL, p.From, p.To, p.Touched, d.Size, p.Size))
		}
	}
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

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// Reading is the result of reading a file.
type Reading struct {
	Documents []Document
	Counts    schemas.Counts
	Rejects   []schemas.Reject
	// Faults are errors in the accounts: unread bytes, or losses with a wrong sum.
	Faults []string
}

// Read reads a file in units of size bytes, as a run does, with suspects.
func Read(ctx context.Context, path string, size int64) (got *Reading, err error) {
	s := blob.New(blob.Options{})
	defer s.Close()
	files, err := work.Files(ctx, s, []string{path}, nil, size)
	if err != nil {
		return nil, err
	}
	// Small units test that a reader finds the start of a unit within the file.
	units, err := work.Plan(ctx, s, files, size)
	if err != nil {
		return nil, err
	}
	var suspects reading.Suspects
	// It ends, because the suspects only grow and are bounded.
	for known := -1; known < suspects.Len(); { // repeat after captures of members that proved damaged
		known = suspects.Len()
		got = &Reading{}
		if err := got.units(ctx, s, units, &suspects); err != nil {
			return nil, err
		}
	}
	got.account(path)
	return got, nil
}

// units reads all units once.
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
			// Any flag is a warning.
			g.Documents = append(g.Documents, Document{c.URL, hex.EncodeToString(sum[:]), len(c.Body), len(c.Flags) > 0})
		}
		g.Counts.Add(r.Counts())
	}
	return nil
}

// account checks the totals: every byte is read once, and every lost byte is in a reject.
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
