package revisit

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/parquetscan"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Filled are the columns that revisits have of their originals.
var Filled = []string{"title", "mime_detected", "language", "page_type"}

// Bounds of a Set. A revisit takes some 300 bytes while its original is looked for, and those beyond the bound stay as
// they are, the same ones each time.
const (
	maxRevisits = 1 << 20
	maxHops     = 8  // from a revisit to what it refers to
	maxNamed    = 16 // captures of one URL and second
	maxVersions = 1 << 16
	maxSteps    = 64 // revisits that are looked at for one
)

// Set is what the revisits of a collection have of their originals. The nil Set has none. It may be used by several
// goroutines.
type Set struct {
	values []value
	of     map[Place]int32   // places in values
	marks  map[string]string // of shards
	spoken int64
}

// value is what documents have in the columns Filled.
type value struct{ title, mime, language, pageType string }

// Has reports whether a collection may have revisits, by what its manifest counts.
func Has(m schemas.Manifest) bool {
	return len(m.Totals.ByType) == 0 || m.Totals.ByType[string(schemas.TypeRevisit)] > 0
}

// Touches reports whether a question that reads some columns, nil for all, needs a Set.
func Touches(columns []string) bool {
	return columns == nil || slices.ContainsFunc(columns, func(c string) bool { return slices.Contains(Filled, c) })
}

// Fill gives a document the fields that it lacks, if it is a revisit whose original is known. It needs filename, offset
// and sequence.
func (s *Set) Fill(d *schemas.Document) {
	if s == nil {
		return
	}
	// By its place, which each document has; ids are missing in old archives.
	i, ok := s.of[PlaceOf(d)]
	if !ok {
		return
	}
	v := &s.values[i]
	// What the revisit says itself goes first: some writers give it a type.
	d.Title, d.MIMEDetected = cmp.Or(d.Title, v.title), cmp.Or(d.MIMEDetected, v.mime)
	d.Language, d.PageType = cmp.Or(d.Language, v.language), cmp.Or(d.PageType, v.pageType)
}

// Spoken is how many revisits have a language by their originals alone, that is without a text of their own.
func (s *Set) Spoken() int64 {
	if s == nil {
		return 0
	}
	return s.spoken
}

// Wider is a filter that takes what where takes, and all revisits that Fill may change: for readers that would leave
// them out by what shards have of them.
func (s *Set) Wider(where query.Expr) query.Expr {
	// Nothing is filled, or nothing that the filter asks for.
	if s == nil || len(s.of) == 0 || where == nil || !Touches(query.Columns(where)) {
		return where
	}
	return &query.Or{List: append(is("record_type", string(schemas.TypeRevisit)), where)}
}

// Version tells what Fill makes of the documents of a shard: what is derived from the shard is out of date when its
// mark is another. It is "" where Fill changes nothing.
func (s *Set) Version(shard string) string {
	if s == nil {
		return ""
	}
	return s.marks[shard]
}

// Read makes the Set of some shards, which are all documents of a collection.
func Read(ctx context.Context, f folder.Folder, shards []schemas.Shard) (*Set, error) {
	r := newReading()
	r.ctx, r.folder = ctx, f
	for _, s := range shards {
		if holdings.IsTable(s) {
			r.tables = append(r.tables, s)
		}
	}
	r.columnar = parquetscan.NewShards(f, r.tables)
	// Collections without revisits pay for this one look alone.
	if err := r.want(shards); err != nil || len(r.wanted) == 0 {
		return nil, err
	}
	if err := r.find(shards); err != nil {
		return nil, err
	}
	return r.set(), nil
}

// reading looks for the originals of revisits, of all of them in one look at the collection.
type reading struct {
	ctx      context.Context
	folder   folder.Folder
	tables   []schemas.Shard
	columnar *parquetscan.Shards

	wanted []wanted
	at     map[Place]int // in wanted
	// What may be an original, by what revisits say. A key without a value is wanted.
	byID     map[string]*schemas.Document
	named    map[moment][]*schemas.Document
	byDigest map[string]*schemas.Document   // by the canonical digest: one is as good as another, since all are the same
	pages    map[string][]*schemas.Document // by SURT, for answers that nothing has changed; by time when all were read
	steps    int                            // for one revisit
}

