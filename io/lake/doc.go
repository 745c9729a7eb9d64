// Package lake keeps an Apache Iceberg table of a collection. It registers the folder's Parquet shards in place and
// unchanged. So Spark, Trino, Flink, DuckDB, pyiceberg and others read the collection as one table with snapshots.
//
//	snapshot, err := lake.Sync(ctx, f, lake.Options{}) // after a run: brings the table to the manifest
//	t, err := lake.Open(ctx, f, lake.Options{})
//	files, err := t.Plan(ctx, lake.Point{}, q)         // the shards that may hold rows of a query
//
// The table has format version 2 (https://iceberg.apache.org/spec). Its metadata is in the folder's metadata/, in the
// layout of the Hadoop catalogue: v1.metadata.json, v2.metadata.json … and version-hint.text. A version is written only
// if no file has its name. A hard link ensures this on a disk, and a conditional put in a bucket. So if several
// processes commit at once, one succeeds; the others load its version and repeat their change on top of it. With
// Options.Catalogue a REST, Glue or SQL catalogue knows the newest version instead.
//
// Only this package imports the library, github.com/apache/iceberg-go. The library plans and writes manifests. Commits
// are our own code, because the library repeats a commit by adding the same files to the new state of the table.
//
// Subpackage catalogue links the clients of catalogues.
//
// Metadata may come from anybody: the package limits its size and refuses names outside the folder. The library reads
// the Avro files in it.
//
// Of io, this wing imports collection and storage. Only pipelines import it.
package lake
