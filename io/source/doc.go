// Package source holds the packages about sources of news, which are feeds. It has no code of its own:
//
//	sourcedb     the Source DB, made of collections
//	sourceindex  questions about a Source DB, in SQLite
//	crawl        visits of feeds that are due, kept as WARC files
//
// Of io, this wing imports collection, archive, storage and stream. Only pipelines import it.
package source
