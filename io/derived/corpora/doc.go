// Package corpora makes corpora for training out of collections: filtered, without duplicates, in the columns that
// training tools expect. It is the steps of the command corpus without Beam, and the files between them.
//
//	sign    a unit of a collection: its documents are filtered, and what passes is written twice: as rows (stage) and as
//	        small signatures of their texts
//	exact   all signatures: documents get numbers in one order, and of those with one URL, body or text one stays
//	band    one band of the signatures: pairs of near-duplicates
//	unite   all pairs: clusters, of which one document stays; samples; the plan of the shards
//	shard   a stretch of the order: rows are gathered from the stages of all units and written
//	finish  all shards: report, dataset card and manifest
//
// A text is read and written by the steps sign and shard alone, and crosses no shuffle: what the others see is some
// 200 bytes a document. The order of documents is that of their ids, which are hashes of what they are: so it is a
// shuffle, and neither the order nor the division of the inputs changes a byte.
//
// Each step leaves a file whose name is a hash of all that it depends on. One that is there is not made again: that is
// how a killed run goes on. Memory is what sorting may hold, and for each document 9 bytes in exact and unite.
package corpora
