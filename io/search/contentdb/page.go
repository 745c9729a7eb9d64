package contentdb

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/index"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Request asks for one page of an answer, with what a program shows beside it.
type Request struct {
	// Query is the question. Its Limit is how many rows the page has, 20 when it is 0; its After where it begins, which
	// Answer.Next of the page before says.
	Query query.Query
	// Columns are what rows have at least, see DB.Find. Those that the index knows (hitColumns) take a tenth of the
	// time of others, for which shards are opened.
	Columns []string
	// Excerpt is how many letters of a row's text are shown around what was searched for; 0 for none. It reads the texts
	// of the rows of this page, and the descriptions of those without text.
	Excerpt int
	Count   bool     // tell how many captures answer the question, on all pages
	Facets  []string // count them by the values of each of these, see DB.Facets
	Top     int      // the most frequent values of each; 10 when it is 0
}

// Answer is a page of an answer.
type Answer struct {
	Rows []Row
	Next *query.Position // for query.Query.After of the next page; nil: there is none
	// Count is how many captures answer the question on all pages; -1 when it was not asked for.
	Count  int64
	Facets map[string][]Group // by their names in Request.Facets
}

// Row is a capture of an answer.
type Row struct {
	*schemas.Document
	Title   query.Excerpt // all of the title, marked; with Request.Excerpt only
	Excerpt query.Excerpt // of the text, or of the description of a capture without text, likewise
	Score   float64       // of query.Relevance: the greater, the better
}

// Ask answers a request. With the index rows, count and facets are of one moment, and the captures that answer are
// found once for all of them; without it each is a look at the shards.
//
// A count, and facets, look at all captures that may answer: with a filter of which the index leaves something to the
// documents (Explain tells), as phrases, that may be many documents, and ctx is how to bound it.
func (db *DB) Ask(ctx context.Context, r Request) (*Answer, error) {
	r.Query.Limit, r.Top = cmp.Or(r.Query.Limit, 20), cmp.Or(r.Top, 10)
	q, err := db.settled(r.Query)
	if err = cmp.Or(err, CheckColumns(r.Columns), CheckFacets(r.Facets)); err != nil {
		return nil, err
	}
	r.Query = q
	size := r.Query.Limit
	r.Query.Limit++ // one more reports whether there is another page
	a, err := db.rowsAndCounts(ctx, r)
	if err != nil {
		return nil, err
	}
	if len(a.Rows) > size {
		last := a.Rows[size-1]
		a.Rows, a.Next = a.Rows[:size], &query.Position{Key: query.KeyOf(last.Document), Score: last.Score}
	}
	if r.Excerpt > 0 {
		db.excerpts(a.Rows, r)
	}
	return a, nil
}

// rowsAndCounts answers a request except for excerpts, for which rows have what they are made of.
func (db *DB) rowsAndCounts(ctx context.Context, r Request) (*Answer, error) {
	columns := keyed(r.Columns, r.Query.Order)
	needed := columns
	if r.Excerpt > 0 {
		columns = union(columns, []string{"title", "text"})
		needed = union(columns, []string{"description"})
	}
	x := db.asked()
	if x == nil {
		return db.askShards(ctx, r, needed)
	}
	names, known := indexFacets(r.Facets)
	if !known { // one that the index does not know is counted by reading, and then all are
		names = nil
	}
	found, err := x.Ask(ctx, index.Request{Query: r.Query, Count: r.Count, By: names, Top: r.Top}, db.verify(r.Query))
	if err != nil && db.lose(err) {
		return db.askShards(ctx, r, needed)
	}
	if err != nil {
		return nil, err
	}
	// The one more tells that there is another page, and is not shown: no shard is opened for it.
	shown := found.Hits[:min(len(found.Hits), r.Query.Limit-1)]
	docs, err := db.documents(ctx, shown, columns)
	if err == nil && r.Excerpt > 0 {
		err = db.describe(ctx, shown, docs)
	}
	if err != nil {
		return nil, err
	}
	for _, h := range found.Hits[len(shown):] {
		docs = append(docs, h.Document())
	}
	a, p := &Answer{Count: -1}, newProjection(needed)
	for i, d := range docs {
		a.Rows = append(a.Rows, Row{Document: p.of(d), Score: found.Hits[i].Score})
	}
	if r.Count {
		a.Count = found.Count
	}
	if !known {
		return a, db.askFacets(ctx, r, a)
	}
	a.Facets = make(map[string][]Group, len(r.Facets))
	for i, list := range found.Facets {
		for _, f := range list {
			a.Facets[r.Facets[i]] = append(a.Facets[r.Facets[i]], Group(f))
		}
	}
	return a, nil
}

// describe reads the descriptions of the documents that have no text: of most they are not looked at.
func (db *DB) describe(ctx context.Context, hits []index.Hit, docs []*schemas.Document) error {
	var without []index.Hit
	var at []int
	for i, d := range docs {
		if d.Text == "" {
			without, at = append(without, hits[i]), append(at, i)
		}
	}
	if len(without) == 0 {
		return nil
	}
	found, err := db.documents(ctx, without, []string{"description"})
	for i, d := range found {
		docs[at[i]].Description = d.Description
	}
	return err
}

