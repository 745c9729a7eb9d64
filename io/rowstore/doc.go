// Package rowstore is a table of rows whose cells have versions, as HBase and Bigtable keep them, after five methods:
// see [Store]. It is also the wing of what keeps that contract:
//
//	memory           a table in memory: the reference
//	hbase            Apache HBase 2, by its own protocol
//	bigtable         Google's Bigtable
//	collectionstore  the documents of a collection as rows, to be read
//	webtable         documents and captures as rows: how they are laid out, found and read back
//	storetest        the contract of a Store as a test
//
// A table of pages is written and read like this:
//
//	err := s.Put(ctx, []rowstore.Row{{Key: "com,example)/", Cells: []rowstore.Cell{
//		{Family: "metadata", Qualifier: "mime", Time: captured, Value: []byte("text/html")},
//	}}})
//	for row, err := range s.Scan(ctx, rowstore.Prefix("com,example)")) { … }
package rowstore