func newReading() *reading {
	return &reading{
		at: map[Place]int{}, byID: map[string]*schemas.Document{}, named: map[moment][]*schemas.Document{},
		byDigest: map[string]*schemas.Document{}, pages: map[string][]*schemas.Document{},
	}
}

type wanted struct {
	Wanted
	shard  string
	spoken bool // it has a language of its own
}

// moment is a URL and a time that a revisit names.
type moment struct {
	surt   string
	second int64
}

// rows yields the documents of a shard that where takes.
func (r *reading) rows(s schemas.Shard, where query.Expr, columns []string) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		if holdings.IsTable(s) {
			for row, err := range r.columnar.In(r.ctx, s, where, columns) {
				if !yield(row.Document, err) {
					return
				}
			}
			return
		}
		// JSON lines are read whole: they have no columns to choose among.
		test := query.Compile(where)
		for d, err := range (holdings.Part{Folder: r.folder, Shards: []schemas.Shard{s}}).Documents(r.ctx) {
			// An error is yielded whatever the filter says.
			if (err != nil || test(d)) && !yield(d, err) {
				return
			}
		}
	}
}

// want reads what all revisits say.
func (r *reading) want(shards []schemas.Shard) error {
	only := is("record_type", string(schemas.TypeRevisit))[0]
	for _, s := range shards {
		// The language is read to know revisits that have one of their own.
		for d, err := range r.rows(s, only, append([]string{"language"}, Columns...)) {
			if err != nil {
				return err
			}
			// The others stay as they are, which is what shards have of them.
			if len(r.wanted) == maxRevisits {
				return nil
			}
			r.wantOne(d, s.Name)
		}
	}
	return nil
}

// wantOne notes by what the original of a revisit can be known.
func (r *reading) wantOne(d *schemas.Document, shard string) {
	// A key without a value says that somebody asks for it.
	w := WantedBy(d)
	r.at[w.place] = len(r.wanted)
	r.wanted = append(r.wanted, wanted{w, shard, d.Language != ""})
	if w.ID != "" {
		r.byID[w.ID] = nil
	}
	if !w.At.IsZero() {
		r.named[moment{w.SURT, w.At.Unix()}] = nil
	}
	if s := w.Digest.String(); s != "" {
		r.byDigest[s] = nil
	}
	if w.Unmodified {
		r.pages[w.own] = nil
	}
}

// find reads all captures, and keeps those that some revisit may refer to.
func (r *reading) find(shards []schemas.Shard) error {
	// All captures are read once, whatever the number of revisits.
	columns := slices.Concat(Columns, Filled)
	for _, s := range shards {
		for d, err := range r.rows(s, nil, columns) {
			if err != nil {
				return err
			}
			r.offer(d)
		}
	}
	r.sortPages()
	return nil
}

// sortPages puts the captures of each page in order of time, which lastBefore searches by.
func (r *reading) sortPages() {
	for _, list := range r.pages {
		slices.SortFunc(list, func(a, b *schemas.Document) int {
			return cmp.Or(timeOf(a).Compare(timeOf(b)), byPlace(a, b))
		})
	}
}

func timeOf(d *schemas.Document) time.Time {
	t, _ := query.ParseTime(d.Timestamp)
	return t
}

// lastBefore is the last of some captures, which are sorted by time, that is not after a time; nil for none.
func lastBefore(list []*schemas.Document, at time.Time) *schemas.Document {
	// Never equal, so that the place is after all that are not later.
	i, _ := slices.BinarySearchFunc(list, at, func(d *schemas.Document, at time.Time) int {
		if timeOf(d).After(at) {
			return 1
		}
		return -1
	})
	if i == 0 {
		return nil
	}
	return list[i-1]
}

