package job

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// usual are the options of a command without flags.
func usual() Options {
	return Options{
		Formats: []string{"jsonl"}, Compression: "zstd", Extract: []string{"mime", "text", "links"}, Accuracy: "default",
		MaxBody: 32 << 20, MaxHead: 1 << 20, MaxRatio: 1000, Text: TextPlain, Profile: "balanced", Comments: "separate",
	}
}

// sent returns the sinks that these settings describe.
func sent(t *testing.T, settings string) (s sinks.Sinks) {
	t.Helper()
	if err := json.Unmarshal([]byte(settings), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestOptions_keysOfEarlierVersions: units of earlier versions are found by their keys, which have not changed. A
// changed key here means that all folders would be ingested again.
func TestOptions_keysOfEarlierVersions(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(o *Options)
		want   string // the keys of the options, of a unit with them, and of the manifest's options
	}{
		{"usual", func(*Options) {}, "2fe90042 3d3e376c 2fe90042"},
		{"index alone", func(o *Options) { o.Formats, o.Extract = []string{"cdxj"}, nil }, "3d992c87 3cc12fa0 3d992c87"},
		{"an index beside", func(o *Options) { o.Formats = []string{"cdxj", "jsonl", "links"} }, "feb5b90b ff50f961 2723e13d"},
		{"nothing extracted", func(o *Options) { o.Extract = []string{} }, "8f16316c 36ab9207 8f16316c"},
		{"the machine", func(o *Options) { o.Workers, o.Memory, o.Output, o.Dir = 7, 1<<30, "/out", "/in" }, "2fe90042 3d3e376c 2fe90042"},
		{"chosen", func(o *Options) {
			o.Where, o.Sample, o.Limit = "status = 200 AND host:<a&b>", 10_000, 1000
			o.Triggers = map[string]string{"text": "language = fr", "names": "status = 200"}
		}, "3529f8d6 a65e4c07 0d4548c7"},
		{"texts", func(o *Options) {
			o.Text, o.Profile, o.Comments, o.Without = TextMarkdown, "recall", "keep", []string{"main_html"}
			o.Accuracy = "high"
		}, "81021e6a 394a7c94 81021e6a"},
		{"fields", func(o *Options) {
			o.Select = []enrich.Field{{Name: "title", CSS: "h1 > b"}, {Name: "price", CSS: "span.price"}}
		}, "bfde5f89 c9f2f3d2 bfde5f89"},
		{"sources", func(o *Options) { o.Sources, o.SourcesMade = "s.sqlite", "12" }, "9b431914 568fa914 9b431914"},
		{"templates", func(o *Options) {
			o.SiteTemplates, o.TemplatesKey = true, "abc"
			o.Templates = schemas.SiteTemplates{Hosts: 3, SHA256: "0123"}
		}, "97b83ec6 4574a810 f2933a1a"},
		{"templates before the first pass", func(o *Options) { o.SiteTemplates = true }, "d8ed7a4c dd7a2238 f2933a1a"},
		{"large numbers", func(o *Options) { o.MaxBody, o.MaxRatio = 1<<62+1, 1<<53+1 }, "fafb8891 4ecdc043 fafb8891"},
		{"a sink", func(o *Options) {
			o.Sinks = sent(t, `{"elastic": {"Hosts": ["http://127.0.0.1:9200"], "Model": "ache", "Index": "pages"}}`)
		}, "8c3b42b5 707f601d 8c3b42b5"},
		{"nothing at all", func(o *Options) { *o = Options{} }, "b4ce7fb4 7288d1b8 b4ce7fb4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := usual()
			tt.change(&o)
			u := schemas.Unit{ID: 3, Inputs: []schemas.Range{{File: "a.warc.gz", Start: 7, End: 100}}}
			got := strings.Join([]string{
				o.unitKey()[:8],
				collection.Key(u, o.unitLasting(), map[string]string{"capture": "1"})[:8],
				collection.Key(schemas.Unit{}, o.lasting(), nil)[:8],
			}, " ")
			if got != tt.want {
				t.Errorf("the keys are %s, want %s", got, tt.want)
			}
		})
	}
}
