package corpus

import (
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/io/derived/corpora"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/transforms/corpus/cluster"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
	"github.com/gleaner-web/gleaner/transforms/corpus/minhash"
	"github.com/gleaner-web/gleaner/transforms/corpus/word"
)

// The headings of --help.
const (
	input      = "Input"
	choosing   = "What is taken"
	duplicates = "Duplicates"
	output     = "Output"
	doing      = "Running"
)

// flagTable describes the command's flags; parse says what kind of value each takes.
var flagTable = []cli.Flag{
	{
		Name: "collection", Default: "out", Group: input, Example: "crawl-2026-10,crawl-2026-11",
		Help:  "folders that ingest wrote, with the text of documents; arguments name more",
		Brief: "folders that ingest wrote",
	},
	{
		Name: "archives", Group: input, Example: "crawl/*.warc.gz",
		Help: "web archives that are read into --collection first, with type, text, language, metadata and quality of " +
			"their pages, as by ingest --add",
		Brief: "web archives to begin with",
	},
	{
		Name: "filters", Default: "gopher_repetition,gopher_quality,fineweb", Group: choosing,
		Example: "gopher_quality,c4", Values: filterNames(),
		Help:  "filters in the order in which they are asked, with their published constants; none for no filter",
		Brief: "filters, in their order",
	},
	{
		Name: "recipe", Group: choosing, Example: "recipe.yml",
		Help: "file with filters, their constants and lists, in place of --filters: see docs/corpora.md",
	},
	{
		Name: "lang", Group: choosing, Example: "fr,en",
		Help: "languages that are taken, in front of all other filters, if they are sure enough (0.65)", Brief: "languages",
	},
	{
		Name: "where", Group: choosing, Example: `page_type = "article"`,
		Help: "filter of the query language, in front of all other filters: see docs/query.md",
	},
	{
		Name: "sample", Group: choosing, Example: "1%",
		Help: "share of the documents that are left which is taken; the same ones each time",
	},
	{
		Name: "mix", Group: choosing, Example: "fr:10%,en:50%",
		Help: "shares of languages in the corpus, by bytes of text; others share the rest as they are",
	},
	{
		Name: "dedup", Default: "url,payload,text,near", Group: duplicates, Example: "text,near",
		Values: append(corpora.Dedups(), none),
		Help: "duplicates that are left out: of one URL, of bodies, of texts, of fingerprints (simhash, a cheap first " +
			"pass), and near-duplicates by MinHash; none to keep all",
	},
	{
		Name: "paragraphs", Default: "0", Group: duplicates, Example: "3",
		Help: "number of hosts from which on a paragraph stays in one document alone; 0 for any. The collections are " +
			"read twice",
	},
	{
		Name: "keep", Default: string(cluster.Longest), Group: duplicates, Example: "oldest", Values: ruleNames(),
		Help: "which document stays of those with equal or nearly equal texts",
	},
	{
		Name: "keep_url", Default: string(cluster.Newest), Group: duplicates, Example: "longest", Values: ruleNames(),
		Help: "which document stays of those with one URL",
	},
	{
		Name: "against", Group: duplicates, Example: "corpus-2026-10",
		Help: "earlier corpora, whose bodies and texts, and near-duplicates of these, are not taken again",
	},
	{
		Name: "output", Default: "out-corpus", Group: output, Example: "/data/corpus",
		Help: "folder of the corpus: it is made when it is not there", Brief: "folder of the corpus",
	},
	{
		Name: "format", Default: corpora.Parquet, Group: output, Example: "parquet,jsonl", Values: corpora.Formats(),
		Help: "formats of the shards", Brief: "formats of the shards",
	},
	{
		Name: "text", Default: corpora.TextPlain, Group: output, Example: corpora.TextMarkdown, Values: corpora.Texts(),
		Help: "what texts are: plain, or markdown with headings, lists, tables and links, of documents that have main_html",
	},
	{
		Name: "partition", Group: output, Example: "language", Values: []string{"", "language", "date", "domain"},
		Help: "what the shards are divided by, into folders as language=fr; date is the month",
	},
	{
		Name: "shard_size", Default: "512MiB", Group: output, Example: "1GiB", Help: "text in a shard, before compression",
	},
	{
		Name: "seed", Group: output, Example: "2",
		Help: "another shuffle and other samples: documents are always in a random order, which depends on them and on this",
	},
	{
		Name: "keep_refused", Default: "false", Group: output, Example: "true",
		Help: "also write refused documents, with the reason, into the folder refused",
	},
	{
		Name: "fresh", Default: "false", Group: output, Example: "true",
		Help: "replace a corpus that was made of other documents or with other options",
	},
	{
		Name: "plan", Default: "false", Group: doing, Example: "true", Help: "say what would be done, and do nothing",
	},
	{
		Name: "workers", Default: "0", Group: doing, Example: "4",
		Help: "units that a process does at once; 0 for as many as there are processors",
	},
	{
		Name: "memory", Default: "64MiB", Group: doing, Example: "1GiB",
		Help: "what each sorting holds in memory; a unit that is done sorts twice",
	},
}

// none stands for an empty list where the default is another one.
const none = "none"

func filterNames() (names []string) {
	for _, f := range filter.Table() {
		names = append(names, f.Name)
	}
	return append(names, none)
}

func ruleNames() (names []string) {
	for _, r := range cluster.Rules() {
		names = append(names, string(r))
	}
	return names
}

func about() cli.Command {
	return cli.Command{
		Name: "corpus", Args: "[collection ...]",
		Summary: "Make a corpus for training out of collections: documents that pass the filters, one of each set of " +
			"duplicates, shuffled, in the columns text, id, url, date, language, language_score and others.\n" +
			"It reads what ingest wrote: --format=parquet or jsonl, with at least the text and the language extracted.\n" +
			"The folder is a dataset as load_dataset, Polars and DuckDB read it: shards train-*, a card README.md, and " +
			"report.json with counts and examples by reason and language, hosts.jsonl.zst by host. `corpus stats` says what a " +
			"finished one holds (stats --help).\n" +
			"The same documents give the same bytes, in whatever order collections are named. A run that was killed goes on " +
			"when it is started again.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage or input, 3 done, and something of --archives could not be read.",
		Examples: []string{
			"go run ./pipelines/corpus --collection=out --output=out-corpus",
			"go run ./pipelines/corpus --archives='crawl/*.warc.gz' --collection=out --output=out-corpus",
			"go run ./pipelines/corpus --collection=out --lang=fr --filters=gopher_repetition,gopher_quality,c4,fineweb",
			"go run ./pipelines/corpus stats --format=html out-corpus >stats.html",
			"go run ./pipelines/corpus --collection=crawl-2026-11 --against=corpus-2026-10 --output=corpus-2026-11",
		},
		Table:    filterTable(),
		Versions: map[string]string{"filter": filter.Version, "minhash": minhash.Version, "word": word.Version},
	}
}

// filterTable lists the filters and their constants, as they are.
func filterTable() string {
	var b strings.Builder
	b.WriteString("Filters, with the names of their constants and lists in a recipe:\n")
	for _, f := range filter.Table() {
		fmt.Fprintf(&b, "  %-18s %s\n", f.Name, f.Does)
		for _, c := range f.Constants {
			fmt.Fprintf(&b, "  %-18s   %s=%v: %s\n", "", c.Name, c.Value, c.Means)
		}
		if len(f.Lists) > 0 {
			fmt.Fprintf(&b, "  %-18s   lists: %s\n", "", strings.Join(f.Lists, ", "))
		}
	}
	return b.String()
}
