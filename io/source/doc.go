// Package source is the wing of sources of news: feeds, and what is known of them crawl after crawl. It holds no code
// of its own:
//
//	sourcedb     the Source DB, made of collections
//	sourceindex  questions about a Source DB, in SQLite
//	crawl        visits of feeds that are due, kept as WARC files
package source
