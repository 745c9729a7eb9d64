// Package imageindex finds the images of a collection by words of the pages that show them, by their own fields, and
// by likeness.
//
//	x, err := imageindex.Open(ctx, imageindex.Source{Dir: dir, Shards: shards, Documents: read})
//	found := x.Find(imageindex.Query{Words: "red boat", Limit: 60})
//
// An image is a capture whose payload is one. Captures with the same digest are one image. Words are those of the
// alternative text and caption on a page, of the page's title, and of the file's name.
//
// The index is derived from the shards of documents. Each shard has one file, documents-UNIT.images, which names the
// shard's hash, so a changed shard has its file made again. The same shard always gives the same bytes, so no lock is
// needed. A file has terms of texts, hashes and numbers. It is read into memory as a whole, which takes about 100 bytes
// for each image and for each page that shows it.
package imageindex
