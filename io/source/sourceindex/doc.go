// Package sourceindex answers queries about a Source DB in milliseconds. It lists the sources that match a filter, page
// by page, and one source with its items. It counts sources by kind and frequency, and finds due ones.
//
// It keeps a SQLite database of one generation, beside the Source DB or anywhere else, for any SQLite:
//
//	source   one row a source, with the columns for queries; feeds that are equal to another have none
//	alias    such feeds: ID and URL, ID of the representative source, and the evidence
//	detail   the whole row (schemas.Source) as JSON, the newest items of the feed, and the dates of all known ones
//	page     of each captured page of a source, the hash of its URL (source.LinkKey) and the source's row
//	about    the generation
//
// The database is derived from the shards of the Source DB, and made again for each generation (600,000 sources in less
// than a minute). It is never changed in place, so readers need no lock.
//
//	x, err := sourceindex.Open(ctx, f, "/var/cache/sources.sqlite")
//	page, err := x.List(ctx, sourceindex.Query{Filter: sourceindex.Filter{Verdict: "valid"}, Order: sourceindex.ByRate})
package sourceindex
