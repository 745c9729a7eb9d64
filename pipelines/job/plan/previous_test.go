package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/schemas"
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
	where := func(r *recipe.Recipe) { r.Where = "status = 200" }
	both := func(a, b func(r *recipe.Recipe)) func(r *recipe.Recipe) {
		return func(r *recipe.Recipe) { a(r); b(r) }
	}
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
		{
			"no sources", func(r *recipe.Recipe) { r.SourcesMade, r.Formats = "1", []string{"content"} },
			func(*recipe.Recipe) {}, "--sources", "",
		},
		{"an index of fewer", index, both(index, where), "--where", ""},
		{"documents of fewer beside an index", index, where, "--where", ""},
		{"documents of a sample beside an index", index, func(r *recipe.Recipe) { r.Sample = 10_000 }, "--sample", ""},
		{"documents of some beside an index", index, func(r *recipe.Recipe) { r.Limit = 3 }, "--limit", ""},
		{"an index of all", both(index, where), index, "--where", ""},
		{"an index by a filter of documents of all", func(*recipe.Recipe) {}, both(index, where), "--where", ""},
		{
			"an index by a sample of documents of all", func(*recipe.Recipe) {},
			both(index, func(r *recipe.Recipe) { r.Sample = 1 }), "--sample", "",
		},
		{
			"an index of some documents of all", func(*recipe.Recipe) {},
			both(index, func(r *recipe.Recipe) { r.Limit = 3 }), "--limit", "",
		},
		{"an index by the filter of documents", where, both(index, where), "", "cdxj jsonl"},
		{"an index of chosen documents", where, index, "", "cdxj jsonl"},
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

// TestKeepOptions_adopted: documents of other programs have no options, so any for new ones are right. An index alone
// has none.
func TestKeepOptions_adopted(t *testing.T) {
	for _, tt := range []struct {
		there, formats []string
		want           string // formats of the completed request; "" for a refusal
	}{
		{[]string{"jsonl"}, []string{"jsonl"}, "jsonl"},
		{[]string{"jsonl"}, []string{"cdxj", "jsonl"}, "cdxj jsonl"},
		{[]string{"parquet"}, []string{"cdxj", "jsonl"}, "cdxj jsonl parquet"},
		{[]string{"jsonl"}, []string{"cdxj"}, ""},
		{[]string{"parquet"}, []string{"cdxj"}, ""},
		{[]string{"jsonl", "parquet"}, []string{"cdxj"}, ""},
	} {
		c := usual()
		c.Formats = tt.formats
		h := madeBy(c.Recipe)
		h.LastRun.Options = map[string]any{"formats": tt.there}
		err := c.keepOptions(h)
		advice := "--format=" + strings.Join(tt.there, ",") + ",cdxj"
		if tt.want == "" && (err == nil || !strings.Contains(err.Error(), advice)) {
			t.Errorf("%v into %v: %v, want %s", tt.formats, tt.there, err, advice)
		}
		if got := strings.Join(c.Formats, " "); tt.want != "" && (err != nil || got != tt.want) {
			t.Errorf("%v into %v: %q, %v, want %q", tt.formats, tt.there, got, err, tt.want)
		}
		if len(c.Extract) != len(usual().Extract) || c.MaxBody != usual().MaxBody {
			t.Errorf("%v into %v: the options became %+v", tt.formats, tt.there, c.Recipe)
		}
	}
}

// TestKeepOptions_withoutSources: a crawl adds records without fields of sources to those that have them.
func TestKeepOptions_withoutSources(t *testing.T) {
	c := usual()
	then := c.Recipe
	then.Formats, then.SourcesMade = []string{"content", "jsonl"}, "1"
	for _, keep := range []Keeping{{}, {Add: true}, {Add: true, WithoutSources: true}} {
		c.Keep = keep
		if err := c.keepOptions(madeBy(then)); (err == nil) != keep.WithoutSources {
			t.Errorf("%+v: %v", keep, err)
		}
	}
}

// TestKeepOptions_ownExtractors: values of plugs, tokens and other extractors of the user's do not go silently.
func TestKeepOptions_ownExtractors(t *testing.T) {
	for _, tt := range []struct {
		name     string
		extract  []string // of the command
		formats  []string
		versions map[string]string // of a unit
		want     string
	}{
		{"forgotten", []string{"mime"}, []string{"jsonl"}, map[string]string{"extractor:score": "1"}, "extractor score"},
		{"another", []string{"mime", "other"}, []string{"jsonl"}, map[string]string{"extractor:score": "1"}, "score"},
		{"an index added", nil, []string{"cdxj"}, map[string]string{"extractor:score": "1"}, "score"},
		{"asked for", []string{"mime", "score"}, []string{"jsonl"}, map[string]string{"extractor:score": "1"}, ""},
		{"once Gleaner's", []string{"mime"}, []string{"jsonl"}, map[string]string{"score": "1"}, ""},
	} {
		c := usual()
		then := c.Recipe
		then.Extract = []string{"mime", "score"}
		c.Extract, c.Formats = tt.extract, tt.formats
		h := madeBy(then)
		h.Rows["a"] = ledger.Row{UnitResult: schemas.UnitResult{Versions: tt.versions}}
		if err := c.keepOptions(h); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
