package mcp

import (
	"flag"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// config is the command line.
type config struct {
	named       []string // --collection
	collections []string
	archives    string
	meaning     string
	replay      string
	sources     string
	noIndex     bool
}

// about describes the command for --help.
func about() cli.Command {
	return cli.Command{
		Name: "mcp", Args: "[collection ...]",
		Summary: "Answer an assistant about collections by the Model Context Protocol, on standard input and output: " +
			"search, read pages and their versions, compare, links, counts, trends, sources, SQL. Assistants start this " +
			"command by themselves: name it in their configuration (docs/mcp.md). Nothing is written to the archives, and " +
			"each answer names URL, capture time, archive and offset.\n" +
			"The index that makes search quick is made in the background where the folder can be written.\n" +
			"The command serve answers the same at /mcp over HTTP, for several users with tokens.\n" +
			"Exit codes: 0 the assistant ended, 1 failed, 2 usage.",
		Examples: []string{
			"go run ./pipelines/mcp out",
			"go run ./pipelines/mcp --sources=out-sources crawl-2025 crawl-2026",
		},
	}
}

// newFlags makes the flags on set. Parsing them fills c.
func newFlags(set *flag.FlagSet, c *config) *cli.Flags {
	f := cli.NewFlags(set, about())
	f.Add(c.settings())
	f.LogFlags()
	return f
}

func parse(args []string) (c config, err error) {
	f := newFlags(flag.CommandLine, &c)
	if err := f.Parse(args); err != nil {
		return c, err
	}
	c.collections = f.Collections(c.named)
	if c.replay != "" && !strings.Contains(c.replay, "{url}") {
		return c, cli.Usagef("--replay=%s: it needs {url}, and {timestamp} to show the version", c.replay)
	}
	return c, nil
}

func (c *config) settings() []setting.Setting {
	return setting.Under("What is answered about", []setting.Setting{{
		Name: "collection", Value: &c.named, Default: "out", Example: "crawl-2025,crawl-2026",
		Help:  "folders that ingest wrote: paths, gs://bucket/name or s3://bucket/name; arguments name more",
		Brief: "folders that ingest wrote",
	}, {
		Name: "archives", Value: &c.archives, Example: "/data/warcs",
		Help: "folder or bucket in which archives are looked for first; without it, in the place they were read from. " +
			"They are read to leave out text that a page hides from its readers",
		Brief: "folder that archives are in, if they were moved",
	}, {
		Name: "replay", Value: &c.replay, Example: "'http://127.0.0.1:8090/all/{timestamp}/{url}'",
		Help: "address of a replay tool, or of serve, that citations link to; {timestamp} and {url} stand for those of a " +
			"capture",
	}, {
		Name: "meaning", Value: &c.meaning, Example: "potion-multilingual/model.safetensors",
		Help: "another model for searches by meaning: a file in the layout of Model2Vec with tokenizer.json beside it; " +
			"without it, the one that is part of the program (docs/meaning.md)",
	}, {
		Name: "sources", Value: &c.sources, Example: "sources",
		Help:  "folder of the Source DB, which the command sources writes",
		Brief: "folder that the command sources wrote",
	}, {
		Name: "no_index", Value: &c.noIndex,
		Help: "read the shards and make no index; every answer then takes longer",
	}})
}
