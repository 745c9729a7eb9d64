package holdings_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
)

const key = "0123456789abcdef0123"

func TestParseName(t *testing.T) {
	for _, kind := range []string{"documents", "content", "texts", "rejects", "captures", "feeds", "links"} {
		for _, ext := range []string{".jsonl", ".jsonl.zst", ".jsonl.gz", ".parquet", ".cdxj.gz", ".warc.wet.gz"} {
			name := kind + "-" + key + ext
			n, ok := holdings.ParseName(name)
			if want := (holdings.FileType{Kind: kind, Ext: ext}).Name(key); !ok || n != want || n.String() != name {
				t.Errorf("ParseName(%q) = %v, %v, want %v", name, n, ok, want)
			}
		}
	}
	for _, name := range []string{
		"", "documents", "documents-", "documents-.jsonl", "documents-" + key, "documents-" + key + ".csv",
		"documents-" + key + ".jsonl.bz2", "documents-" + key[1:] + ".jsonl", "documents-" + key + "0.jsonl",
		"documents-" + strings.ToUpper(key) + ".jsonl", "pages-" + key + ".jsonl", "-" + key + ".jsonl",
		"../documents-" + key + ".jsonl", "a/documents-" + key + ".jsonl", "documents-" + key + ".jsonl/../x",
		"documents-../../../../etc/passwd", "documents-" + key + "\n.jsonl", " documents-" + key + ".jsonl",
		"documents-00000-of-00001.jsonl", "documents-joined.jsonl",
	} {
		if n, ok := holdings.ParseName(name); ok {
			t.Errorf("ParseName(%q) = %v, want it refused", name, n)
		}
	}
}

func TestParseNumbered(t *testing.T) {
	for _, tt := range []struct {
		name   string
		id     int
		total  int
		joined bool
	}{
		{"documents-00000-of-00001.jsonl", 0, 1, false},
		{"rejects-00041-of-00042.jsonl.zst", 41, 42, false},
		{"captures-000007-of-123456.cdxj.gz", 7, 123456, false},
		{"documents-999999998-of-999999999.parquet", 999999998, 999999999, false},
		{"documents-joined.jsonl.gz", 0, 0, true},
	} {
		n, ok := holdings.ParseNumbered(tt.name)
		if !ok || n.ID != tt.id || n.Total != tt.total || n.Joined != tt.joined || n.String() != tt.name {
			t.Errorf("ParseNumbered(%q) = %+v, %v", tt.name, n, ok)
		}
	}
	for _, name := range []string{
		"documents-0-of-1.jsonl", "documents-00001-of-00001.jsonl", "documents-00002-of-00001.jsonl",
		"documents--0001-of-00001.jsonl", "documents-000000-of-00001.jsonl", "documents-00000-of-1000000000.jsonl",
		"documents-00000-of-00000.jsonl", "documents-+0000-of-00001.jsonl", "documents-00000.jsonl",
		"documents-00000-of-.jsonl", "documents-joined-of-00001.jsonl", "documents-00000-of-99999999999999999999.jsonl",
		"documents-" + key + ".jsonl",
	} {
		if n, ok := holdings.ParseNumbered(name); ok {
			t.Errorf("ParseNumbered(%q) = %+v, want it refused", name, n)
		}
	}
}

// shards are shards of the names.
func shards(names ...string) (list []schemas.Shard) {
	for _, n := range names {
		list = append(list, schemas.Shard{Name: n})
	}
	return list
}

func TestPart_kinds(t *testing.T) {
	other := strings.Repeat("f", 20)
	p := holdings.Part{Shards: shards("documents-"+key+".parquet", "documents-"+key+".jsonl.zst", "captures-"+key+".cdxj.gz",
		"documents-"+other+".parquet", "links-"+key+".parquet", "data-1.parquet", "documents-00000-of-00001.jsonl",
		"documents-00000-of-00001.parquet", "rejects-"+key+".jsonl")}
	names := func(list []schemas.Shard) (all []string) {
		for _, s := range list {
			all = append(all, s.Name)
		}
		return all
	}
	// A unit's lines are preferred, and what another program wrote is of no kind.
	want := []string{"documents-" + key + ".jsonl.zst", "documents-" + other + ".parquet", "documents-00000-of-00001.jsonl"}
	if got := names(p.DocumentShards()); !slices.Equal(got, want) {
		t.Errorf("DocumentShards = %q, want %q", got, want)
	}
	if got := names(p.Of(holdings.KindLinks)); !slices.Equal(got, []string{"links-" + key + ".parquet"}) {
		t.Errorf("links: %q", got)
	}
	tables := slices.DeleteFunc(slices.Clone(p.Shards), func(s schemas.Shard) bool { return !holdings.IsTable(s) })
	want = []string{
		"documents-" + key + ".parquet", "documents-" + other + ".parquet", "data-1.parquet",
		"documents-00000-of-00001.parquet",
	}
	if got := names(tables); !slices.Equal(got, want) {
		t.Errorf("tables: %q, want %q", got, want)
	}
}

func TestFormatsOf(t *testing.T) {
	for want, names := range map[string][]string{
		"[]":              {"captures-" + key + ".cdxj.gz", "rejects-" + key + ".jsonl", "x.parquet"},
		"[jsonl parquet]": {"documents-" + key + ".parquet", "documents-" + key + ".jsonl.gz"},
		"[content links wet]": {
			"texts-" + key + ".warc.wet.gz", "links-" + key + ".parquet", "content-" + key + ".jsonl.zst",
		},
		"[jsonl]": {"documents-00003-of-00004.jsonl"},
	} {
		got := holdings.FormatsOf(shards(names...))
		if fmt.Sprint(got) != want {
			t.Errorf("FormatsOf(%q) = %q, want %s", names, got, want)
		}
		for _, f := range got {
			if !slices.Contains(holdings.Formats(), f) {
				t.Errorf("%s is not one of the formats", f)
			}
		}
	}
}

