package captureio

import (
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/gleaner-web/gleaner/schemas"
)

func init() { beam.RegisterFunction(kindOf); beam.RegisterFunction(urlOf) }

func kindOf(r schemas.Reject) string { return string(r.Kind) }

func urlOf(c schemas.Capture) string { return c.URL }

func TestMain(m *testing.M) { ptest.Main(m) }

func TestRead_capturesAndRejects(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	captures, rejects := Read(s, Options{UnitSize: 64 << 10}, "../../../testdata/damaged/garbage.warc",
		"../../../testdata/README.md")
	passert.Count(s, beam.ParDo(s, urlOf, captures), "captures", 3) // the third is the piece at the cut end
	passert.Equals(s, beam.ParDo(s, kindOf, rejects), "garbage", "unsupported")
	if err := ptest.Run(p); err != nil {
		t.Error(err)
	}
}

func TestRead_missingInputFailsThePipeline(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	captures, _ := Read(s, Options{}, "no/such.warc.gz")
	passert.Empty(s, captures)
	if err := ptest.Run(p); err == nil {
		t.Error("no error for a file that is not there")
	}
}
