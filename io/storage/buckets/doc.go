// Package buckets registers gs:// and s3:// with package blob, with the client libraries of Google and Amazon. Commands
// import it for this effect alone. A program that is built with -tags local has neither, and one with -tags nos3 has
// gs:// only.
//
//	import _ "github.com/gleaner-web/gleaner/io/storage/buckets"
package buckets
