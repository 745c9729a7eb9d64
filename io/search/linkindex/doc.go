// Package linkindex finds the links of a collection by their targets, their pages and their hosts in milliseconds.
//
//	r, err := linkindex.Update(ctx, dir, part) // only shards that are new, changed or gone
//	x, err := linkindex.Open(dir, part)
//	defer x.Close()
//	refs, more, err := x.Into(ctx, "org,example)/", 1000) // links to a page
//	for p, err := range x.Pages() { … }       // pages with the hosts that they link to
//	for l, err := range x.Links(ctx, refs) { … } // rows of the shards
//
// The index is derived from the shards links-UNIT.parquet. Each shard has one file, links-UNIT.links, which names the
// shard's hash. So the index grows with the collection, a changed shard has its file made again, and the file of a
// removed shard goes with it. The same shard always gives the same bytes. So no lock is needed, and Check makes each
// file again to compare it. Files have no texts and no URLs; links are read from the shards.
//
// A file has a header, then five sections, all numbers little-endian:
//
//	hosts     names, each after its length as a varint
//	pages     records of 44 bytes, in the order of the shard: see pageBytes
//	targets   of each page: the number of hosts, then host, and links by place (main, navigation, other), as varints
//	sources   hashes of the pages' SURTs with the page's number, sorted: 12 bytes each
//	inverse   hashes of the targets' SURTs with the row's number, sorted: 12 bytes each
//
// Hashes are the first 64 bits of SHA-256. Readers of links compare the SURT as well.
package linkindex