// offer keeps a capture that a revisit may refer to.
func (r *reading) offer(d *schemas.Document) {
	// A copy of what is needed: the whole document would be megabytes for a page.
	kept := &schemas.Document{
		URL: d.URL, SURT: d.SURT, Timestamp: d.Timestamp, Status: d.Status, Digest: d.Digest, RecordID: d.RecordID,
		RecordType: d.RecordType, Flags: d.Flags, Filename: d.Filename, Offset: d.Offset, Sequence: d.Sequence,
		Title: d.Title, MIMEDetected: d.MIMEDetected, Language: d.Language, PageType: d.PageType,
	}
	// A key that is there is wanted, even while its value is nil.
	if held, is := r.byID[d.RecordID]; is && before(kept, held) {
		r.byID[d.RecordID] = kept
	}
	t, dated := query.ParseTime(d.Timestamp)
	if dated {
		key := moment{d.SURT, t.Unix()}
		// Hostile archives may name one moment a million times.
		if list, is := r.named[key]; is && len(list) < maxNamed {
			r.named[key] = append(list, kept)
		}
	}
	// By name alone a revisit is the original of another.
	if d.RecordType == schemas.TypeRevisit {
		return
	}
	// By value: base32 and hexadecimal are one.
	if key := canonical(d.Digest); key != "" {
		if held, is := r.byDigest[key]; is && before(kept, held) {
			r.byDigest[key] = kept
		}
	}
	// Only a page that was there can be unchanged.
	// A 304 stands for an answer that would have been a 200 (RFC 9110, section 15.4.5).
	if list, is := r.pages[d.SURT]; is && dated && d.Status/100 == 2 && len(list) < maxVersions {
		r.pages[d.SURT] = append(list, kept)
	}
}

// before reports whether a is taken rather than b, where there is one: what is whole, and of these the first by place,
// so that it does not matter in which order shards are read.
func before(a, b *schemas.Document) bool {
	return b == nil || cmp.Or(cmp.Compare(truth(damaged(a)), truth(damaged(b))), byPlace(a, b)) < 0
}

// original is the capture that a revisit refers to, or nil. One that is a revisit leads on.
func (r *reading) original(w *Wanted, hops int) *schemas.Document {
	var list []*schemas.Document
	// In any order: Best puts them in that of how surely they are meant.
	add := func(d *schemas.Document) {
		if d != nil {
			list = append(list, d)
		}
	}
	if w.ID != "" {
		add(r.byID[w.ID])
	}
	if !w.At.IsZero() {
		list = append(list, r.named[moment{w.SURT, w.At.Unix()}]...)
	}
	add(r.byDigest[w.Digest.String()])
	if w.Unmodified {
		add(lastBefore(r.pages[w.own], w.seen))
	}
	// The best first, and the next one if a chain of revisits leads nowhere.
	for _, d := range w.Best(list) {
		if d.RecordType != schemas.TypeRevisit {
			return d
		}
		// A revisit of a revisit leads on, within bounds: some archives go round in circles.
		next, is := r.at[PlaceOf(d)]
		if r.steps++; !is || hops == maxHops || r.steps > maxSteps {
			continue
		}
		if o := r.original(&r.wanted[next].Wanted, hops+1); o != nil {
			return o
		}
	}
	return nil
}

// set puts together what was found.
func (r *reading) set() *Set {
	s := &Set{of: map[Place]int32{}, marks: map[string]string{}}
	// Many revisits share an original, whose values are kept once.
	numbers := map[value]int32{}
	said := map[string][]string{} // by shard
	for i := range r.wanted {
		w := &r.wanted[i]
		r.steps = 0
		// Each revisit has steps of its own, so that one cannot use up another's.
		o := r.original(&w.Wanted, 0)
		if o == nil {
			continue
		}
		v := value{o.Title, o.MIMEDetected, o.Language, o.PageType}
		// An original without any of the columns fills nothing.
		if v == (value{}) {
			continue
		}
		n, known := numbers[v]
		if !known {
			n = int32(len(s.values))
			numbers[v] = n
			s.values = append(s.values, v)
		}
		s.of[w.place] = n
		if !w.spoken && v.language != "" {
			s.spoken++
		}
		said[w.shard] = append(said[w.shard], fmt.Sprintf("%v %q", w.place, v))
	}
	for name, list := range said {
		// Sorted, since the order in which revisits were read must not change the mark.
		slices.Sort(list)
		hash := sha256.New()
		for _, line := range list {
			_, _ = fmt.Fprintln(hash, line) // a hash takes all
		}
		// 128 bits tell marks apart, at half the length.
		s.marks[name] = hex.EncodeToString(hash.Sum(nil)[:16])
	}
	return s
}
