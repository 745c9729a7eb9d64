package revisit

import (
	"cmp"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Evidence is what makes a capture the original of a revisit: the greater, the better.
type Evidence int

// The kinds of evidence.
const (
	None       Evidence = iota
	Unmodified          // the server said that nothing had changed: the last answer of the URL before
	Elsewhere           // the same payload digest at another URL
	SamePage            // the same payload digest at the URL
	Named               // the URL and the date that the revisit names, and no other digest
	Identified          // the record id that the revisit names
)

// Columns are what a document must have to be wanted or found.
var Columns = []string{
	"url", "surt", "timestamp", "status", "digest", "record_id", "record_type", "refers_to", "flags", "body_bytes",
	"filename", "offset", "length", "sequence",
}

// Wanted is what a revisit says of the capture that it refers to.
type Wanted struct {
	ID         string // of its record; "" where the revisit does not say
	URL        string // that the revisit names, or its own
	SURT       string // of URL
	At         time.Time
	Digest     digest.Digest
	Unmodified bool // the server answered 304: the digest is of nothing
	own        string
	seen       time.Time
	place      Place
}

// Place tells captures of a collection apart.
type Place struct {
	Filename string
	Offset   int64
	Sequence int
}

// PlaceOf is the place of a document.
func PlaceOf(d *schemas.Document) Place { return Place{d.Filename, d.Offset, d.Sequence} }

// statusNotModified is the answer that a revisit of the profile server-not-modified has (section 6.7.3 of WARC/1.1).
const statusNotModified = 304

// NotModified reports whether d is the revisit of an answer that says that nothing has changed.
func NotModified(d *schemas.Document) bool { return d.Status == statusNotModified }

// WantedBy returns the capture that a revisit refers to.
func WantedBy(d *schemas.Document) Wanted {
	w := Wanted{URL: d.URL, Unmodified: NotModified(d), own: d.SURT, place: PlaceOf(d)}
	// A time that cannot be read is zero, so that no dated capture counts as one before it.
	w.seen, _ = query.ParseTime(d.Timestamp)
	if r := d.RefersTo; r != nil {
		w.ID, w.URL = r.RecordID, cmp.Or(r.URL, d.URL)
		if at, ok := query.ParseTime(r.Timestamp); ok {
			// Whole seconds, as Evidence compares them.
			w.At = at.Truncate(time.Second)
		}
	}
	// The key of its own URL is known; only that of another one has to be made.
	w.SURT = d.SURT
	if w.URL != d.URL {
		w.SURT = urlkey.SURT(w.URL)
	}
	w.Digest, _ = digest.Parse(d.Digest)
	if w.Unmodified && w.Digest.Matches() {
		w.Digest = digest.Digest{} // of the body of the 304, which is empty
	}
	return w
}

// Empty reports whether the payload is known to be empty, so that nothing is missing.
func (w *Wanted) Empty() bool { return !w.Unmodified && w.Digest.Matches() }

// Evidence tells how well c is known to be the original. A revisit can only be it by name: then what it refers to is.
func (w *Wanted) Evidence(c *schemas.Document) Evidence {
	// A capture is not its own original.
	if PlaceOf(c) == w.place {
		return None
	}
	// Ids of records are unique (section 5.2 of WARC/1.1), so nothing else has to agree.
	if w.ID != "" && c.RecordID == w.ID {
		return Identified
	}
	d, err := digest.Parse(c.Digest)
	// Digests of two algorithms neither agree nor contradict each other.
	comparable := err == nil && w.Digest.Algorithm() == d.Algorithm()
	at, _ := query.ParseTime(c.Timestamp)
	// Indexes and some crawlers have whole seconds. Two captures of one second may be of http and https.
	named := !w.At.IsZero() && c.SURT == w.SURT && at.Truncate(time.Second).Equal(w.At)
	if named && (!comparable || d == w.Digest || w.Unmodified) {
		return Named
	}
	// A revisit has the digest of its original, and not the payload.
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

// Best sorts captures that may be the original, the best first, and leaves out those that cannot be: by what is known,
// those that are whole before those that are damaged, those of the very URL, the nearest in time.
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
		// Evidence decides. The rest chooses among captures with equal evidence.
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

// byPlace compares captures that are equal in all else, so that it does not matter in which order they are read.
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

// Ways are filters that find what may be the original, the cheapest first: the page that is named and its own; then, in
// all of the collection, the record id and the digest.
func (w *Wanted) Ways() (list []query.Expr) {
	pages, anywhere := is("surt", w.SURT, w.own), is("record_id", w.ID)
	anywhere = append(anywhere, is("digest", w.Digest.Spellings()...)...)
	for _, some := range [][]query.Expr{pages, anywhere} {
		// Without a value there is nothing to look for.
		if len(some) > 0 {
			list = append(list, &query.Or{List: some})
		}
	}
	return list
}

// is tests whether a field of texts has one of the values, in which a star is a star.
func is(field string, values ...string) (list []query.Expr) {
	// Compact, since the URL that is named is often the revisit's own.
	for _, v := range slices.Compact(values) {
		if v != "" {
			list = append(list, &query.Compare{Field: field, Op: query.Equal, Value: query.Value{Text: v}})
		}
	}
	return list
}

// canonical is a digest in the form of Digest.String, "" where it is none.
func canonical(label string) string {
	d, err := digest.Parse(label)
	if err != nil {
		return ""
	}
	return d.String()
}
