// Package lake keeps an Apache Iceberg table of a collection: the folder's Parquet shards, registered where they are
// and as they are, so that Spark, Trino, Flink, DuckDB, pyiceberg and others read the collection as one table, with
// snapshots.
//
//	snapshot, err := lake.Sync(ctx, f, lake.Options{}) // after a run: the table now has what the manifest has
//	t, err := lake.Open(ctx, f, lake.Options{})
//	files, err := t.Plan(ctx, lake.Point{}, q)         // the shards that may hold rows of a query
//
// The table is of format version 2 (https://iceberg.apache.org/spec). Its metadata is in the folder's metadata/, as the
// Hadoop catalogue has it: v1.metadata.json, v2.metadata.json … and version-hint.text. A version is written under its
// name only when no file has that name, by a hard link on a disk and by a conditional put in a bucket. So of several
// processes that commit at once one succeeds; the others load what it wrote and redo their change on that. With
// Options.Catalogue the newest version is known to a REST, Glue or SQL catalogue instead.
//
// The library is github.com/apache/iceberg-go, and this package is the only one that imports it. Here it plans and
// writes manifests; commits are ours, since the library repeats one by adding the same files to whatever is there then.
//
// It is the wing of the table; its one room is catalogue, which links clients of catalogues.
//
// Metadata is read with bounds, and names no file outside of the folder; the avro files in it are read by the library.
package lake
