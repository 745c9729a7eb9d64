// Package buckets makes gs:// and s3:// known to package blob, with the client libraries of Google and Amazon: for
// commands, which import it for that alone. A program that is built with -tags local does without both.
//
//	import _ "github.com/gleaner-web/gleaner/io/storage/buckets"
package buckets
