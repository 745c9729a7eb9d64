package stages_test

import (
	"context"
	"fmt"
	"log"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"

	"github.com/gleaner-web/gleaner/io/beam/captureio"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/pipelines/stages"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

func init() {
	beam.RegisterFunction(languageOf)
	beam.RegisterFunction(show)
}

func languageOf(d schemas.Document) string { return d.Language }

func show(language string, n int) {
	if language == "de" {
		fmt.Println(n, "page in German")
	}
}

// This example counts the languages of an archive. Its program starts with docsandbox.Main, like TestMain here.
func Example() {
	p, s := beam.NewPipelineWithRoot()
	captures, _ := captureio.Read(s, captureio.Options{}, "../../testdata/archives/wget.warc.gz")
	documents := stages.Enrich(s, enrich.Options{Extract: []string{"text", "language"}}, captures)
	beam.ParDo0(s, show, stats.Count(s, beam.ParDo(s, languageOf, documents)))
	if _, err := run.Pipeline(context.Background(), p, "direct"); err != nil {
		log.Println(err)
	}
	// Output: 1 page in German
}
