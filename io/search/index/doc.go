// Package index searches a collection in milliseconds. It finds the captures that match a filter: the newest of each
// page, all versions, or the archive at a moment. It counts them, also by language, type or host.
//
//	x, err := index.Open(ctx, f, index.Options{})
//	defer x.Close()
//	part, _, err := holdings.Whole(f)
//	report, err := x.Update(ctx, part) // only shards that are new, changed or gone
//	for hit, err := range x.Find(ctx, query.Query{Where: e, Limit: 20}, verify) { … }
//
// The index is derived from the shards: removing it loses nothing, and a damaged index or one of another version is
// made again. It is in .gleaner/index of a local collection, and in the user's cache folder for others:
//
//	index.db   versions, pages, names, bitmaps: plain SQLite for any program; the view "document" has everything
//	text.db    terms of texts and titles for FTS5; versions with the same text share one
//	2026-03/   beyond Options.VolumeRows versions: such files for the shards whose first capture is of a month; 2026-03.2
//	           and so on if these have more
//
// Fields of few values have roaring bitmaps, whose values are tested once each as query.Match tests them, so that both
// agree. Times, SURTs and URLs are ranges, words are FTS5's, and other fields of a Hit are tested on hits. The rest of
// a filter, such as phrases, is left to callers, which read the documents that Hit.Shard and Hit.Row name. Split
// divides a filter accordingly.
//
// One process writes, under a lock; others use the index as it is, and see each shard completely or not at all.
// Processes may be killed at any moment. The index stores no texts, and reads documents only during updates.
package index
