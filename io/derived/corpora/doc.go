// Package corpora makes training corpora from collections: filtered, without duplicates, in the columns that training
// tools expect. It has the steps of the command corpus without Beam, and the files between them.
//
//	sign    a unit of a collection: filters its documents, and writes rows (stage) and small signatures of their texts
//	exact   all signatures: numbers the documents in one order, and keeps one document for each URL, body or text
//	band    one band of the signatures: finds pairs of near-duplicates
//	unite   all pairs: forms clusters, keeps one document of each, draws samples, and plans the shards
//	shard   a range of the order: gathers rows from the stages of all units and writes them
//	finish  all shards: writes report, dataset card and manifest
//
// Only the steps sign and shard read and write texts, which cross no shuffle: the others use about 200 bytes a
// document. Documents are sorted by their IDs, which are hashes. So the order is a shuffle, and neither order nor
// division of the inputs changes the output.
//
// Each step leaves a file whose name is a hash of everything that it depends on. An existing file is reused, which is
// how a killed run continues. Memory is limited by sorting, and by 9 bytes a document in exact and unite.
package corpora
