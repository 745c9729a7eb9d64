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
	"github.com/gleaner-web/gleaner/io/search/linkindex"
	"github.com/gleaner-web/gleaner/io/search/parquetscan"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Filled are the columns that revisits take from their originals.
var Filled = []string{"title", "mime_detected", "language", "page_type"}

// Limits of a Set. A revisit takes some 300 bytes while its original is searched. Revisits beyond the limit are not
// filled, the same ones each time.
const (
	maxRevisits = 1 << 20
	maxHops     = 8  // from a revisit to a revisit it refers to
	maxNamed    = 16 // captures of one URL and second
	maxVersions = 1 << 16
	maxSteps    = 64 // revisits examined for one revisit
)

// Set has the values that revisits of a collection take from their originals. The nil Set is empty. Several goroutines
// may use it.
type Set struct {
	values []value
	of     map[Place]int32   // indexes into values
	links  map[Place]uint64  // keys of originals that are of the same page, for Linked
	marks  map[string]string // by shard
}

// value are the values of the columns Filled.
type value struct{ title, mime, language, pageType string }

// Has reports whether a collection may have revisits, by the counts of its manifest.
func Has(m schemas.Manifest) bool {
	return len(m.Totals.ByType) == 0 || m.Totals.ByType[string(schemas.TypeRevisit)] > 0
}

// Touches reports whether a query that reads some columns, nil for all, needs a Set.
func Touches(columns []string) bool {
	return columns == nil || slices.ContainsFunc(columns, func(c string) bool { return slices.Contains(Filled, c) })
}

// Fill sets missing fields of a document if it is a revisit with a known original. It needs filename, offset and
// sequence.
func (s *Set) Fill(d *schemas.Document) {
	if s == nil {
		return
	}
	// By its place, which every document has; old archives lack record IDs.
	i, ok := s.of[PlaceOf(d)]
	if !ok {
		return
	}
	v := &s.values[i]
	// The revisit's own values come first: some writers give it a type.
	d.Title, d.MIMEDetected = cmp.Or(d.Title, v.title), cmp.Or(d.MIMEDetected, v.mime)
	d.Language, d.PageType = cmp.Or(d.Language, v.language), cmp.Or(d.PageType, v.pageType)
}

// Linked returns the key of a revisit's original in an index of links: the links on both are the same. Originals of
// other pages have none, because their links may have another base. It needs the same columns as Fill.
func (s *Set) Linked(d *schemas.Document) (key uint64, ok bool) {
	if s == nil {
		return 0, false
	}
	key, ok = s.links[PlaceOf(d)]
	return key, ok
}

// Wider returns where extended by all revisits that Fill may change. Readers of shards use it because revisits lack
// these values there.
func (s *Set) Wider(where query.Expr) query.Expr {
	// Nothing is filled, or nothing that the filter reads.
	if s == nil || len(s.of) == 0 {
		return where
	}
	return Wider(where)
}

// Wider returns where, true for all revisits in the parts that read values of originals.
func Wider(where query.Expr) query.Expr {
	if where == nil || !Touches(query.Columns(where)) {
		return where
	}
	and, ok := where.(*query.And)
	if !ok {
		return &query.Or{List: append(is("record_type", string(schemas.TypeRevisit)), where)}
	}
	// The other parts of a conjunction exclude revisits too.
	list := make([]query.Expr, len(and.List))
	for i, e := range and.List {
		list[i] = Wider(e)
	}
	return &query.And{List: list}
}

// Version identifies what Fill changes in the documents of a shard. Data derived from the shard is outdated if its
// version changes. It is "" if Fill changes nothing.
func (s *Set) Version(shard string) string {
	if s == nil {
		return ""
	}
	return s.marks[shard]
}

// Read makes the Set of shards, which hold all documents of a collection.
func Read(ctx context.Context, f folder.Folder, shards []schemas.Shard) (*Set, error) {
	r := newReading()
	r.ctx, r.folder = ctx, f
	for _, s := range shards {
		if holdings.IsTable(s) {
			r.tables = append(r.tables, s)
		}
	}
	r.columnar = parquetscan.NewShards(f, r.tables)
	// Collections without revisits only pay for this pass.
	if err := r.want(shards); err != nil || len(r.wanted) == 0 {
		return nil, err
	}
	if err := r.find(shards); err != nil {
		return nil, err
	}
	return r.set(), nil
}

// reading finds the originals of all revisits in one pass over the collection.
type reading struct {
	ctx      context.Context
	folder   folder.Folder
	tables   []schemas.Shard
	columnar *parquetscan.Shards

	wanted []wanted
	at     map[Place]int // indexes into wanted
	// Possible originals, by what revisits say. A key without a value is wanted.
	byID     map[string]*schemas.Document
	named    map[moment][]*schemas.Document
	byDigest map[string]*schemas.Document   // by canonical digest; one capture suffices, because all are the same
	pages    map[string][]*schemas.Document // by SURT, for 304 responses; sorted by time after all were read
	steps    int                            // examined for the current revisit
}

func newReading() *reading {
	return &reading{
		at: map[Place]int{}, byID: map[string]*schemas.Document{}, named: map[moment][]*schemas.Document{},
		byDigest: map[string]*schemas.Document{}, pages: map[string][]*schemas.Document{},
	}
}

