package convert

import (
	"strings"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/setting"
)

func (c *config) outputSettings() []setting.Setting {
	return setting.Under(output, []setting.Setting{{
		Name: "to", Value: &c.formats, Example: "ache-warc", Values: archive.Outputs(),
		Help:  "formats to write, each into a folder of its name: " + strings.Join(archive.Outputs(), ", "),
		Brief: "formats to write, each into a folder of its name",
	}, {
		// It excludes the flags that the configuration has: see target.
		Name: "ache_config", Value: &c.ache, Example: "ache.yml",
		Help: "write what ACHE would write with this ache.yml, in place of --to: the formats and their options are those " +
			"of target_storage.data_format",
	}, {
		Name: "output", Value: &c.options.Output, Default: "converted", Example: "/data/out",
		Help: "folder to write to; new, empty, or one that the same conversion was writing; also gs://bucket/name and " +
			"s3://bucket/name",
		Brief: "folder to write to (converted)",
	}, {
		// Each format has its own default, which is neither on nor off.
		Name: "compress", Value: &c.compress, Default: "default", Example: "on", Values: []string{"on", "off", "default"},
		Help:  "whether files are compressed: on, off, or default, as the format has it",
		Brief: "whether files are compressed: on, off or default",
	}, {
		Name: "hash_names", Value: &c.writing.HashNames, Default: "false", Example: "true",
		Help: "name the files of trees by hashes of URLs",
	}, {
		Name: "status_line", Value: &c.writing.StatusLine, Default: "false", Example: "true",
		Help: "write the HTTP status line in formats whose own writers leave it out",
	}, {
		Name: "max_file", Value: &c.writing.MaxFileBytes, Default: "0", Example: "1GB",
		Help:  "bytes at which a file ends and the next begins; 0 for the format's own",
		Brief: "bytes at which a file ends and the next begins",
	}})
}

func (c *config) moreOutputSettings() []setting.Setting {
	return setting.Under(output, []setting.Setting{{
		Name: "stamp", Value: &c.stamp, Example: "2026-11-22T00:00:00Z",
		Help: "time of writing that files note of themselves, in their names too; it is not the clock's, so that the " +
			"same input makes the same bytes",
	}, {
		Name: "sources", Value: &c.options.Sources, Example: "sources.sqlite",
		Help: "database of sources (`sources --sqlite`), which fills the source_* fields of --to=content: a page's " +
			"source is the feed that links to it",
	}, {
		Name: "fresh", Value: &c.fresh, Default: "false", Example: "true",
		Help: "remove what an earlier run wrote to the folder, the formats' folders with all that is in them, and start " +
			"over",
		Brief: "remove what an earlier run wrote to the folder",
	}})
}

func (c *config) inputSettings() []setting.Setting {
	return setting.Under(input, []setting.Setting{{
		Name: "from", Value: &c.options.From, Example: "warc,arc", Values: append(archive.Inputs(), fromTable),
		Help: "formats to read, files of others are rejected: " + strings.Join(archive.Inputs(), ", ") + "; none for " +
			"all. hbase goes with a table",
		Brief: "formats to read; all by default",
	}, {
		// These three limit the memory that a hostile archive can take.
		Name: "max_body", Value: &c.options.MaxBody, Default: "32MiB", Example: "256MiB",
		Help: "bytes of a decoded body; longer ones are truncated and flagged",
	}, {
		Name: "max_header", Value: (*setting.Length)(&c.options.MaxHead), Default: "1MiB", Example: "64KiB",
		Help: "bytes of a record's header; longer ones are truncated and flagged",
	}, {
		Name: "max_ratio", Value: (*setting.Count)(&c.options.MaxRatio), Default: "1000", Example: "200",
		Help: "decoded bytes for one stored byte of a body, above 1 MiB; decoding stops there and the body is flagged",
	}, {
		Name: "requester_pays", Value: &c.options.Remote.RequesterPays, Example: "my-project",
		Help: "pay for requests to buckets whose requesters pay: the project that Google bills; Amazon bills the " +
			"credentials' account instead",
	}, {
		// A foreign list of URLs could make this machine read its own network.
		Name: "private_hosts", Value: &c.options.Remote.PrivateHosts, Default: "false", Example: "true",
		Help: "also read http and https URLs of hosts in private networks",
	}, {
		Name: "unit_size", Value: &c.unitSize, Default: "64MiB", Example: "1GiB",
		Help: "compressed bytes that one worker does at a time; numbered files hold what one unit has",
	}, {
		Name: "input", Value: &c.named, Example: "gs://bucket/crawl-2026/",
		Help: "archives, beside those that arguments name and in the same way",
	}})
}

func (c *config) runSettings() []setting.Setting {
	return setting.Under(resource, []setting.Setting{{
		Name: "shard", Value: &c.shard, Example: "2/7",
		Help: "do only this part of the archives, number 2 of 7, into a folder of its own; `convert merge` joins the " +
			"parts. Each part needs the same flags and the same archives",
		Brief: "do only this part of the archives, such as 2/7",
	}, {
		Name: "workers", Value: &c.options.Workers, Default: "0", Example: "4",
		Help:  "units that a process does at once; 0 for one a CPU",
		Brief: "units that are done at once; one a CPU by default",
	}, {
		// It is a goal of the garbage collector: see debug.SetMemoryLimit.
		Name: "memory", Value: &c.memory, Default: "0", Example: "2GiB",
		Help: "what the heap should keep to: the garbage collector works harder as it comes near; 0 for 64 MiB and 128 " +
			"MiB a worker",
	}})
}
