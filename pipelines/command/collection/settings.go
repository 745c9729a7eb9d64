package collection

import "github.com/gleaner-web/gleaner/io/storage/setting"

// The headings of --help.
const (
	which      = "The collection"
	compacting = "compact"
	old        = "expire"
	others     = "Others"
)

func (c *config) collectionSettings() []setting.Setting {
	return setting.Under(which, []setting.Setting{{
		Name: "collection", Value: &c.collection, Default: "out", Example: "gs://bucket/out",
		Help:  "folder that ingest wrote: a path, gs://bucket/name or s3://bucket/name",
		Brief: "folder that ingest wrote",
	}})
}

func (c *config) compactSettings() []setting.Setting {
	return setting.Under(compacting, []setting.Setting{{
		Name: "cluster", Value: &c.cluster, Default: "features", Example: "url", Values: []string{"features", "url"},
		Help: "what the rows of a month are sorted by: features (language, type, SURT, time), which makes shards smaller " +
			"and \"all French PDFs\" quick without an index; or url (SURT, time), for versions of pages and all of a host",
		Brief: "what rows are sorted by: features or url",
	}, {
		Name: "shard_size", Value: &c.shardSize, Default: "2GiB", Example: "512MiB",
		Help: "of documents, uncompressed, after which a month continues in another shard",
	}})
}

func (c *config) expireSettings() []setting.Setting {
	return setting.Under(old, []setting.Setting{{
		Name: "keep", Value: &c.keep, Default: "1", Example: "5",
		Help:  "how many of the newest snapshots stay, whatever their age",
		Brief: "expire: how many snapshots stay",
	}, {
		Name: "older_than", Value: &c.olderThan, Example: "2026-10",
		Help:  "remove snapshots that were made before this date; without it all but those of --keep",
		Brief: "expire: snapshots made before then",
	}, {
		Name: "dry_run", Value: &c.dryRun, Default: "false", Example: "true",
		Help: "say which snapshots would go, and remove nothing",
	}})
}

func (c *config) otherSettings() []setting.Setting {
	return setting.Under(others, []setting.Setting{{
		Name: "memory", Value: &c.memory, Default: "0", Example: "1GiB",
		Help: "compact: memory of the documents that are sorted at once, 256MiB for 0; more are sorted in the hidden " +
			"folder. index, takedown: all memory but the program's file, from 128MiB, 768MiB for 0; half is for databases",
		Brief: "compact, index, takedown: the memory to keep to",
	}, {
		Name: "reason", Value: &c.reason, Example: "'request 17'",
		Help:  "takedown: what the log says beside the time; it stays in the collection, so it should not name the page",
		Brief: "takedown: for the log",
	}, {
		Name: "location", Value: &c.lake.Location, Example: "file:///mnt/data/out",
		Help: "lake: the URI of the folder for other programs, if it differs",
	}, {
		Name: "rebuild", Value: &c.rebuild, Default: "false", Example: "true",
		Help: "index: make it again, even if it is complete",
	}, {
		Name: "meaning", Value: &c.meaning, Default: "false", Example: "true",
		Help: "index: make the vectors for searches by meaning, too, which the first query --about makes otherwise",
	}, {
		Name: "hbase", Value: &c.tables, Example: "hbase://127.0.0.1:16000/pages?row_key=url",
		Help: "takedown: tables of HBase to remove the rows from, too, in place of those that the collection was written " +
			"to, which its manifest names",
	}, {
		Name: "columns", Value: &c.columns, Default: "false", Example: "true",
		Help: "check: also look at each cell of the Parquet shards; those of earlier versions may have an empty text, 0, " +
			"false or {} in place of null",
	}, {
		Name: "catalogue", Value: &c.catalogue, Example: "catalogue.yml",
		Help: "file that names a catalogue (REST, Glue or SQL) which keeps the Iceberg table, in place of the folder: " +
			"lines of `property: value`; docs/iceberg.md has them. A collection whose table one keeps is given it each time",
	}})
}
