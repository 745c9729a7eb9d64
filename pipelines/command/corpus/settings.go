package corpus

import (
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/io/derived/corpora"
	"github.com/gleaner-web/gleaner/io/storage/setting"
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

// outFolder is the default folder of a corpus.
const outFolder = "out-corpus"

func (c *config) inputSettings() []setting.Setting {
	return setting.Under(input, []setting.Setting{{
		Name: "collection", Value: &c.named, Default: "out", Example: "crawl-2026-10,crawl-2026-11",
		Help:  "folders that ingest wrote, with the text of documents; arguments name more",
		Brief: "folders that ingest wrote",
	}, {
		Name: "archives", Value: &c.archives, Example: "crawl/*.warc.gz",
		Help: "web archives that are read into --collection first, with type, text, language, metadata and quality of " +
			"their pages, as by ingest --add",
		Brief: "web archives to begin with",
	}})
}

func (c *config) choiceSettings() []setting.Setting {
	return setting.Under(choosing, []setting.Setting{{
		Name: "filters", Value: &c.asked.filters, Default: "gopher_repetition,gopher_quality,fineweb",
		Example: "gopher_quality,c4", Values: filterNames(),
		Help:  "filters in the order in which they are asked, with their published constants; none for no filter",
		Brief: "filters, in their order",
	}, {
		Name: "recipe", Value: &c.asked.recipe, Example: "recipe.yml",
		Help: "file with filters, their constants and lists, in place of --filters: see docs/corpora.md",
	}, {
		Name: "lang", Value: &c.asked.langs, Example: "fr,en",
		Help:  "languages that are taken, in front of all other filters, if they are sure enough (0.65)",
		Brief: "languages",
	}, {
		Name: "where", Value: &c.asked.where, Example: `page_type = "article"`,
		Help: "filter of the query language, in front of all other filters: see docs/query.md",
	}, {
		Name: "plug", Value: &c.asked.plugs, Example: "'python3 score.py'",
		Help: "command of a program that sets columns of documents (docs/plugs.md), in front of all filters, for --where " +
			"and --columns; may be repeated. A recipe names plugs too",
	}, {
		Name: "plug_timeout", Value: &c.options.PlugTimeout, Default: "1m", Example: "10s",
		Help: "how long a plug may take for a document; a longer one is refused",
	}, {
		Name: "scores", Value: &c.options.Scores, Example: "scores",
		Help: "folder that keeps the values of plugs: a later corpus with other limits asks them for new documents alone",
	}, {
		Name: "respect", Value: &c.asked.respect, Example: "robots,tdm,noai",
		Help: "opt-outs of sites that are respected, in front of all other filters (docs/rights.md): noai, tdm, robots, " +
			"or robots:GPTBot for one crawler. Files such as robots.txt are those of the collections",
	}, {
		Name: "sample", Value: &c.asked.sample, Example: "1%",
		Help: "share of the documents that are left which is taken; the same ones each time",
	}, {
		Name: "mix", Value: &c.asked.mix, Example: "fr:10%,en:50%",
		Help: "shares of languages in the corpus, by bytes of text; others share the rest as they are",
	}})
}

func (c *config) duplicateSettings() []setting.Setting {
	return setting.Under(duplicates, []setting.Setting{{
		Name: "dedup", Value: &c.options.Corpus.Dedup, Default: "url,payload,text,near", Example: "text,near",
		Values: append(corpora.Dedups(), none),
		Help: "duplicates that are left out: of one URL, of bodies, of texts, of fingerprints (simhash, a cheap first " +
			"pass), and near-duplicates by MinHash; none to keep all",
	}, {
		Name: "paragraphs", Value: &c.options.Corpus.Paragraphs, Default: "0", Example: "3",
		Help: "number of hosts from which on a paragraph stays in one document alone; 0 for any. The collections are " +
			"read twice",
	}, {
		Name: "keep", Value: (*string)(&c.options.Corpus.Keep), Default: string(cluster.Longest), Example: "oldest",
		Values: ruleNames(),
		Help:   "which document stays of those with equal or nearly equal texts",
	}, {
		Name: "keep_url", Value: (*string)(&c.options.Corpus.KeepURL), Default: string(cluster.Newest), Example: "longest",
		Values: ruleNames(),
		Help:   "which document stays of those with one URL",
	}, {
		Name: "against", Value: &c.options.Corpus.Against, Example: "corpus-2026-10",
		Help: "earlier corpora, whose bodies and texts, and near-duplicates of these, are not taken again",
	}})
}

func (c *config) outputSettings() []setting.Setting {
	return setting.Under(output, []setting.Setting{{
		Name: "text", Value: &c.options.Corpus.Text, Default: corpora.TextPlain, Example: corpora.TextMarkdown,
		Values: corpora.Texts(),
		Help: "what texts are: plain, or markdown with headings, lists, tables and links, of documents that have " +
			"main_html",
	}, {
		Name: "output", Value: &c.options.Output, Default: outFolder, Example: "/data/corpus",
		Help:  "folder of the corpus: it is made when it is not there",
		Brief: "folder of the corpus",
	}, {
		Name: "format", Value: &c.options.Corpus.Formats, Default: corpora.Parquet, Example: "parquet,jsonl",
		Values: corpora.Formats(),
		Help:   "formats of the shards",
		Brief:  "formats of the shards",
	}, {
		Name: "tokens", Value: &c.options.TokensFile, Example: "tokenizer.json",
		Help: "file of a tokenizer (docs/tokens.md): texts have a column tokens, the funnel counts them, and a recipe " +
			"limits " +
			"them",
	}, {
		Name: "columns", Value: &c.asked.columns, Example: "quality.words,custom.edu",
		Help: "fields of documents that are columns of the corpus too, as the query language names them: the first " +
			"value, or with [] a list of all",
	}, {
		Name: "partition", Value: (*string)(&c.options.Corpus.Partition), Example: "language",
		Values: []string{"", "language", "date", "domain"},
		Help:   "what the shards are divided by, into folders as language=fr; date is the month",
	}, {
		Name: "shard_size", Value: &c.options.Corpus.Shard, Default: "512MiB", Example: "1GiB",
		Help: "text in a shard, before compression",
	}, {
		Name: "seed", Value: &c.options.Corpus.Seed, Example: "2",
		Help: "another shuffle and other samples: documents are always in a random order, which depends on them and on " +
			"this",
	}, {
		Name: "keep_refused", Value: &c.options.Corpus.Refused, Default: "false", Example: "true",
		Help: "also write refused documents, with the reason, into the folder refused",
	}, {
		Name: "fresh", Value: &c.fresh, Default: "false", Example: "true",
		Help: "replace a corpus that was made of other documents or with other options",
	}})
}

func (c *config) runSettings() []setting.Setting {
	return setting.Under(doing, []setting.Setting{{
		Name: "plan", Value: &c.planOnly, Default: "false", Example: "true",
		Help: "say what would be done, and do nothing",
	}, {
		Name: "shard", Value: &c.shard, Example: "2/7",
		Help: "filter this part of the documents, into a folder of its own; `corpus merge` joins the parts " +
			"(docs/clusters/slurm.md)",
	}, {
		Name: "workers", Value: &c.options.Workers, Default: "0", Example: "4",
		Help: "units that a process does at once; 0 for as many as there are processors",
	}, {
		Name: "memory", Value: &c.options.Memory, Default: "64MiB", Example: "1GiB",
		Help: "what each sorting holds in memory; a unit that is done sorts twice",
	}})
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
