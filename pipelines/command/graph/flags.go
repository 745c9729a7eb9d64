package graph

import (
	"flag"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/derived/linkgraph"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/webgraph"
)

// config is the command line.
type config struct {
	collections []string
	output      string
	places      []string
	where       string
	filter      query.Expr // of where; nil for all captures
	options     linkgraph.Options
	fresh       bool
	named       []string // --collection
}

// The headings of --help.
const (
	input  = "Input"
	output = "Output"
	doing  = "Running"
)

var places = []string{schemas.PlaceMain, schemas.PlaceNavigation, schemas.PlaceOther}

func (c *config) inputSettings() []setting.Setting {
	return setting.Under(input, []setting.Setting{{
		Name: "collection", Value: &c.named, Default: "out", Example: "crawl-2025,crawl-2026",
		Help:  "folders that ingest wrote with --extract=links; arguments name more",
		Brief: "folders that ingest wrote",
	}, {
		Name: "place", Value: &c.places, Default: strings.Join(places, ","), Example: "main", Values: places,
		Help:  "which links count, by where they stand on their pages",
		Brief: "which links count: main, navigation, other",
	}, {
		Name: "where", Value: &c.where, Default: "", Example: "language = fr",
		Help: "only links on captures that match this filter, in the language of query",
	}})
}

func (c *config) outputSettings() []setting.Setting {
	return setting.Under(output, []setting.Setting{{
		Name: "output", Value: &c.output, Default: "out-graph", Example: "/data/graph",
		Help:  "folder to write to; new, empty, or one that an earlier run wrote, whose graph is made again",
		Brief: "folder to write to (graph)",
	}, {
		Name: "format", Value: &c.options.Formats, Default: linkgraph.FormatText, Example: "text,gexf",
		Values: linkgraph.Formats(),
		Help: "text for the files of Common Crawl's web graphs, graphml for NetworkX, igraph and yEd, gexf for Gephi, csv " +
			"for tables; or several",
		Brief: "text, graphml, gexf, csv, or several",
	}, {
		Name: "fresh", Value: &c.fresh, Default: "false", Example: "true",
		Help: "replace a graph that was made of other collections or with other options",
	}, {
		// Exact centrality takes a search over all edges for each vertex.
		Name: "exact", Value: &c.options.Exact, Default: "50000", Example: "10000",
		Help: "vertices up to which harmonic centrality is exact; of larger graphs it is estimated by HyperBall",
	}})
}

func (c *config) runSettings() []setting.Setting {
	return setting.Under(doing, []setting.Setting{{
		Name: "memory", Value: &c.options.Memory, Default: "1GiB", Example: "8GiB",
		Help: "what counting and the names of hosts take; the edges take 20 bytes each besides",
	}})
}

func about() cli.Command {
	return cli.Command{
		Name: "graph", Args: "[collection ...]",
		Summary: "Make the graphs of hosts and of domains of what collections link to, with PageRank and harmonic " +
			"centrality.\n" +
			"Links within a host, and those that do not lead to the web, make no edge. The same links give the same files, " +
			"in whatever order they come. graph.json is written last: a folder without it holds no whole graph.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage or input.",
		Examples: []string{
			"go run ./pipelines/ingest --output=out --extract=text,links shelf/",
			"go run ./pipelines/graph --collection=out --output=graph",
			"go run ./pipelines/graph --format=text,gexf --place=main crawl-2025 crawl-2026",
		},
		Versions: map[string]string{"linkgraph": linkgraph.Version, "webgraph": webgraph.Version},
	}
}

// newFlags makes the flags on set. Parsing them fills c.
func newFlags(set *flag.FlagSet, c *config) *cli.Flags {
	f := cli.NewFlags(set, about())
	f.Add(c.inputSettings(), c.outputSettings(), c.runSettings())
	f.LogFlags()
	return f
}

func parse(args []string) (c config, err error) {
	f := newFlags(flag.CommandLine, &c)
	if err := f.Parse(args); err != nil {
		return c, err
	}
	if c.filter, err = query.Parse(c.where); err != nil {
		return c, cli.Usagef("--where: %v", err)
	}
	c.places, c.options.Formats = unique(c.places), unique(c.options.Formats)
	c.collections = once(f.Collections(c.named))
	switch {
	case c.output == "":
		return c, cli.Usagef("--output is empty: name a folder")
	case slices.Contains(allAbsolute(c.collections), absolute(c.output)):
		return c, cli.Usagef("--output=%s is one of the collections: name another folder", c.output)
	case c.options.Memory < 16<<20:
		return c, cli.Usagef("--memory: 16MiB is the least")
	case c.options.Exact < 1:
		return c, cli.Usagef("--exact: 1 is the least")
	}
	return c, nil
}

// unique returns a sorted copy of the list without duplicates.
func unique(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }
