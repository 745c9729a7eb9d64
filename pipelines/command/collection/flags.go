package collection

import (
	"cmp"
	"flag"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/lake/catalogue"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// config is the command line.
type config struct {
	task       int // index in tasks
	args       []string
	collection string
	cluster    string
	memory     int64
	shardSize  int64
	keep       int
	olderThan  string    // --older_than
	before     time.Time // the beginning of the period of olderThan
	dryRun     bool
	reason     string
	catalogue  string       // the file of --catalogue
	lake       lake.Options // where the table is kept
	rebuild    bool
	meaning    bool     // index: for searches by meaning, too
	columns    bool     // check: read each cell of the Parquet shards
	tables     []string // of HBase
}

// orders maps values of --cluster to the order of rows in compacted shards.
var orders = map[string]parquetfile.Order{"features": parquetfile.OrderFeatures, "url": parquetfile.OrderSURT}

// everything selects all files of a snapshot.
var everything = query.Query{}

// about describes the command for --help.
func about() cli.Command {
	return cli.Command{
		Name: "collection", Args: "task [argument ...]", Words: names(),
		Summary: "Look after a collection, the folder that ingest writes.\n" +
			"Nothing is removed unasked: what a compaction gathers stays beside it until expire. takedown removes at once, in " +
			"all formats and snapshots, and later runs leave out what it names. Killed at any moment, the same command goes " +
			"on.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage, 3 done, and check has found something wrong.",
		Examples: []string{
			"go run ./pipelines/collection stats",
			"go run ./pipelines/collection describe 'Harbour crawl' 'Sites of the harbour and its gazette, since 2019'",
			"go run ./pipelines/collection index --collection=/data/out",
			"go run ./pipelines/collection compact --collection=/data/out",
			"go run ./pipelines/collection check --collection=gs://bucket/out",
			"go run ./pipelines/collection check --columns",
			"go run ./pipelines/collection expire --keep=3",
			"go run ./pipelines/collection takedown --reason='request 17' https://example.org/me.html",
			"go run ./pipelines/collection merge --collection=all /data/2025 /data/2026",
		},
		Table: table(),
	}
}

// newFlags makes the flags on set. Parsing them fills c.
func newFlags(set *flag.FlagSet, c *config) *cli.Flags {
	f := cli.NewFlags(set, about())
	f.Add(c.collectionSettings(), c.compactSettings(), c.expireSettings(), c.otherSettings())
	f.LogFlags()
	return f
}

func parse(args []string) (c config, err error) {
	f := newFlags(flag.CommandLine, &c)
	if err := f.Parse(args); err != nil {
		return c, err
	}
	if c.catalogue != "" {
		location := c.lake.Location
		if c.lake, err = catalogue.Read(c.catalogue); err != nil {
			return c, cli.Usagef("--catalogue: %v", err)
		}
		c.lake.Location = location
	}
	if len(f.Args()) == 0 {
		return c, cli.Usagef("name a task: %s", strings.Join(names(), ", "))
	}
	name := f.Args()[0]
	if c.task, c.args = find(name), f.Args()[1:]; c.task < 0 {
		return c, cli.Usagef("there is no task %q%s; there are %s", name, cli.Suggest(name, names(), ""),
			strings.Join(names(), ", "))
	}
	if c.olderThan != "" {
		from, _, err := query.Period(c.olderThan)
		if err != nil {
			return c, cli.Usagef("--older_than: %v", err)
		}
		// The beginning of the period: 2026-10 keeps the snapshots of October.
		c.before = from
	}
	return c, c.check(f)
}

func names() (list []string) {
	for _, t := range tasks {
		list = append(list, t.name)
	}
	return list
}

// flagsOf maps a flag to the only task that takes it.
var flagsOf = map[string]string{
	"cluster": "compact", "shard_size": "compact", "keep": "expire", "older_than": "expire",
	"dry_run": "expire", "reason": "takedown", "location": "lake", "rebuild": "index", "meaning": "index",
	"hbase": "takedown", "columns": "check",
}

// check returns an error if flags and arguments do not fit the task.
func (c *config) check(f *cli.Flags) error {
	t := tasks[c.task]
	// A flag without effect would mislead its user.
	for flag, task := range flagsOf {
		if f.Set(flag) && t.name != task {
			return cli.Usagef("--%s is for `collection %s`, and means nothing to %s", flag, task, t.name)
		}
	}
	switch {
	case len(c.lake.Catalogue) > 0 && !t.table:
		return cli.Usagef("--catalogue means nothing to %s, which does not look at the Iceberg table", t.name)
	case t.args == "" && len(c.args) > 0:
		return cli.Usagef("%s takes no argument, and %q is there: name the collection by --collection", t.name, c.args[0])
	case t.args != "" && len(c.args) == 0:
		return cli.Usagef("%s takes %s", t.name, t.args)
	case t.args == "FOLDER" && len(c.args) > 1:
		return cli.Usagef("%s takes one folder", t.name)
	// The newest snapshot is never removed, so 0 is impossible.
	case c.keep < 1:
		return cli.Usagef("--keep=%d: the newest snapshot always stays", c.keep)
	// With less, sorting writes a file for every few documents.
	case c.memory != 0 && c.memory < 1<<20:
		return cli.Usagef("--memory: at least 1MiB")
	case c.memory != 0 && c.memory < 128<<20 && (t.name == "index" || t.name == "takedown"):
		return cli.Usagef("--memory: at least 128MiB for %s", t.name)
	case c.memory != 0 && memories[t.name] == 0:
		return cli.Usagef("--memory is for `collection compact`, `index` and `takedown`, and means nothing to %s", t.name)
	case c.shardSize < 1<<20:
		return cli.Usagef("--shard_size: at least 1MiB")
	}
	c.memory = cmp.Or(c.memory, memories[t.name])
	if err := folder.Check(c.collection); err != nil {
		return cli.Usagef("--collection: %v", err)
	}
	return nil
}
