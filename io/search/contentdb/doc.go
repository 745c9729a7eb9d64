// Package contentdb answers questions about a collection: which captures it has that a filter takes, the newest version
// of each page or all of them, as they stand now or as they stood at a moment.
//
//	db, err := contentdb.Open(ctx, f, contentdb.Options{})
//	defer db.Close()
//	q := query.Query{Where: where, Limit: 20}
//	for d, err := range db.Find(ctx, q, []string{"url", "title"}) { … }
//
// There are three ways to an answer, and each gives the same rows in the same order:
//
//   - the index (package index), where it is there and knows what is asked;
//   - the pages of Parquet shards that may hold an answer (package parquetscan);
//   - shards of JSON lines, read whole.
//
// The last two are one: a collection may have shards of both kinds. Explain says which way a question goes, and why.
// The index is brought up to date when the DB is opened, unless Options.NoIndex says otherwise.
//
// Memory is bounded by Options.MemoryBytes, whatever a question gives: what does not fit is sorted on the disk.
//
// A program that shows answers to people asks for pages (Ask): rows with excerpts, the mark of where the next page
// begins, a count and facets, in one call. Overview says what there is as a whole, Versions which captures a page has.
//
//	a, err := db.Ask(ctx, contentdb.Request{
//		Query: q, Columns: []string{"url", "title"}, Excerpt: 200, Facets: []string{"lang"},
//	})
//	q.After = a.Next // for the next page; nil at the end
//
// What it does not do: it changes nothing in the collection but its index, which can be removed at any time.
package contentdb
