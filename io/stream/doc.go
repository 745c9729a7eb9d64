// Package stream is the wing of byte streams. It holds no code of its own; its rooms know nothing of archives, and
// import no other wing:
//
//	inflate   deflate, zlib and gzip, decoded
//	zstd      zstd frames, decoded
//	lines     lines of text, bounded
//	jsonl     JSON lines, written and compressed
//	extsort   sorting of what does not fit into memory
//	member    gzip members, zstd and lz4 frames; resynchronisation, split points
package stream