func TestCustomTypes(t *testing.T) {
	for _, tt := range []struct {
		name   string
		option any
		want   map[string]schemas.ValueType
	}{
		{"none", nil, nil},
		{"as a run has them", map[string]schemas.ValueType{"words": schemas.TypeInteger}, map[string]schemas.ValueType{
			"words": schemas.TypeInteger,
		}},
		{"as JSON has them", map[string]any{"größe": "float"}, map[string]schemas.ValueType{"größe": schemas.TypeFloat}},
		{"a list", []any{"words"}, nil},
		{"numbers", map[string]any{"words": 1}, nil},
		{"what is not JSON", func() {}, nil},
	} {
		got := holdings.CustomTypes(schemas.Manifest{Options: map[string]any{holdings.OptionCustomTypes: tt.option}})
		if len(got) != len(tt.want) {
			t.Errorf("%s: CustomTypes = %v, want %v", tt.name, got, tt.want)
		}
		for name, kind := range tt.want {
			if got[name] != kind {
				t.Errorf("%s: %s is %s, want %s", tt.name, name, got[name], kind)
			}
		}
	}
}

// TestCustomTypes_units: units that were made with other options have other types.
func TestCustomTypes_units(t *testing.T) {
	typed := func(types map[string]any) map[string]any { return map[string]any{holdings.OptionCustomTypes: types} }
	selected := func(columns ...string) map[string]any {
		fields := map[string]any{}
		for _, column := range columns {
			fields[column] = ".css"
		}
		return map[string]any{"select": fields}
	}
	integer, float := typed(map[string]any{"stars": "integer"}), typed(map[string]any{"stars": "float", "seen": "time"})
	for _, tt := range []struct {
		name  string
		ours  map[string]any
		units []map[string]any
		want  map[string]schemas.ValueType
	}{
		{"the same", integer, []map[string]any{nil, integer}, map[string]schemas.ValueType{"stars": schemas.TypeInteger}},
		{"two types", integer, []map[string]any{nil, float}, map[string]schemas.ValueType{"seen": schemas.TypeTime}},
		{"two types of other units", nil, []map[string]any{integer, float, integer}, map[string]schemas.ValueType{
			"seen": schemas.TypeTime,
		}},
		{
			"the first without the column",
			map[string]any{"extract": "text"},
			[]map[string]any{nil, integer},
			map[string]schemas.ValueType{"stars": schemas.TypeInteger},
		},
		{"no types", nil, []map[string]any{nil, {"extract": "text"}}, nil},
		{"texts of --select in the run", selected("stars"), []map[string]any{nil, float}, map[string]schemas.ValueType{
			"seen": schemas.TypeTime,
		}},
		{"texts of --select in a unit", integer, []map[string]any{nil, selected("stars")}, nil},
		{"texts of --select in two units", nil, []map[string]any{selected("stars"), selected("stars")}, nil},
		{
			"another column of --select", integer,
			[]map[string]any{selected("price", "größe")},
			map[string]schemas.ValueType{"stars": schemas.TypeInteger},
		},
		{
			"another value for --select", integer,
			[]map[string]any{{"select": []any{"stars"}}},
			map[string]schemas.ValueType{"stars": schemas.TypeInteger},
		},
		{
			"another value for types", integer,
			[]map[string]any{{holdings.OptionCustomTypes: 1}},
			map[string]schemas.ValueType{"stars": schemas.TypeInteger},
		},
	} {
		m := schemas.Manifest{Options: tt.ours}
		for _, made := range tt.units {
			m.Units = append(m.Units, schemas.UnitResult{MadeWith: made})
		}
		if got := holdings.CustomTypes(m); !maps.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestMixed: columns with types may hold texts, too, if a unit had a custom extractor that did not type them.
func TestMixed(t *testing.T) {
	ran := func(types map[string]any, extractors ...any) map[string]any {
		return map[string]any{"extract": extractors, holdings.OptionCustomTypes: types}
	}
	stars := map[string]any{"stars": "integer"}
	for _, tt := range []struct {
		name  string
		ours  map[string]any
		units []map[string]any
		want  []string
	}{
		{"typed by all", ran(stars, "mine"), []map[string]any{nil, ran(stars, "text", "mine")}, nil},
		{"without custom extractors", ran(stars, "mine"), []map[string]any{nil, ran(nil, "mime", "text")}, nil},
		{"texts of an extractor", ran(stars, "mine"), []map[string]any{nil, ran(nil, "mine")}, []string{"stars"}},
		{"texts in the run", ran(nil, "text", "mine"), []map[string]any{ran(stars, "mine")}, []string{"stars"}},
		{"adopted", ran(stars, "mine"), []map[string]any{{"adopted": true}}, []string{"stars"}},
		{
			"one of two columns",
			ran(map[string]any{"stars": "integer", "seen": "time"}, "mine"),
			[]map[string]any{ran(stars, "mine")},
			[]string{"seen"},
		},
		{"several types", ran(stars, "mine"), []map[string]any{ran(map[string]any{"stars": "float"}, "mine")}, nil},
		{"no types", ran(nil, "mine"), []map[string]any{{"adopted": true}}, nil},
	} {
		m := schemas.Manifest{Options: tt.ours}
		for _, made := range tt.units {
			m.Units = append(m.Units, schemas.UnitResult{MadeWith: made})
		}
		if got := holdings.Mixed(m, holdings.CustomTypes(m)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
