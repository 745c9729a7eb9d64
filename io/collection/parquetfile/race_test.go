//go:build race

package parquetfile

// The race detector checks unsafe pointers. What parquet-go does with them in damaged files then ends the process, and
// is otherwise a panic that Read recovers from. Writing a document takes ten times as long.
func init() { checksPointers, memoryDocuments = true, 30_000 }
