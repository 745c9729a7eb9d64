// Package meaningindex finds the passages of a collection whose meaning is near a text, by vectors of package
// transforms/meaning.
//
//	x, err := meaningindex.Open(ctx, meaningindex.Source{Dir: dir, Shards: shards, Documents: read, Model: m})
//	hits := x.Find(meaningindex.Query{Vector: v, Limit: 20})
//
// A text is divided into passages of 100 to 200 words. Each has a vector, which includes the title of the page. A
// search compares the signs of all vectors that it may see, and then the best few thousand by 8-bit numbers. There is
// no graph or tree of neighbours. A million passages take some milliseconds, a filter hides no neighbour, and an
// added shard changes nothing else.
//
// The index is derived from the shards of documents. Each shard has one file, documents-UNIT.meaning, which names the
// shard's hash and the model. For a model of the user it is documents-UNIT.MODEL.meaning, beside the others. If the
// shard or the standard model changes, the file is made again. The same shard always gives the same bytes, so no lock
// is needed. A file has vectors, hashes and offsets, and no words. It is read into memory as a whole, which takes about
// 300 bytes for each passage.
package meaningindex
