package convert

import (
	"flag"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// cdxConfig is the command line of `convert cdx`.
type cdxConfig struct {
	inputs  []string
	output  string
	base    string // --archives
	remove  []string
	plain   bool
	post    bool
	fresh   bool
	prune   bool
	memory  int64
	workers int
	remote  blob.Options
	reading archive.Options
}

func aboutCDX() cli.Command {
	return cli.Command{
		Name: "convert cdx", Args: "[input ...]",
		Summary: "Make one capture index over many archives, in the ZipNum form that pywb reads, or merge new lines into " +
			"one.\n" +
			"An input is an archive (a file, folder, pattern, @list.txt or URL, as for convert), a collection that ingest " +
			"wrote, or an index: a .cdxj or .cdx file, compressed or not, or a ZipNum cluster of any program.\n" +
			"Run it again with more inputs, and their lines are merged into those that stand. Inputs that have not changed " +
			"are not read again, however they are named; of one that has changed, also by a takedown, the lines are " +
			"replaced. Equal lines are there once. A run that is killed leaves the index as it was.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage or input, 3 done and something of the inputs cannot be " +
			"read or is gone.",
		Examples: []string{
			"go run ./pipelines/convert cdx --output=index --archives=/data/shelf/ /data/shelf",
			"go run ./pipelines/convert cdx --output=index out-2025 out-2026 old/index.cdxj.gz",
			"go run ./pipelines/convert cdx --output=index --remove=out-2025",
		},
	}
}

func newCDXFlags(set *flag.FlagSet, c *cdxConfig) *cli.Flags {
	f := cli.NewFlags(set, aboutCDX())
	f.Add(setting.Under(output, []setting.Setting{{
		Name: "output", Value: &c.output, Default: "index", Example: "/data/index",
		Help: "folder of the index, on this machine: it is made when it is not there", Brief: "folder of the index",
	}, {
		Name: "plain", Value: &c.plain, Default: "false", Example: "true",
		Help: "write the lines as one sorted text file, too: index.cdxj in the folder; later runs keep it up to date",
	}, {
		Name: "archives", Value: &c.base, Example: "/data/shelf/",
		Help: "folder that is left out at the beginning of archives' names, so that they are relative to it; without it, " +
			"names are as they were given when archives were named",
		Brief: "folder that names of archives are relative to",
	}, {
		Name: "post", Value: &c.post, Default: "false", Example: "true",
		Help: "append the method and the body of POST and PUT requests to the keys of their answers, as pywb does " +
			"(__wb_method=POST&...); only for archives, and an index has it from its beginning or not at all",
		Brief: "keys of POST requests as in pywb",
	}, {
		Name: "remove", Value: &c.remove, Example: "out-2025",
		Help: "inputs of earlier runs whose lines leave the index, named as then or by another path to the same file; a " +
			"folder means the inputs in it",
	}, {
		Name: "prune", Value: &c.prune, Default: "false", Example: "true",
		Help: "drop the lines of inputs of earlier runs that are no longer in the folders that are named",
	}, {
		Name: "fresh", Value: &c.fresh, Default: "false", Example: "true",
		Help: "drop the lines that stand, and index the inputs again",
	}}), setting.Under(resource, []setting.Setting{{
		Name: "memory", Value: &c.memory, Default: "128MiB", Example: "1GiB",
		Help: "for new lines while they are sorted; more are sorted in the output folder",
	}, {
		Name: "workers", Value: &c.workers, Default: "0", Example: "4",
		Help: "archives that are read at once; 0 for one a CPU",
	}, {
		Name: "requester_pays", Value: &c.remote.RequesterPays, Example: "my-project",
		Help: "pay for requests to buckets whose requesters pay: the project that Google bills; Amazon bills the " +
			"credentials' account instead",
	}, {
		Name: "private_hosts", Value: &c.remote.PrivateHosts, Default: "false", Example: "true",
		Help: "also read http and https URLs of hosts in private networks",
	}}))
	f.DamageFlag()
	return f
}

func parseCDX(args []string) (c cdxConfig, err error) {
	// A new flag set, because flag.CommandLine has Beam's flags.
	f := newCDXFlags(flag.NewFlagSet("convert cdx", flag.ContinueOnError), &c)
	if err := f.Parse(args); err != nil {
		return c, err
	}
	c.inputs, c.remote.UserAgent = shown(f.Args()), "gleaner"
	switch {
	case len(c.inputs)+len(c.remove) == 0:
		return c, cli.Usagef("name archives, collections or indexes")
	// pywb opens the files of a cluster by their paths.
	case blob.IsRemote(c.output):
		return c, cli.Usagef("--output=%s is not a folder of this machine", c.output)
	case c.memory < 1<<20:
		return c, cli.Usagef("--memory: at least 1MiB")
	case c.fresh && len(c.remove) > 0:
		return c, cli.Usagef("--fresh drops all lines: --remove means nothing beside it")
	}
	if c.base != "" && !blob.IsRemote(c.base) {
		c.base = filepath.Clean(c.base)
	}
	if c.base != "" {
		c.base = strings.TrimSuffix(c.base, "/") + "/"
	}
	// Only heads are read, unless bodies of requests are needed.
	c.reading = archive.Options{HeadOnly: true, Copy: c.post}
	return c, nil
}
