// Package sourcedb keeps the Source DB: a folder of what is known of feeds, which grows crawl after crawl.
//
//	sources-00000-1f0c36a9b2d47e58c3aa.jsonl.zst   one line a source, sorted by key: schemas.Source
//	links-00000-….jsonl.zst                        one line for each captured page of a source: which page is whose
//	states-00000-….bin.s2                          what is kept of each feed: package transforms/source
//	pages-202611-00000-….bin.s2                    what is kept of each captured page that an item may link to, by month
//	redirects-202611-00000-….bin.s2                which of these are redirected: what the month changes of those before
//	facts-00000-….bin.s2                           what the next generation needs of a source that it does not meet
//	shared-00000-….bin.s2                          links that items of several feeds have
//	manifest.json                                  written last: names all files of this generation
//	.gleaner/                                      marker, lock, and the parts that units of collections gave
//
// The truth are the states and the pages, both sorted, both merged as streams with what a crawl adds (see Update).
// Each record is an element of a join-semilattice under its key, so the order of crawls, their number and repeats make
// no difference: the same set of collections gives the same bytes. The sources are a function of the two, made again in
// each generation by joining feeds to the pages that their items link to.
//
// Pages are in files by the month of their capture (period.go), so that a crawl leaves those of other months alone.
// Pages are kept for the sake of that: a feed that is captured in May may link to a page that was captured in March, by
// a crawl whose collection is not named any more. A page takes some hundred bytes.
//
// It reads collections and knows nothing of Beam. Sorting is external, so memory
// does not grow with the number of feeds.
package sourcedb
