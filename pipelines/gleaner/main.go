// Gleaner is the installed program with all commands.
package main

import (
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/command/collection"
	"github.com/gleaner-web/gleaner/pipelines/command/convert"
	"github.com/gleaner-web/gleaner/pipelines/command/corpus"
	"github.com/gleaner-web/gleaner/pipelines/command/extract"
	"github.com/gleaner-web/gleaner/pipelines/command/fileset"
	"github.com/gleaner-web/gleaner/pipelines/command/graph"
	"github.com/gleaner-web/gleaner/pipelines/command/ingest"
	"github.com/gleaner-web/gleaner/pipelines/command/mcp"
	"github.com/gleaner-web/gleaner/pipelines/command/moremeta"
	"github.com/gleaner-web/gleaner/pipelines/command/query"
	"github.com/gleaner-web/gleaner/pipelines/command/serve"
	"github.com/gleaner-web/gleaner/pipelines/command/sources"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

func main() {
	run.MainOf(cli.Program{
		Name: "gleaner",
		Summary: "Read web archives (WARC, ARC and the output of crawlers), detect the content of every capture, and write " +
			"documents.\n" +
			"Archives are files, folders, patterns, lists, standard input, or objects in buckets and on the web. " +
			"An interrupted command continues when you run it again.",
		Examples: []string{
			"gleaner ingest --output=/data/out '/data/warcs/**/*.warc.gz'",
			"gleaner ingest --plan gs://bucket/crawl-2026/",
			"gleaner query --collection=/data/out --lang=fr --mime=application/pdf --from=2026-03 --to=2026-03",
			"gleaner convert --to=ache-warc --output=/data/warc /data/crawl/data_pages",
		},
		Verbs: []cli.Verb{
			ingest.Verb, extract.Verb, query.Verb, collection.Verb, convert.Verb, moremeta.Verb, sources.Verb, corpus.Verb,
			graph.Verb, fileset.Verb, serve.Verb, mcp.Verb,
		},
	})
}
