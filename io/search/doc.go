// Package search holds the packages that search a collection; it has no code of its own. From the bottom up, they are:
//
//	parquetscan  rows of Parquet shards that match a filter, without an index
//	revisit      the capture that a revisit refers to
//	index        the index of a collection: SQLite with full text
//	contentdb    one answer from the index, from Parquet or from JSON lines
//	contentsql   questions in SQL, by virtual tables over contentdb
//
// Of io, this wing imports collection, storage and stream. Beam and pipelines import it.
package search
