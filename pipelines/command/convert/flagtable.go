package convert

import (
	"strings"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// flagTable describes the command's flags; parse says what kind of value each takes.
// Name, Help, Group and Example are shown by --help; flags with a Brief are
// those that -h has as well. A Default is written as on the command line.
var flagTable = []cli.Flag{
	// What is written, and where.
	{
		// Several formats are written in one pass over the archives.
		Name:    "to",
		Help:    "formats to write, each into a folder of its name: " + strings.Join(archive.Outputs(), ", "),
		Example: "ache-warc",
		Group:   output,
		Brief:   "formats to write, each into a folder of its name",
		Values:  archive.Outputs(),
	},
	// It excludes the flags that a configuration says itself, see parse.
	{
		Name: "ache_config",
		Help: "write what ACHE would write with this ache.yml, in place of " +
			"--to: the formats and their options are those of target_storage.data_format",
		Example: "ache.yml",
		Group:   output,
	},
	{
		// A folder of another conversion is refused, and nothing in it is touched.
		Name:    "output",
		Default: "converted",
		Help: "folder to write to; new, empty, or one that the same conversion was writing; also gs://bucket/name " +
			"and s3://bucket/name",
		Example: "/data/out",
		Group:   output,
		Brief:   "folder to write to (converted)",
	},
	{
		Name: "sources",
		Help: "database of sources (`sources --sqlite`), which fills the source_* fields of --to=content: a page's source " +
			"is the feed that links to it",
		Example: "sources.sqlite",
		Group:   output,
	},
	// Three values: a format's own habit is neither on nor off.
	{
		Name:    "compress",
		Default: "default",
		Help:    "whether files are compressed: on, off, or default, as the format has it",
		Example: "on",
		Group:   output,
		Brief:   "whether files are compressed: on, off or default",
		Values:  []string{"on", "off", "default"},
	},
	{
		Name:    "hash_names",
		Default: "false",
		Help:    "name the files of trees by hashes of URLs",
		Example: "true",
		Group:   output,
	},
	{
		Name:    "status_line",
		Default: "false",
		Help: "write the HTTP status line in formats whose " +
			"own writers leave it out",
		Example: "true",
		Group:   output,
	},
	{
		// It is for formats that number their files.
		Name:    "max_file",
		Default: "0",
		Help:    "bytes at which a file ends and the next begins; 0 for the format's own",
		Example: "1GB",
		Group:   output,
		Brief:   "bytes at which a file ends and the next begins",
	},
	{
		Name: "stamp",
		Help: "time of writing that files note of themselves, in their names too; " +
			"it is not the clock's, so that the same input makes the same bytes",
		Example: "2026-11-22T00:00:00Z",
		Group:   output,
	},
	{
		Name:    "fresh",
		Default: "false",
		Help: "remove what an earlier run wrote to the folder, the formats' folders with all that is in them, and " +
			"start over",
		Example: "true",
		Group:   output,
		Brief:   "remove what an earlier run wrote to the folder",
	},
	// What is read, and how much of it.
	{
		Name: "from",
		Help: "formats to read, files of others are rejected: " + strings.Join(archive.Inputs(), ", ") + "; none for all. " +
			"hbase goes with a table",
		Example: "warc,arc",
		Group:   input,
		Brief:   "formats to read; all by default",
		Values:  append(archive.Inputs(), fromTable),
	},
	// These three bound what a hostile archive can make a worker hold.
	{
		Name:    "max_body",
		Default: "32MiB",
		Help: "bytes of a decoded body; what is longer is " +
			"cut and flagged",
		Example: "256MiB",
		Group:   input,
	},
	{
		Name:    "max_header",
		Default: "1MiB",
		Help: "bytes of a record's header; what is longer " +
			"is cut and flagged",
		Example: "64KiB",
		Group:   input,
	},
	{
		Name:    "max_ratio",
		Default: "1000",
		Help: "decoded bytes for one stored byte of a body, " +
			"above 1 MiB; decoding stops there and the body is flagged",
		Example: "200",
		Group:   input,
	},
	// Such buckets refuse requests that do not say who pays, so there is no default.
	{
		Name:    "requester_pays",
		Default: "",
		Help: "pay for requests to buckets whose requesters " +
			"pay: the project that Google bills; Amazon bills the credentials' account, whatever is named",
		Example: "my-project",
		Group:   input,
	},
	// Off by default, since a list of URLs from elsewhere could make this machine read its own network.
	{
		Name:    "private_hosts",
		Default: "false",
		Help: "also read http and https URLs of hosts " +
			"in private networks",
		Example: "true",
		Group:   input,
	},
	{
		Name:    "unit_size",
		Default: "64MiB",
		Help: "compressed bytes that one worker does at a " +
			"time; numbered files hold what one unit has",
		Example: "1GiB",
		Group:   input,
	},
	// How it is run.
	{
		Name:    "workers",
		Default: "0",
		Help:    "units that a process does at once; 0 for one a CPU",
		Example: "4",
		Group:   resource,
		Brief:   "units that are done at once; one a CPU by default",
	},
	// It is a goal of the garbage collector and no hard limit: see debug.SetMemoryLimit.
	{
		Name:    "memory",
		Default: "0",
		Help: "what the heap should keep to: the garbage collector " +
			"works harder as it comes near; 0 for 64 MiB and 128 MiB a worker",
		Example: "2GiB",
		Group:   resource,
	},
	// Launchers of templates give no arguments, only flags.
	{
		Name:    "input",
		Help:    "archives, beside those that arguments name and in the same way",
		Example: "gs://bucket/crawl-2026/",
		Group:   input,
	},
}
