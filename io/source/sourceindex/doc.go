// Package sourceindex answers questions about a Source DB in milliseconds: which sources a filter takes, page by page,
// one source with its items, how many there are of a kind, how often they publish, and what is due.
//
// It keeps a SQLite database of one generation, beside the Source DB or anywhere else, which any SQLite opens:
//
//	source   one row a source, with the columns that are asked for; feeds that are the same as another have none
//	alias    such feeds: id and URL, the id of the source that stands for them, and the evidence
//	detail   the whole row (schemas.Source) as JSON, the newest items of the feed, and the dates of all that are known
//	page     of each captured page of a source, the hash of its URL (source.LinkKey) and the source's row
//	about    of which generation it is
//
// The truth are the shards of the Source DB: the database is made of them, whole, and made again for each generation
// (600,000 sources in less than a minute). So nothing here is ever changed in place, and readers need no lock.
//
//	x, err := sourceindex.Open(ctx, f, "/var/cache/sources.sqlite")
//	page, err := x.List(ctx, sourceindex.Query{Filter: sourceindex.Filter{Verdict: "valid"}, Order: sourceindex.ByRate})
package sourceindex
