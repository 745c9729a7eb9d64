package lookup

import (
	"os"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
	"github.com/gleaner-web/gleaner/transforms/fileset/platform"
)

// BenchmarkRequest does one small request of a dataset of three files, by captures of the seed.
func BenchmarkRequest(b *testing.B) {
	lines, err := os.ReadFile(seed + "/captures.cdx")
	if err != nil {
		b.Skip("no ../shared/corpora/seeds/sandcrawler beside the checkout")
	}
	l := openLookup(b, strings.TrimSuffix(seed, "/"), Options{}, lines)
	r := schemas.FilesetRequest{Type: "dataset", BaseURL: "https://doi.org/10.5281/zenodo.5230255"}
	b.ReportAllocs()
	for b.Loop() {
		if out, err := fileset.Ingest(b.Context(), r, l, fileset.Options{Platforms: platform.All()}); err != nil ||
			!out.Result.Hit {
			b.Fatal(out, err)
		}
	}
}
