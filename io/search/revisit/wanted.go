package revisit

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Evidence is the reason why a capture is the original of a revisit: greater is better.
type Evidence int

// The kinds of evidence.
const (
	None       Evidence = iota
	Unmodified          // last response of the URL before a 304 response
	Elsewhere           // the same payload digest at another URL
	SamePage            // the same payload digest at the URL
	Named               // the URL and date that the revisit names, without another digest
	Identified          // the record ID that the revisit names
)

// Columns are the columns that a revisit and its candidates need.
var Columns = []string{
	"url", "surt", "timestamp", "status", "digest", "record_id", "record_type", "refers_to", "flags", "body_bytes",
	"filename", "offset", "length", "sequence",
}

// Wanted describes the capture to which a revisit refers.
type Wanted struct {
	ID         string // of its record; "" if the revisit names none
	URL        string // that the revisit names, or its own
	SURT       string // of URL
	At         time.Time
	Digest     digest.Digest
	Unmodified bool // the response was 304, so the digest is of an empty body
	own        string
	seen       time.Time
	place      Place
}

// Place identifies a capture of a collection.
type Place struct {
	Filename string
	Offset   int64
	Sequence int
}

// PlaceOf returns the place of a document.
func PlaceOf(d *schemas.Document) Place { return Place{d.Filename, d.Offset, d.Sequence} }

// statusNotModified is the status of a revisit with the profile server-not-modified (section 6.7.3 of WARC/1.1).
const statusNotModified = 304

// NotModified reports whether d is the revisit of a 304 response. Its block may be empty, and then only the profile
// says so.
func NotModified(d *schemas.Document) bool {
	return d.Status == statusNotModified ||
		d.RefersTo != nil && strings.HasSuffix(d.RefersTo.Profile, "/server-not-modified")
}

// WantedBy returns what a revisit says about its original.
func WantedBy(d *schemas.Document) Wanted {
	w := Wanted{URL: d.URL, Unmodified: NotModified(d), own: d.SURT, place: PlaceOf(d)}
	// An invalid time is zero, so that no dated capture is before it.
	w.seen, _ = query.ParseTime(d.Timestamp)
	if r := d.RefersTo; r != nil {
		w.ID, w.URL = r.RecordID, cmp.Or(r.URL, d.URL)
		if at, ok := query.ParseTime(r.Timestamp); ok {
			// Whole seconds, as Evidence compares them.
			w.At = at.Truncate(time.Second)
		}
	}
	// Only another URL needs a new key.
	w.SURT = d.SURT
	if w.URL != d.URL {
		w.SURT = urlkey.SURT(w.URL)
	}
	w.Digest, _ = digest.Parse(d.Digest)
	if w.Unmodified && w.Digest.Matches() {
		w.Digest = digest.Digest{} // of the empty body of the 304 response
	}
	return w
}

// Empty reports whether the payload is known to be empty, so that nothing is missing.
func (w *Wanted) Empty() bool { return !w.Unmodified && w.Digest.Matches() }

// Evidence returns why c is the original, or None. A revisit can only be the original by name, and leads to its own
// original.
func (w *Wanted) Evidence(c *schemas.Document) Evidence {
	// A capture is not its own original.
	if PlaceOf(c) == w.place {
		return None
	}
	// Record IDs are unique (section 5.2 of WARC/1.1), so nothing else has to match.
	if w.ID != "" && c.RecordID == w.ID {
		return Identified
	}
	d, err := digest.Parse(c.Digest)
	// Digests of different algorithms cannot be compared.
	comparable := err == nil && w.Digest.Algorithm() == d.Algorithm()
	at, _ := query.ParseTime(c.Timestamp)
	// Indexes and some crawlers have whole seconds. Two captures of one second may be of http and https.
	named := !w.At.IsZero() && c.SURT == w.SURT && at.Truncate(time.Second).Equal(w.At)
	if named && (!comparable || d == w.Digest || w.Unmodified) {
		return Named
	}
	// A revisit has the digest of its original, but not the payload.
	if c.RecordType == schemas.TypeRevisit {
		return None
	}
	switch {
	case comparable && d == w.Digest && (c.SURT == w.SURT || c.SURT == w.own):
		return SamePage
	case comparable && d == w.Digest:
		return Elsewhere
	case w.Unmodified && c.SURT == w.own && c.Status/100 == 2 && !at.After(w.seen):
		return Unmodified
	}
	return None
}

// Best returns the possible originals, the best first, and drops others. It sorts by evidence, then undamaged captures
// first, then the exact URL, then the nearest in time.
func (w *Wanted) Best(list []*schemas.Document) (best []*schemas.Document) {
	type ranked struct {
		d        *schemas.Document
		evidence Evidence
		far      time.Duration
	}
	var all []ranked
	for _, d := range list {
		if e := w.Evidence(d); e != None {
			at, _ := query.ParseTime(d.Timestamp)
			all = append(all, ranked{d, e, w.seen.Sub(at).Abs()})
		}
	}
	slices.SortFunc(all, func(a, b ranked) int {
		// Evidence decides first.
		return cmp.Or(
			cmp.Compare(b.evidence, a.evidence),
			cmp.Compare(truth(damaged(a.d)), truth(damaged(b.d))),
			cmp.Compare(truth(a.d.RecordType == schemas.TypeRevisit), truth(b.d.RecordType == schemas.TypeRevisit)),
			cmp.Compare(urlkey.Likeness(w.URL, b.d.URL), urlkey.Likeness(w.URL, a.d.URL)),
			cmp.Compare(a.far, b.far), byPlace(a.d, b.d),
		)
	})
	for _, r := range all {
		best = append(best, r.d)
	}
	return best
}

// byPlace compares captures by place, so that the order of reading does not matter.
func byPlace(a, b *schemas.Document) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Offset, b.Offset),
		cmp.Compare(a.Sequence, b.Sequence))
}

func damaged(d *schemas.Document) bool { return schemas.Damaged(d.Flags) }

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Ways returns filters that find possible originals, the cheapest first. The first is that of OnPages. The second
// searches the whole collection for record ID and digest.
func (w *Wanted) Ways() []query.Expr {
	anywhere := is("record_id", w.ID)
	return append(w.OnPages(), either(append(anywhere, is("digest", w.Digest.Spellings()...)...))...)
}

// OnPages returns the filter for the named page and the revisit's own, if their keys are known.
func (w *Wanted) OnPages() []query.Expr { return either(is("surt", w.SURT, w.own)) }

// either returns a filter for captures that match one of the filters, if there are any.
func either(list []query.Expr) []query.Expr {
	if len(list) == 0 {
		return nil
	}
	return []query.Expr{&query.Or{List: list}}
}

// is returns tests whether a text field has one of the values, in which a star has no special meaning.
func is(field string, values ...string) (list []query.Expr) {
	// Compact, because the named URL is often the revisit's own.
	for _, v := range slices.Compact(values) {
		if v != "" {
			list = append(list, &query.Compare{Field: field, Op: query.Equal, Value: query.Value{Text: v}})
		}
	}
	return list
}

// canonical returns a digest in the form of Digest.String, or "" if it is invalid.
func canonical(label string) string {
	d, err := digest.Parse(label)
	if err != nil {
		return ""
	}
	return d.String()
}
