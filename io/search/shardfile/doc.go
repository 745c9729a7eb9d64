// Package shardfile keeps small indexes of a collection: a file for each shard, beside the full-text index.
//
// A file has a magic number, what it was made of, the CRC-32C of the rest in little-endian bytes, and the rest. What it
// was made of is the digest and the length of the shard, and a key such as the model of vectors. A file of something
// else, or a damaged one, is made again. So the files may be removed at any time, and several processes may open them.
package shardfile
