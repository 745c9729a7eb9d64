// Package stream is the parent of the packages for byte streams. It has no code of its own. Its subpackages know
// nothing of archives, and import no packages outside stream:
//
//	inflate   decodes deflate, zlib and gzip
//	zstd      decodes zstd frames
//	lines     lines of text, limited in length
//	jsonl     JSON lines, written and compressed
//	extsort   sorts data that do not fit into memory
//	member    gzip members, zstd and lz4 frames; resynchronisation, split points
//
// Archive, work, collection, search, source, derived, dataset and pipelines import this wing. Transforms import
// inflate.
package stream
