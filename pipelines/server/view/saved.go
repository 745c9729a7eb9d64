package view

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/saved"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// maxEntries limits a feed.
const maxEntries = 50

// saves returns the store of saved searches for its users, who have an account or are on loopback.
func (v *Views) saves(ctx context.Context) (*saved.Store, saved.Owner, error) {
	if err := Need(ctx, Viewer); err != nil {
		return nil, saved.Owner{}, err
	}
	a := ActorOf(ctx)
	if a.Visitor {
		return nil, saved.Owner{}, Need(WithActor(ctx, Actor{}), Viewer)
	}
	if v.o.Saved == nil {
		return nil, saved.Owner{}, notFound("This server keeps no searches", "Start it with --state=FOLDER.")
	}
	return v.o.Saved, saved.Owner{Name: a.Name, Since: a.Since}, nil
}

// Saved lists the saved searches of the user.
func (v *Views) Saved(ctx context.Context, _ SavedRequest) (*SavedList, error) {
	start := v.o.Now()
	s, owner, err := v.saves(ctx)
	if err != nil {
		return nil, err
	}
	list := &SavedList{Searches: []SavedRow{}, CSRF: ActorOf(ctx).CSRF}
	for _, one := range s.List(owner) {
		row, err := v.savedRow(ctx, one)
		if err != nil {
			return nil, err
		}
		list.Searches = append(list.Searches, row)
	}
	list.Took = v.since(start)
	return list, nil
}

