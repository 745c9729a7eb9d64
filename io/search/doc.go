// Package search is the wing that answers questions about a collection. It holds no code of its own; its rooms are,
// from the ground up:
//
//	parquetscan  rows of Parquet shards that a filter takes, without an index
//	revisit      the capture that a revisit refers to, for every way to an answer
//	index        the index of a collection: SQLite with full text
//	contentdb    one answer whatever there is: from the index, from Parquet or from JSON lines
//	contentsql   questions in SQL, by virtual tables over contentdb
package search
