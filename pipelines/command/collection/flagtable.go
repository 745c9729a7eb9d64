package collection

import "github.com/gleaner-web/gleaner/pipelines/cli"

// The headings of --help.
const (
	which      = "The collection"
	compacting = "compact"
	old        = "expire"
	others     = "Others"
)

// flagTable describes the command's flags; parse says what kind of value each takes.
var flagTable = []cli.Flag{
	{
		Name: "collection", Default: "out", Group: which, Example: "gs://bucket/out", Brief: "folder that ingest wrote",
		Help: "folder that ingest wrote: a path, gs://bucket/name or s3://bucket/name",
	},
	{
		Name: "cluster", Default: "features", Group: compacting, Example: "url", Values: []string{"features", "url"},
		Brief: "what rows are sorted by: features or url",
		Help: "what the rows of a month are sorted by: features (language, type, SURT, time), which makes shards smaller " +
			"and \"all French PDFs\" quick without an index; or url (SURT, time), for versions of pages and all of a host",
	},
	{
		Name: "memory", Default: "256MiB", Group: compacting, Example: "1GiB",
		Help: "of documents while they are sorted; more is sorted in the collection's hidden folder",
	},
	{
		Name: "shard_size", Default: "2GiB", Group: compacting, Example: "512MiB",
		Help: "of documents, uncompressed, after which a month continues in another shard",
	},
	{
		Name: "keep", Default: "1", Group: old, Example: "5", Brief: "expire: how many snapshots stay",
		Help: "how many of the newest snapshots stay, whatever their age",
	},
	{
		Name: "older_than", Group: old, Example: "2026-10", Brief: "expire: snapshots made before then",
		Help: "remove snapshots that were made before this date; without it all but those of --keep",
	},
	{
		Name: "dry_run", Default: "false", Group: old, Example: "true",
		Help: "say which snapshots would go, and remove nothing",
	},
	{
		Name: "columns", Default: "false", Group: others, Example: "true",
		Help: "check: also look at each cell of the Parquet shards; those of earlier versions may have an empty text, 0, " +
			"false or {} in place of null",
	},
	{
		Name: "reason", Group: others, Example: "'request 17'", Brief: "takedown: for the log",
		Help: "takedown: what the log says beside the time; it stays in the collection, so it should not name the page",
	},
	{
		Name: "hbase", Group: others, Example: "hbase://127.0.0.1:16000/pages?row_key=url",
		Help: "takedown: tables of HBase to remove the rows from, too, in place of those that the collection was written " +
			"to, which its manifest names",
	},
	{
		Name: "location", Group: others, Example: "file:///mnt/data/out",
		Help: "lake: the URI by which other programs find the folder, where that is another",
	},
	{
		Name: "catalogue", Group: others, Example: "catalogue.yml",
		Help: "file that names a catalogue (REST, Glue or SQL) which keeps the Iceberg table, in place of the folder: " +
			"lines of `property: value`; docs/iceberg.md has them. A collection whose table one keeps is given it each time",
	},
	{
		Name: "rebuild", Default: "false", Group: others, Example: "true",
		Help: "index: make it again, even if it is complete",
	},
}