// SavedOne returns one saved search of the user.
func (v *Views) SavedOne(ctx context.Context, r SavedOneRequest) (*SavedRow, error) {
	_, _, one, err := v.savedOf(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	row, err := v.savedRow(ctx, one)
	return &row, err
}

// savedOf returns a saved search of the user.
func (v *Views) savedOf(ctx context.Context, id string) (*saved.Store, saved.Owner, saved.Search, error) {
	s, owner, err := v.saves(ctx)
	if err != nil {
		return nil, owner, saved.Search{}, err
	}
	one, err := s.Get(id)
	if err != nil || !owner.Owns(one) {
		return nil, owner, saved.Search{}, noSaved()
	}
	return s, owner, one, nil
}

func noSaved() error {
	e := notFound("There is no such saved search", "See your saved searches.")
	e.Link = SavedPath
	return e
}

// requestOf returns the search that was saved, without its place in the list.
func requestOf(one saved.Search) (r SearchRequest, err error) {
	values, err := url.ParseQuery(one.Query)
	if err != nil {
		return r, invalid("query", one.Query, "It is not parameters of a search, such as query=harbour&lang=fr.")
	}
	if err := Decode(values, &r); err != nil {
		return r, err
	}
	r.Collection, r.Cursor, r.Limit, r.Facets = one.Collection, "", 0, ""
	_, err = r.question()
	return r, err
}

// savedRow describes a saved search, with its counts for the user.
func (v *Views) savedRow(ctx context.Context, one saved.Search) (SavedRow, error) {
	row := SavedRow{
		ID: one.ID, Name: one.Name, Collection: one.Collection, Query: one.Query, Captures: -1, New: -1,
		Created: rfc3339(one.Created), Open: SavedPath + "/" + one.ID, Feed: SavedPath + "/" + one.ID + "/feed.atom",
	}
	r, err := requestOf(one)
	if err != nil {
		return row, nil // an older version saved it
	}
	row.Link = r.link()
	_, now, release, err := v.open(ctx, one.Collection)
	if err != nil {
		return row, nil // the collection is not here any more
	}
	defer release()
	where, err := r.where()
	if err != nil {
		return row, nil
	}
	batches, err := v.batches(ctx, one.Collection, now)
	if err != nil {
		return row, changed(err)
	}
	late, err := within(ctx, v.countTime, func(ctx context.Context) error {
		if row.Captures, err = now.DB.Count(ctx, query.Query{Where: where, AllVersions: true}); err != nil {
			return err
		}
		row.New, err = now.DB.Count(ctx, query.Query{Where: since(where, batches, one.Seen), AllVersions: true})
		return err
	})
	if late {
		row.Captures, row.New, err = -1, -1, nil
	}
	return row, changed(err)
}

// batches returns when archives came into a collection: those that this server has not seen yet came with its last run.
func (v *Views) batches(ctx context.Context, name string, now *shelf.Snapshot) ([]saved.Batch, error) {
	whole := now.Whole()
	return shelf.Once(whole, "batches", func() ([]saved.Batch, error) {
		groups, err := whole.DB.Facets(context.WithoutCancel(ctx), query.Query{AllVersions: true}, []string{"filename"}, 0)
		if err != nil {
			return nil, err
		}
		at := v.o.Now()
		if runs, err := keptRuns(v.shelf.Find(name), whole); err == nil && len(runs) > 0 {
			if t, ok := query.ParseTime(runs[len(runs)-1].Started); ok {
				at = t
			}
		}
		var files []string
		for _, g := range groups {
			files = append(files, g.Values[0])
		}
		return v.o.Saved.Arrived(name, whole.Order, at.Truncate(time.Second), files)
	})
}

// since narrows a filter to the captures of batches after a number.
func since(where query.Expr, batches []saved.Batch, number int64) query.Expr {
	var files []query.Expr
	for _, b := range batches {
		if b.Number > number {
			files = append(files, filesOf(b)...)
		}
	}
	return inFiles(where, files)
}

func filesOf(b saved.Batch) (files []query.Expr) {
	for _, name := range b.Files {
		files = append(files, &query.Compare{Field: "filename", Op: query.Equal, Value: query.Value{Text: name}})
	}
	return files
}

// inFiles narrows a filter to the captures of some files.
func inFiles(where query.Expr, files []query.Expr) query.Expr {
	in := &query.Or{List: files}
	if where == nil {
		return in
	}
	return &query.And{List: []query.Expr{where, in}}
}

// Save saves a search of the user.
func (v *Views) Save(ctx context.Context, r SaveRequest) (*SavedRow, error) {
	s, owner, err := v.saves(ctx)
	if err != nil {
		return nil, err
	}
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	one := saved.Search{Name: r.Name, Collection: c.Name(), Query: r.Query, Created: v.o.Now()}
	// A clock that was set back must not make it one of an earlier account.
	if one.Created.Before(owner.Since) {
		one.Created = owner.Since
	}
	asked, err := requestOf(one)
	if err != nil {
		return nil, err
	}
	asked.Collection = ""
	one.Query = Encode(asked).Encode()
	if _, err := v.batches(ctx, c.Name(), now); err != nil {
		return nil, changed(err)
	}
	if one, err = s.Add(owner, one); err != nil {
		return nil, invalid("name", r.Name, err.Error())
	}
	row, err := v.savedRow(ctx, one)
	return &row, err
}

// FeedOf returns the path of the feed of a search, if the user has saved it, or "".
func (v *Views) FeedOf(ctx context.Context, s *Search) string {
	store, owner, err := v.saves(ctx)
	if err != nil {
		return ""
	}
	r := s.Request
	r.Collection, r.Cursor, r.Limit, r.Facets = "", "", 0, ""
	query := Encode(r).Encode()
	for _, one := range store.List(owner) {
		if one.Collection == s.Collection && one.Query == query {
			return SavedPath + "/" + one.ID + "/feed.atom"
		}
	}
	return ""
}

// Rename gives a saved search another name.
func (v *Views) Rename(ctx context.Context, id, name string) (*SavedRow, error) {
	s, owner, _, err := v.savedOf(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := s.Change(owner, id, func(o *saved.Search) { o.Name = name }); err != nil {
		return nil, invalid("name", name, err.Error())
	}
	return v.SavedOne(ctx, SavedOneRequest{id})
}

// Unsave removes a saved search.
func (v *Views) Unsave(ctx context.Context, r SavedOneRequest) (*SavedList, error) {
	s, owner, _, err := v.savedOf(ctx, r.ID)
	if err == nil {
		err = s.Remove(owner, r.ID)
	}
	if err != nil {
		return nil, err
	}
	return v.Saved(ctx, SavedRequest{})
}

// SavedLink returns the link to a saved search of the user.
func (v *Views) SavedLink(ctx context.Context, id string) (string, error) {
	_, _, one, err := v.savedOf(ctx, id)
	if err != nil {
		return "", err
	}
	r, err := requestOf(one)
	return r.link(), err
}

// Seen notes that the user has seen all captures of a saved search.
func (v *Views) Seen(ctx context.Context, r SavedOneRequest) (*SavedRow, error) {
	s, owner, one, err := v.savedOf(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	_, now, release, err := v.open(ctx, one.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	batches, err := v.batches(ctx, one.Collection, now)
	if err != nil {
		return nil, changed(err)
	}
	if len(batches) > 0 {
		seen := func(o *saved.Search) { o.Seen = batches[len(batches)-1].Number }
		if err := s.Change(owner, r.ID, seen); err != nil {
			return nil, err
		}
	}
	return v.SavedOne(ctx, r)
}

// Feed returns the feed of a saved search, with the captures that its reader may see. An address gives the search to
// all its readers, but gives them no rights.
func (v *Views) Feed(ctx context.Context, id string) (*SavedFeed, error) {
	if err := Need(ctx, Viewer); err != nil {
		return nil, err
	}
	if v.o.Saved == nil {
		return nil, noSaved()
	}
	one, err := v.o.Saved.Get(id)
	if err != nil {
		return nil, noSaved()
	}
	r, err := requestOf(one)
	if err != nil {
		return nil, err
	}
	where, err := r.where()
	if err != nil {
		return nil, err
	}
	_, now, release, err := v.open(ctx, one.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	batches, err := v.batches(ctx, one.Collection, now)
	if err != nil {
		return nil, changed(err)
	}
	f := &SavedFeed{
		ID: "urn:gleaner:saved:" + one.ID, Title: one.Name, Link: r.link(), Updated: rfc3339(one.Created),
	}
	late, err := within(ctx, v.findTime, func(ctx context.Context) error {
		return f.fillAll(ctx, now, one.Collection, where, batches)
	})
	if late {
		// A feed with some entries only would look like one without news.
		return nil, &Error{
			Kind: NotReady, Title: "This feed takes too long", Detail: "Its captures could not be found in time.",
			Remedy: "Narrow the search by a host, a language or a span of time, and save it again.", Retry: 3600,
		}
	}
	if err != nil {
		return nil, changed(err)
	}
	if len(f.Entries) > 0 {
		f.Updated = f.Entries[0].Updated
	}
	return f, nil
}

// fillAll adds the captures of the latest batches.
func (f *SavedFeed) fillAll(
	ctx context.Context, now *shelf.Snapshot, collection string, where query.Expr, batches []saved.Batch,
) error {
	batches = slices.DeleteFunc(slices.Clone(batches), func(b saved.Batch) bool { return len(b.Files) == 0 })
	for i, b := range slices.Backward(batches) {
		of := inFiles(where, filesOf(b))
		if i == 0 && len(batches) == 1 {
			of = where // of tens of thousands of archives, a test of each name takes long
		}
		if err := f.fill(ctx, now, collection, of, b.At); err != nil || len(f.Entries) == maxEntries {
			return err
		}
	}
	return nil
}

// fill adds the captures of a batch, the newest first.
func (f *SavedFeed) fill(
	ctx context.Context, now *shelf.Snapshot, collection string, where query.Expr, at time.Time,
) error {
	q := query.Query{Where: where, AllVersions: true, Limit: maxEntries - len(f.Entries)}
	a, err := now.DB.Ask(ctx, contentdb.Request{Query: q, Columns: captureColumns})
	if err != nil {
		return err
	}
	for _, row := range a.Rows {
		c := captureOf(collection, row.Document)
		f.Entries = append(f.Entries, SavedEntry{
			ID: entryID(collection, row.Document), Title: cmp.Or(c.Title, c.URL), URL: c.URL, Link: c.Link,
			Captured: c.Timestamp,
			Updated:  rfc3339(at),
		})
	}
	return nil
}

// entryID identifies a capture: it stays the same as long as its archive is the same.
func entryID(collection string, d *schemas.Document) string {
	sum := sha256.Sum256([]byte(collection + "\x00" + placeOf(d)))
	return "urn:gleaner:capture:" + hex.EncodeToString(sum[:16])
}
