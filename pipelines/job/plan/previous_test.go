package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// madeBy returns a folder with a unit made by a recipe.
func madeBy(r recipe.Recipe) *standing.Folder {
	return &standing.Folder{
		Rows:    map[string]ledger.Row{"a": {}},
		LastRun: holdings.LastRun{Options: r.Note()},
	}
}

// TestKeepOptions_indexOfDocuments: an index beside documents makes no unit again, whatever the documents are made by.
func TestKeepOptions_indexOfDocuments(t *testing.T) {
	for name, change := range map[string]func(r *recipe.Recipe){
		"usual":       func(*recipe.Recipe) {},
		"extractors":  func(r *recipe.Recipe) { r.Extract = []string{"mime"} },
		"fields":      func(r *recipe.Recipe) { r.Select = recipe.Fields{{Name: "b", CSS: "b"}, {Name: "a", CSS: "a"}} },
		"triggers":    func(r *recipe.Recipe) { r.Triggers = map[string]string{"text": "status = 200"} },
		"two of them": func(r *recipe.Recipe) { r.Triggers = map[string]string{"text": "host = a", "mime": "host = b"} },
		"a filter":    func(r *recipe.Recipe) { r.Where = "status = 200" },
		"a sample":    func(r *recipe.Recipe) { r.Sample = 10_000 },
		"texts":       func(r *recipe.Recipe) { r.Text, r.Profile, r.Comments = "markdown", "recall", "keep" },
		"columns":     func(r *recipe.Recipe) { r.Without = recipe.WithoutColumns() },
		"an accuracy": func(r *recipe.Recipe) { r.Accuracy = "high" },
		"bounds":      func(r *recipe.Recipe) { r.MaxBody, r.MaxHead, r.MaxRatio = 1, 2, 3 },
		"compression": func(r *recipe.Recipe) { r.Compression = "gzip" },
	} {
		then := usual().Recipe
		change(&then)
		c := usual()
		c.Formats, c.Extract = []string{"cdxj"}, nil
		if err := c.keepOptions(madeBy(then)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.UnitKey("") != then.UnitKey("") || !c.HasIndex() {
			t.Errorf("%s: the index is made by %+v, and the documents by %+v", name, c.Recipe, then)
		}
	}
}

// TestKeepOptions: a command adds to the recipe of its folder, and may not take anything away.
func TestKeepOptions(t *testing.T) {
	index := func(r *recipe.Recipe) { r.Formats, r.Extract = []string{"cdxj"}, nil }
	for _, tt := range []struct {
		name      string
		then, now func(r *recipe.Recipe)
		want      string // in the error; "" for none
		formats   string // of the completed request
	}{
		{"the same", func(*recipe.Recipe) {}, func(*recipe.Recipe) {}, "", "jsonl"},
		{
			"another format", func(*recipe.Recipe) {}, func(r *recipe.Recipe) { r.Formats = []string{"parquet"} }, "",
			"jsonl parquet",
		},
		{"documents beside an index", index, func(*recipe.Recipe) {}, "", "cdxj jsonl"},
		{"an index again", index, index, "", "cdxj"},
		{"fewer extractors", func(*recipe.Recipe) {}, func(r *recipe.Recipe) { r.Extract = nil }, "--extract", ""},
		{"more extractors", func(*recipe.Recipe) {}, func(r *recipe.Recipe) {
			r.Extract = append(slices.Clone(r.Extract), "language")
		}, "", "jsonl"},
		{
			"an extractor of another version", func(r *recipe.Recipe) { r.Extract = []string{"old"} }, func(*recipe.Recipe) {},
			"", "jsonl",
		},
		{
			"a field less", func(r *recipe.Recipe) { r.Select = []enrich.Field{{Name: "a", CSS: "b"}} },
			func(*recipe.Recipe) {}, "--select", "",
		},
		{"another text", func(r *recipe.Recipe) { r.Text = "none" }, func(*recipe.Recipe) {}, "--text", ""},
		{"a lower limit", func(r *recipe.Recipe) { r.Limit = 9 }, func(r *recipe.Recipe) { r.Limit = 8 }, "--limit", ""},
		{"a higher limit", func(r *recipe.Recipe) { r.Limit = 9 }, func(r *recipe.Recipe) { r.Limit = 10 }, "", "jsonl"},
		{"an index of sources", func(r *recipe.Recipe) { r.SourcesMade = "1" }, index, "--sources", ""},
	} {
		then, c := usual().Recipe, usual()
		tt.then(&then)
		tt.now(&c.Recipe)
		err := c.keepOptions(madeBy(then))
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
		if got := strings.Join(c.Formats, " "); err == nil && got != tt.formats {
			t.Errorf("%s: formats %q, want %q", tt.name, got, tt.formats)
		}
	}
}
