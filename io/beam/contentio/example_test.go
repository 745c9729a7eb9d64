//go:build linux

package contentio

import (
	"log"
	"os"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"

	"github.com/gleaner-web/gleaner/internal/jobserver"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

func init() {
	beam.RegisterFunction(urlOf)
}

func urlOf(d schemas.Document) string { return d.URL }

// french counts the versions of each French page of the first half of 2025: a graph of one's own.
// It runs wherever Beam does: beam.Run takes the runner's name, and dir may be a bucket.
func french(s beam.Scope, dir string) beam.PCollection {
	where, err := query.Parse("language = fr AND timestamp >= 2025-01 AND timestamp <= 2025-06")
	if err != nil {
		log.Fatal(err)
	}
	pages := Query(s, dir, query.Query{Where: where, AllVersions: true}, "url")
	return stats.Count(s, beam.ParDo(s, urlOf, pages))
}

// TestExample runs the example's graph on each runner, with GLEANER_SLOW=1 on the job server of Beam's Python SDK, too.
func TestExample(t *testing.T) {
	dir := fill(t)
	runners := []string{"direct", "prism"}
	if os.Getenv("GLEANER_SLOW") != "" {
		*jobopts.Endpoint, *jobopts.EnvironmentType = jobserver.Python(t).Endpoint, "LOOPBACK"
		runners = append(runners, "universal")
		t.Cleanup(func() { *jobopts.Endpoint = "" }) // which prism would look for in later tests
	} else {
		t.Log("without GLEANER_SLOW=1 Python's job server is left out")
	}
	where, err := query.Parse("language = fr AND timestamp >= 2025-01 AND timestamp <= 2025-06")
	if err != nil {
		t.Fatal(err)
	}
	n := len(embedded(t, dir, query.Query{Where: where, AllVersions: true}, []string{"url"}))
	for _, runner := range runners {
		p, s := beam.NewPipelineWithRoot()
		passert.Sum(s, beam.DropKey(s, french(s, dir)), "captures", 17, n)
		if _, err := beam.Run(t.Context(), runner, p); err != nil {
			t.Errorf("%s: %v", runner, err)
		}
	}
}
