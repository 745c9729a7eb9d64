// Package access decides what a reader of the server may see of a collection, by the rules of a file:
//
//	f, err := access.Open("access.yml")
//	may, err := f.Rules().For(access.Reader{Role: "viewer", Address: ip}, "out", time.Now())
//	db, err = db.Limited(ctx, may.Limits)
//
// The rules become filters of the query language. So searches and counts are made as if the other captures did not
// exist. docs/access.md describes the file. Only packages of the server import this package.
package access
