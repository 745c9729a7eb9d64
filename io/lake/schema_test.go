//go:build !noiceberg && !local

package lake

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/apache/iceberg-go"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// column is an optional column of texts.
func column(id int, name string) iceberg.NestedField {
	return iceberg.NestedField{ID: id, Name: name, Type: iceberg.StringType{}}
}

// TestUnion: columns are recognised by their ids, in structs, lists and maps as well.
func TestUnion(t *testing.T) {
	inside := func(fields ...iceberg.NestedField) iceberg.NestedField {
		return iceberg.NestedField{ID: 2, Name: "list", Type: &iceberg.ListType{
			ElementID: 3, Element: &iceberg.StructType{FieldList: fields},
		}}
	}
	number := column(1, "a")
	number.Type = iceberg.Int64Type{}
	now := []iceberg.NestedField{column(1, "a"), inside(column(4, "x"))}
	for _, tt := range []struct {
		name  string
		more  []iceberg.NestedField
		grown bool
		want  error
	}{
		{"the same", now, false, nil},
		{"fewer", now[:1], false, nil},
		{"another order", []iceberg.NestedField{now[1], now[0]}, false, nil},
		{"another name", []iceberg.NestedField{column(1, "renamed")}, false, nil},
		{"one more", []iceberg.NestedField{column(9, "new")}, true, nil},
		{"one more inside", []iceberg.NestedField{inside(column(4, "x"), column(5, "y"))}, true, nil},
		{"another type", []iceberg.NestedField{number}, false, ErrSchema},
		{"a name of another id", []iceberg.NestedField{column(9, "a")}, false, ErrSchema},
	} {
		got, grown, err := union(iceberg.NewSchema(0, now...), iceberg.NewSchema(0, tt.more...))
		if grown != tt.grown || !errors.Is(err, tt.want) {
			t.Errorf("%s: grown %v, %v; want %v, %v", tt.name, grown, err, tt.grown, tt.want)
		}
		if err == nil && got.NumFields() < len(now) {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// TestUnion_mapsAndLists: a column that is a map in old shards and a list of pairs in new ones is two columns.
func TestUnion_mapsAndLists(t *testing.T) {
	text := iceberg.StringType{}
	older := iceberg.NestedField{ID: 1, Name: "crawl", Type: &iceberg.MapType{
		KeyID: 2, KeyType: text, ValueID: 3, ValueType: text, ValueRequired: true,
	}}
	newer := iceberg.NestedField{ID: 4, Name: "crawl", Type: &iceberg.ListType{
		ElementID: 5, Element: &iceberg.StructType{FieldList: []iceberg.NestedField{column(6, "key"), column(7, "value")}},
	}}
	for name, order := range map[string][2]iceberg.NestedField{"old first": {older, newer}, "new first": {newer, older}} {
		got, _, err := union(iceberg.NewSchema(0, order[0]), iceberg.NewSchema(0, order[1]))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, id := range []int{1, 4} { // a second shard of each form changes nothing
			again := map[int]iceberg.NestedField{1: older, 4: newer}[id]
			if _, grown, err := union(got, iceberg.NewSchema(0, again)); err != nil || grown {
				t.Errorf("%s: id %d again: grown %v, %v", name, id, grown, err)
			}
		}
		for column, id := range map[string]int{"crawl_map": 1, "crawl": 4} {
			if f, ok := got.FindFieldByName(column); !ok || f.ID != id {
				t.Errorf("%s: %s has the id %d, want %d", name, column, f.ID, id)
			}
		}
	}
	for name, other := range map[string]iceberg.NestedField{
		"two maps":  {ID: 9, Name: "crawl", Type: older.Type},
		"two lists": {ID: 9, Name: "crawl", Type: newer.Type},
		"a text":    column(9, "crawl"),
	} {
		now := older
		if name == "two lists" {
			now = newer
		}
		if _, _, err := union(iceberg.NewSchema(0, now), iceberg.NewSchema(0, other)); !errors.Is(err, ErrSchema) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestToday: the schema has the ids that shards have, whatever a catalogue would give.
func TestToday(t *testing.T) {
	s, err := today()
	if err != nil {
		t.Fatal(err)
	}
	for name, id := range map[string]int{"url": 1, "surt": 2, "timestamp": 5, "languages.element.code": 17} {
		if f, ok := s.FindFieldByName(name); !ok || f.ID != id {
			t.Errorf("%s has the id %d, want %d (parquetfile %s)", name, f.ID, id, parquetfile.Form)
		}
	}
}

// TestSync_newColumn: a shard with one more column gives the table that column, by its id. The other columns stay.
func TestSync_newColumn(t *testing.T) {
	f := local(filepath.Join(t.TempDir(), "out"))
	withCopies(t, f, 1, "n")
	table := opened(t, f)
	before, err := table.load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	size, err := f.Size(copyOf("n", 0))
	if err != nil {
		t.Fatal(err)
	}
	_, err = table.retry(t.Context(), func(c *change) error {
		s, err := readShard(f, step("n", 0, size).Add[0])
		if err != nil {
			return err
		}
		extractor := iceberg.NestedField{ID: 900, Name: "ext_sentiment", Type: &iceberg.StructType{
			FieldList: []iceberg.NestedField{column(901, "version")},
		}}
		s.schema = iceberg.NewSchema(0, append(s.schema.Fields(), extractor)...)
		c.key, c.add = "new column", []*tableShard{s}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	now, err := table.load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := now.Schema().FindFieldByName("ext_sentiment.version"); !ok || c.ID != 901 {
		t.Errorf("the new column is %v, %v", c, ok)
	}
	if now.Schema().NumFields() != before.Schema().NumFields()+1 || now.Metadata().LastColumnID() != reservedIDs {
		t.Errorf("%d columns, last id %d", now.Schema().NumFields(), now.Metadata().LastColumnID())
	}
	if files, err := table.Plan(t.Context(), Point{}, query.Query{}); err != nil || len(files) != 2 {
		t.Errorf("Plan = %v, %v; want 2 files", files, err)
	}
}
