package plan

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// usual returns the request of a command without flags.
func usual() Request {
	return Request{
		Recipe: recipe.Recipe{
			Formats: []string{"jsonl"}, Compression: "zstd", Extract: []string{"mime", "text"}, Accuracy: "default",
			MaxBody: 32 << 20, MaxHead: 1 << 20, MaxRatio: 1000,
		},
		Machine: recipe.Machine{Output: "out"}, Runner: "local", UnitSize: 64 << 20,
	}
}

// TestRequest_Check: flags that contradict each other, and values that do not exist.
func TestRequest_Check(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(c *Request)
		want   string // in the error; "" for none
	}{
		{"nothing", func(*Request) {}, ""},
		{"an extractor", func(c *Request) { c.Extract = []string{"mime", "other"} }, "other"},
		{"a selector", func(c *Request) { c.Select = []enrich.Field{{Name: "price", CSS: "p["}} }, "price"},
		{"a compression", func(c *Request) { c.Compression = "rar" }, "--compression"},
		{"a format", func(c *Request) { c.Formats = []string{"xml"} }, "--format"},
		{"an accuracy", func(c *Request) { c.Accuracy = "perfect" }, "--language_accuracy"},
		{"a profile", func(c *Request) { c.Profile = "all" }, "--profile"},
		{"a mode of comments", func(c *Request) { c.Comments = "some" }, "--comments"},
		{"no bytes of bodies", func(c *Request) { c.MaxBody = 0 }, "--max_body"},
		{"no ratio", func(c *Request) { c.MaxRatio = -1 }, "--max_ratio"},
		{"small units", func(c *Request) { c.UnitSize = 1 }, "--unit_size"},
		{"an index of fields", func(c *Request) { c.Formats = []string{"cdxj"} }, "--format=cdxj"},
		{"an index alone", func(c *Request) { c.Formats, c.Extract = []string{"cdxj"}, nil }, ""},
		{"texts of nothing", func(c *Request) {
			c.Formats, c.Extract = []string{"jsonl", "wet"}, []string{"mime"}
		}, "--format=wet"},
		{"links of nothing", func(c *Request) { c.Formats = []string{"jsonl", "links"} }, "--format=links"},
		{
			"templates of nothing", func(c *Request) { c.SiteTemplates, c.Extract = true, []string{"mime"} },
			"--site_templates",
		},
		{"half a filter", func(c *Request) { c.Where = "status =" }, "--where"},
		{"a filter of what is not made", func(c *Request) { c.Where = "language = fr" }, "add language"},
		{"a filter of a field", func(c *Request) { c.Where = "custom.price = 3" }, "--select"},
		{"a negative limit", func(c *Request) { c.Limit = -1 }, "--limit"},
		{"a limit when adding", func(c *Request) { c.Limit, c.Keep.Add = 1, true }, "--limit"},
		{"a limit of what is new", func(c *Request) { c.Limit, c.Schedule.OnlyNew = 1, true }, "--limit"},
		{"fresh and add", func(c *Request) { c.Fresh, c.Keep.Add = true, true }, "--fresh"},
		{"fresh and prune", func(c *Request) { c.Fresh, c.Keep.Prune = true, true }, "--fresh"},
		{"templates and add", func(c *Request) { c.SiteTemplates, c.Keep.Add = true, true }, "--site_templates"},
		{
			"new since", func(c *Request) { c.Schedule, c.Inputs = Schedule{OnlyNew: true, Since: "7d"}, []string{"@list"} },
			"",
		},
		{"fresh since", func(c *Request) { c.Schedule, c.Fresh = Schedule{Since: "7d"}, true }, ""},
		{"stale since", func(c *Request) { c.Schedule = Schedule{Stale: true, Since: "2026-11-01"} }, ""},
		{"neither new nor stale", func(c *Request) { c.Schedule = Schedule{OnlyNew: true, Stale: true} }, "--only_new"},
		{"fresh and only new", func(c *Request) { c.Schedule, c.Fresh = Schedule{OnlyNew: true}, true }, "--fresh"},
		{"fresh and stale", func(c *Request) { c.Schedule, c.Fresh = Schedule{Stale: true}, true }, "--fresh"},
		{"templates since", func(c *Request) { c.Schedule.Since, c.SiteTemplates = "7d", true }, "--site_templates"},
		{"no time", func(c *Request) { c.Schedule.Since = "yesterday" }, "yesterday"},
		{"lines of no index", func(c *Request) { c.Lookup = schemas.Lookup{Filter: "status=200"} }, "--cdx"},
		{
			"half a line", func(c *Request) { c.Lookup, c.Indexes = schemas.Lookup{Filter: "status"}, []string{"i"} },
			"--cdx_filter",
		},
		{"sources of nothing", func(c *Request) { c.Sources = "s.sqlite" }, "--sources"},
		{"sources of records", func(c *Request) {
			c.Sources, c.Formats = "s.sqlite", []string{"content", "jsonl"}
		}, ""},
		{"a runner", func(c *Request) { c.Runner = "other" }, "runner"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := usual()
			tt.change(&c)
			err := c.Check()
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Check() = %v, want %q", err, tt.want)
			}
		})
	}
}

// TestRequest_secrets: no secret travels to workers in other processes, neither of the request nor of a plan.
func TestRequest_secrets(t *testing.T) {
	name := secret.Hide("https://user:word@example.org/a.warc")
	for runner, refused := range map[string]bool{"local": false, "dataflow": true} {
		c := Request{Runner: runner, Lookup: schemas.Lookup{Base: name}}
		if err := c.checkSecrets(); (err != nil) != refused {
			t.Errorf("%s: a secret base gives %v", runner, err)
		}
		err := c.checkURLs([]schemas.Unit{
			{Inputs: []schemas.Range{{File: "a.warc"}}},
			{Inputs: []schemas.Range{{File: name}}},
		})
		if (err != nil) != refused {
			t.Errorf("%s: a secret archive gives %v", runner, err)
		}
		if err != nil && strings.Contains(err.Error(), "word") {
			t.Errorf("%s: the message has the secret: %v", runner, err)
		}
	}
}
