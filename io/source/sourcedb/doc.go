// Package sourcedb keeps the Source DB: a folder with everything known about feeds, which grows with each crawl.
//
//	sources-00000-1f0c36a9b2d47e58c3aa.jsonl.zst   one line a source, sorted by key: schemas.Source
//	links-00000-….jsonl.zst                        one line for each captured page of a source
//	states-00000-….bin.s2                          the state of each feed: package transforms/source
//	pages-202611-00000-….bin.s2                    each captured page that an item may link to, by month
//	redirects-202611-00000-….bin.s2                the month's changes to the redirects of earlier months
//	facts-00000-….bin.s2                           values that the next generation needs of sources that it does not meet
//	shared-00000-….bin.s2                          links that items of several feeds share
//	manifest.json                                  written last: names all files of this generation
//	.gleaner/                                      marker, lock, and parts from units of collections
//
// The states and the pages are the primary data. Both are sorted, and merged as streams with the data of a crawl (see
// Update). Each record is an element of a join-semilattice under its key, so the order, number and repetition of crawls
// do not matter. The same set of collections gives the same bytes. The sources are derived: each generation joins feeds
// to the pages that their items link to.
//
// Pages are in files by the month of their capture (period.go), so that a crawl leaves other months alone. They are
// kept because a feed in May may link to a page that an earlier crawl captured in March. A page takes about a hundred
// bytes.
//
// The package reads collections and does not depend on Beam. Sorting is external, so memory does not grow with the
// number of feeds.
package sourcedb
