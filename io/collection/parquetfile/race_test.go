//go:build race

package parquetfile

// Under the race detector Go checks unsafe pointers, and what parquet-go does with them in damaged files, elsewhere a
// panic that Read recovers from, then ends the process. And a document takes ten times as long to write.
func init() { checksPointers, memoryDocuments = true, 30_000 }
