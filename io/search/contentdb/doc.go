// Package contentdb searches a collection. It finds the captures that match a filter: the newest version of each page
// or all versions, as of now or of an earlier moment.
//
//	db, err := contentdb.Open(ctx, f, contentdb.Options{})
//	defer db.Close()
//	q := query.Query{Where: where, Limit: 20}
//	for d, err := range db.Find(ctx, q, []string{"url", "title"}) { … }
//
// There are three ways to an answer, all with the same rows in the same order:
//
//   - the index (package index), if it exists and knows the columns;
//   - pages of Parquet shards that may match (package parquetscan);
//   - shards of JSON lines, read whole.
//
// The last two work together, because a collection may have shards of both kinds. Explain says how a query is answered,
// and why. Open brings the index up to date, unless Options.NoIndex is set.
//
// Options.MemoryBytes limits memory whatever the answer: larger answers are sorted on disk.
//
// A program that shows answers to people calls Ask for pages: rows with excerpts, the mark of the next page, a count
// and facets. Overview summarises the collection; Versions finds the captures of a page.
//
//	a, err := db.Ask(ctx, contentdb.Request{
//		Query: q, Columns: []string{"url", "title"}, Excerpt: 200, Facets: []string{"lang"},
//	})
//	q.After = a.Next // for the next page; nil at the end
//
// The package only changes the collection's index, which can be removed at any time.
package contentdb