type wanted struct {
	Wanted
	shard string
}

// moment is a URL and a time that a revisit names.
type moment struct {
	surt   string
	second int64
}

// rows yields the documents of a shard that match where.
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
		// JSON lines are read whole.
		test := query.Compile(where)
		for d, err := range (holdings.Part{Folder: r.folder, Shards: []schemas.Shard{s}}).Documents(r.ctx) {
			if (err != nil || test(d)) && !yield(d, err) {
				return
			}
		}
	}
}

// want reads all revisits.
func (r *reading) want(shards []schemas.Shard) error {
	only := is("record_type", string(schemas.TypeRevisit))[0]
	for _, s := range shards {
		// The language shows which revisits have one of their own.
		for d, err := range r.rows(s, only, append([]string{"language"}, Columns...)) {
			if err != nil {
				return err
			}
			// The others are not filled.
			if len(r.wanted) == maxRevisits {
				return nil
			}
			r.wantOne(d, s.Name)
		}
	}
	return nil
}

// wantOne records how the original of a revisit can be recognised.
func (r *reading) wantOne(d *schemas.Document, shard string) {
	// A key without a value is wanted.
	w := WantedBy(d)
	r.at[w.place] = len(r.wanted)
	r.wanted = append(r.wanted, wanted{w, shard})
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

// find reads all captures, and keeps those to which a revisit may refer.
func (r *reading) find(shards []schemas.Shard) error {
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

// sortPages sorts the captures of each page by time, for lastBefore.
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

// lastBefore returns the last capture that is not after a time, or nil. list is sorted by time.
func lastBefore(list []*schemas.Document, at time.Time) *schemas.Document {
	// The comparison is never equal, so the result is after all captures that are not later.
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

// offer keeps a capture to which a revisit may refer.
func (r *reading) offer(d *schemas.Document) {
	// Only the needed fields: a whole document may take megabytes.
	kept := &schemas.Document{
		URL: d.URL, SURT: d.SURT, Timestamp: d.Timestamp, Status: d.Status, Digest: d.Digest, RecordID: d.RecordID,
		RecordType: d.RecordType, Flags: d.Flags, Filename: d.Filename, Offset: d.Offset, Sequence: d.Sequence,
		Title: d.Title, MIMEDetected: d.MIMEDetected, Language: d.Language, PageType: d.PageType,
	}
	// An existing key is wanted, even while its value is nil.
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
	// A revisit can only be an original by name.
	if d.RecordType == schemas.TypeRevisit {
		return
	}
	// Canonical: base32 and hexadecimal are equal.
	if key := canonical(d.Digest); key != "" {
		if held, is := r.byDigest[key]; is && before(kept, held) {
			r.byDigest[key] = kept
		}
	}
	// A 304 response replaces a response that would have been 200 (RFC 9110, section 15.4.5), so others cannot be
	// unchanged.
	if list, is := r.pages[d.SURT]; is && dated && d.Status/100 == 2 && len(list) < maxVersions {
		r.pages[d.SURT] = append(list, kept)
	}
}

// before reports whether a is preferred to b, which may be nil. Undamaged captures come first, then the smaller place,
// so that the order of shards does not matter.
func before(a, b *schemas.Document) bool {
	return b == nil || cmp.Or(cmp.Compare(truth(damaged(a)), truth(damaged(b))), byPlace(a, b)) < 0
}

// original returns the capture to which a revisit refers, or nil. It follows revisits.
func (r *reading) original(w *Wanted, hops int) *schemas.Document {
	var list []*schemas.Document
	// In any order: Best sorts them.
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
	// The best first; the next one if a chain of revisits leads nowhere.
	for _, d := range w.Best(list) {
		if d.RecordType != schemas.TypeRevisit {
			return d
		}
		// Limited, because some archives have cycles.
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

// set makes the Set of the found originals.
func (r *reading) set() *Set {
	s := &Set{of: map[Place]int32{}, links: map[Place]uint64{}, marks: map[string]string{}}
	// Many revisits share an original, whose values are stored once.
	numbers := map[value]int32{}
	said := map[string][]string{} // by shard
	for i := range r.wanted {
		w := &r.wanted[i]
		r.steps = 0
		// Limited for each revisit by itself.
		o := r.original(&w.Wanted, 0)
		if o == nil {
			continue
		}
		if o.SURT == w.own {
			s.links[w.place] = linkindex.Key(o.URL, o.Timestamp)
		}
		v := value{o.Title, o.MIMEDetected, o.Language, o.PageType}
		// An original without any of these values fills nothing.
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
		said[w.shard] = append(said[w.shard], fmt.Sprintf("%v %q", w.place, v))
	}
	for name, list := range said {
		// Sorted, so that the order of reading does not change the mark.
		slices.Sort(list)
		hash := sha256.New()
		for _, line := range list {
			_, _ = fmt.Fprintln(hash, line) // a hash does not fail
		}
		// 128 bits are unique, at half the length.
		s.marks[name] = hex.EncodeToString(hash.Sum(nil)[:16])
	}
	return s
}