// askShards is rowsAndCounts without the index.
func (db *DB) askShards(ctx context.Context, r Request, columns []string) (*Answer, error) {
	a := &Answer{Count: -1}
	for d, err := range db.Find(ctx, r.Query, columns) {
		if err != nil {
			return nil, err
		}
		a.Rows = append(a.Rows, Row{Document: d})
	}
	if r.Count {
		n, err := db.Count(ctx, r.Query)
		if err != nil {
			return nil, err
		}
		a.Count = n
	}
	return a, db.askFacets(ctx, r, a)
}

// askFacets counts by each field for itself.
func (db *DB) askFacets(ctx context.Context, r Request, a *Answer) error {
	a.Facets = make(map[string][]Group, len(r.Facets))
	for _, name := range r.Facets {
		groups, err := db.Facets(ctx, r.Query, []string{name}, r.Top)
		if err != nil {
			return fmt.Errorf("contentdb: by %s: %w", name, err)
		}
		a.Facets[name] = groups
	}
	return nil
}

// excerpts makes the excerpts of rows, and leaves of the documents the columns that were asked for.
func (db *DB) excerpts(rows []Row, r Request) {
	// The highlighter is made once: it holds the terms of the question.
	h, p := query.NewHighlighter(r.Query.Where), newProjection(r.Columns)
	for i := range rows {
		d := rows[i].Document
		rows[i].Title = h.Excerpt(d.Title, len(d.Title))
		rows[i].Excerpt = h.Excerpt(cmp.Or(d.Text, d.Description), r.Excerpt)
		rows[i].Document = p.of(d)
	}
}

// Versions asks for all captures of a page, the newest first: the page of a URL whatever its scheme and www, or with a
// star behind it all pages that begin so.
func Versions(url string) (query.Query, error) {
	return query.Common{URL: url, AllVersions: true}.Query()
}

// Exactly returns a URL that asks Versions for one page: a star at its end is part of it.
func Exactly(url string) string {
	// "%2A" is the same URL, and not a star to the query.
	if head, star := strings.CutSuffix(url, "*"); star {
		return head + "%2A"
	}
	return url
}

// Overview is what a collection has as a whole.
type Overview struct {
	Captures int64
	Pages    int64
	First    time.Time // of the captures that have a time; zero where none has
	Last     time.Time
	// By are the most frequent values of language, mime, month, status, host, domain, page_type, source and filename, and
	// Distinct how many values these have.
	By       map[string][]Group
	Distinct map[string]int64
}

// ErrNoIndex is asking what only an index answers at once, of a collection without one; Notes says why.
var ErrNoIndex = errors.New("contentdb: there is no index of the collection")

// Overview counts all captures by what an overview shows, top values of each. It takes 0.1 s for 20,000 hosts, by the
// index, and nothing when it is asked for again; without an index the error is ErrNoIndex. What it returns is not to be
// changed.
func (db *DB) Overview(ctx context.Context, top int) (*Overview, error) {
	db.mu.Lock() // over the counting, too: of many who ask at once one counts
	defer db.mu.Unlock()
	if o := db.overview[top]; o != nil {
		return o, nil
	}
	o, err := db.count(ctx, top)
	if err == nil {
		db.overview = map[int]*Overview{top: o} // one is enough: programs ask for the same again
	}
	return o, err
}

// count makes an overview.
func (db *DB) count(ctx context.Context, top int) (*Overview, error) {
	x := db.asked()
	if x == nil {
		return nil, ErrNoIndex
	}
	found, err := x.Overview(ctx, top)
	if err != nil && db.lose(err) {
		err = fmt.Errorf("%w: %w", ErrNoIndex, err)
	}
	if err != nil {
		return nil, err
	}
	o := &Overview{
		Captures: found.Captures, Pages: found.Pages, First: found.First, Last: found.Last, By: map[string][]Group{},
		Distinct: found.Distinct,
	}
	for name, list := range found.Values {
		for _, f := range list {
			o.By[name] = append(o.By[name], Group(f))
		}
	}
	return o, nil
}

// Changed reports whether the collection is another since it was opened, as after a run: then answers are still those
// of before, and opening it again gives the new ones. So it is when the index was lost meanwhile, which only makes
// answers slow. It reads the manifest, of which a thousand shards take 1 MB.
func (db *DB) Changed() (bool, error) {
	hash, err := manifestHash(db.part.Folder)
	return err == nil && (hash != db.seen || db.lost.Load()), err
}

// manifestHash tells manifests apart.
func manifestHash(f folder.Folder) (sum [sha256.Size]byte, err error) {
	r, err := f.Open(holdings.ManifestFile)
	if err != nil {
		return sum, err
	}
	// Whole, and not by time or size: a run may write a manifest of the same size within a second.
	h := sha256.New()
	_, err = io.Copy(h, r)
	// Sum appends to the array that is returned.
	h.Sum(sum[:0])
	return sum, errors.Join(err, r.Close())
}
