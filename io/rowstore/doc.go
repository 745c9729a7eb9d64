// Package rowstore defines a table of rows whose cells have versions, as in HBase and Bigtable, with five methods: see
// [Store]. Its subpackages implement and use that contract:
//
//	memory           a table in memory: the reference
//	hbase            Apache HBase 2, by its own protocol
//	bigtable         Google's Bigtable
//	collectionstore  the documents of a collection as rows, read-only
//	webtable         documents and captures as rows: layout, queries and reading
//	sourcerow        the sources of a Source DB as rows
//	storetest        the contract of a Store as a test
//
// Writing and reading a table of pages:
//
//	err := s.Put(ctx, []rowstore.Row{{Key: "com,example)/", Cells: []rowstore.Cell{
//		{Family: "metadata", Qualifier: "mime", Time: captured, Value: []byte("text/html")},
//	}}})
//	for row, err := range s.Scan(ctx, rowstore.Prefix("com,example)")) { … }
//
// Of io, this wing imports collection. Sink and pipelines import it.
package rowstore
