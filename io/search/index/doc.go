// Package index answers questions about a collection in milliseconds: which captures a filter takes, the newest of each
// page, all versions, or the archive as it stood at a moment; how many there are, and by language, type or host.
//
//	x, err := index.Open(ctx, f, index.Options{})
//	defer x.Close()
//	part, _, err := holdings.Whole(f)
//	report, err := x.Update(ctx, part) // only the shards that are new, changed or gone
//	for hit, err := range x.Find(ctx, query.Query{Where: e, Limit: 20}, verify) { … }
//
// It is derived from the shards: removing it loses nothing, and one that is damaged or of another version is made
// again. It lives in .gleaner/index of a local collection, and among the user's caches for others:
//
//	index.db   versions, pages, names, bitmaps: plain SQLite, which any program opens; the view "document" has it all
//	text.db    the terms of texts and titles for FTS5; versions with the same text share one
//	2026-03/   above Options.VolumeRows versions, the shards of which a month's capture is the first, likewise
//
// What it decides: fields of few values by bitmaps (roaring), whose values are tested once each as query.Match tests
// them, so that both agree; times, SURTs and URLs by ranges; words by FTS5; other fields that a Hit has, on the hits.
// The rest of a filter (phrases, say) is for the caller, who reads the documents that Hit.Shard and Hit.Row name. Split
// tells which is which.
//
// One process writes, by a lock; others continue with what there is, and see of each shard all or nothing. It may be
// killed at any moment. What it does not do: it reads no documents but when it is brought up to date, and it keeps no
// texts.
package index
