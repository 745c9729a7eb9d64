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

// Request asks for one page of an answer, and optionally for excerpts, a count and facets.
type Request struct {
	// Query is the query. Its Limit is the number of rows of the page, 20 if it is 0. Its After is where the page
	// begins: Answer.Next of the page before.
	Query query.Query
	// Columns are the columns that rows have at least, see DB.Find. Columns in the index (hitColumns) take a tenth of
	// the time of others, for which shards are opened.
	Columns []string
	// Excerpt is the number of letters of a row's text to show around matches; 0 for none. It reads the texts of the
	// page's rows, or descriptions if they have no text.
	Excerpt int
	Count   bool     // count the matches on all pages
	Facets  []string // count matches by the values of each of these, see DB.Facets
	Top     int      // number of most frequent values of each; 10 if it is 0
}

// Answer is a page of an answer.
type Answer struct {
	Rows []Row
	Next *query.Position // query.Query.After of the next page; nil if it is the last
	// Count is the number of matches on all pages; -1 if not requested.
	Count  int64
	Facets map[string][]Group // by their names in Request.Facets
}

// Row is a capture of an answer.
type Row struct {
	*schemas.Document
	Title   query.Excerpt // the whole title, with matches marked; only with Request.Excerpt
	Excerpt query.Excerpt // of the text, or of the description if there is no text; only with Request.Excerpt
	Score   float64       // for query.Relevance: greater is better
}

// Ask answers a request. With the index, rows, count and facets are of one moment, and matches are found once; without
// it, each of them reads the shards.
//
// A count, and facets, examine all matches. If the index leaves a part of the filter, for example a phrase, to the
// documents (see Explain), these may be many. Then limit the time with ctx.
func (db *DB) Ask(ctx context.Context, r Request) (*Answer, error) {
	r.Query.Limit, r.Top = cmp.Or(r.Query.Limit, 20), cmp.Or(r.Top, 10)
	q, err := db.settled(r.Query)
	if err = cmp.Or(err, CheckColumns(r.Columns), CheckFacets(r.Facets)); err != nil {
		return nil, err
	}
	words := r.Query.Where
	r.Query, r.Columns = q, db.limits.columns(r.Columns)
	size := r.Query.Limit
	r.Query.Limit++ // one more shows whether there is another page
	a, err := db.rowsAndCounts(ctx, r)
	if err != nil {
		return nil, err
	}
	if len(a.Rows) > size {
		last := a.Rows[size-1]
		a.Rows, a.Next = a.Rows[:size], &query.Position{Key: query.KeyOf(last.Document), Score: last.Score}
	}
	for i := range a.Rows {
		a.Rows[i].Document = db.limits.shown(a.Rows[i].Document)
	}
	if r.Excerpt > 0 {
		r.Query.Where = words // those of rules are not marked
		db.excerpts(a.Rows, r)
	}
	return a, nil
}

// rowsAndCounts answers a request except for excerpts; rows have the columns that excerpts need.
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
	names, known := make([]string, len(r.Facets)), true
	for i, name := range r.Facets {
		one, counts := indexFacets([]string{name})
		names[i], known = one[0], known && counts && db.limits.counts(name)
	}
	if !known { // if the index lacks one field, all are counted by reading
		names = nil
	}
	found, err := x.Ask(ctx, index.Request{Query: r.Query, Count: r.Count, By: names, Top: r.Top}, db.verify(r.Query))
	if err != nil && db.lose(err) {
		return db.askShards(ctx, r, needed)
	}
	if err != nil {
		return nil, err
	}
	// The additional hit only shows that there is another page: no shard is opened for it.
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

// describe reads the descriptions of documents without text.
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

// askFacets counts by each field separately.
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

// excerpts makes the excerpts of rows, and then reduces documents to the requested columns.
func (db *DB) excerpts(rows []Row, r Request) {
	// The highlighter holds the terms of the query, so it is made once.
	h, p := query.NewHighlighter(r.Query.Where), newProjection(r.Columns)
	for i := range rows {
		d := rows[i].Document
		rows[i].Title = h.Excerpt(d.Title, len(d.Title))
		rows[i].Excerpt = h.Excerpt(cmp.Or(d.Text, d.Description), r.Excerpt)
		rows[i].Document = p.of(d)
	}
}

// Versions returns a query for all captures of a page, the newest first. The URL's scheme and www do not matter; a star
// at its end means all pages that begin with it.
func Versions(url string) (query.Query, error) {
	return query.Common{URL: url, AllVersions: true}.Query()
}

// Exactly returns a URL that asks Versions for one page: a star at its end is part of it.
func Exactly(url string) string {
	// "%2A" is the same URL, but not a star to the query.
	if head, star := strings.CutSuffix(url, "*"); star {
		return head + "%2A"
	}
	return url
}

// Overview summarises a collection.
type Overview struct {
	Captures int64
	Pages    int64
	First    time.Time // of the captures that have a time; zero if none has
	Last     time.Time
	// By are the most frequent values of language, mime, month, status, host, domain, page_type, source, filename and
	// record_type.
	// Distinct are the numbers of their values.
	By       map[string][]Group
	Distinct map[string]int64
}

// ErrNoIndex means that a collection without an index cannot answer quickly; Notes has the reason.
var ErrNoIndex = errors.New("contentdb: there is no index of the collection")

// Overview counts all captures for an overview, with top values of each field. By the index it takes 0.1 s for 20,000
// hosts and no time when repeated; without an index it is ErrNoIndex. The result must not be changed. A DB with limits
// has none.
func (db *DB) Overview(ctx context.Context, top int) (*Overview, error) {
	if db.limits != nil {
		return nil, ErrLimited
	}
	db.mu.Lock() // held while counting, so that only one of several callers counts
	defer db.mu.Unlock()
	if o := db.overview[top]; o != nil {
		return o, nil
	}
	o, err := db.count(ctx, top)
	if err == nil {
		db.overview = map[int]*Overview{top: o} // one entry suffices: programs repeat the same top
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

// Changed reports whether the collection has changed since Open, for example by a run. Answers are still the old ones;
// opening it again gives the new. It also reports a lost index, which makes answers slow. It reads the manifest, 1 MB
// for a thousand shards.
func (db *DB) Changed() (bool, error) {
	hash, err := manifestHash(db.part.Folder)
	return err == nil && (hash != db.seen || db.lost.Load()), err
}

// manifestHash identifies a manifest.
func manifestHash(f folder.Folder) (sum [sha256.Size]byte, err error) {
	r, err := f.Open(holdings.ManifestFile)
	if err != nil {
		return sum, err
	}
	// The content is hashed, because a run may write a manifest of the same size within a second.
	h := sha256.New()
	_, err = io.Copy(h, r)
	h.Sum(sum[:0])
	return sum, errors.Join(err, r.Close())
}
