package parquetfile_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/schemas"
)

// fileOf writes rows as other programs do, with columns that may all be null.
func fileOf[T any](t *testing.T, rows ...T) []byte {
	t.Helper()
	var file bytes.Buffer
	w := parquet.NewGenericWriter[T](&file)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// The structs of columns as other programs write them. Arrow named the elements of lists "item", Hive "array_element".
type (
	named struct {
		Text *string `parquet:"text,optional"`
		Kind *string `parquet:"kind,optional"`
	}
	element struct {
		Element *named `parquet:"element,optional"`
	}
	elements struct {
		List []element `parquet:"list"`
	}
	item struct {
		Item *string `parquet:"item,optional"`
	}
	items struct {
		List []item `parquet:"list"`
	}
	hiveItem struct {
		Element *string `parquet:"array_element,optional"`
	}
	hiveItems struct {
		Bag []hiveItem `parquet:"bag"`
	}
	words struct {
		Words *int64 `parquet:"words,optional"`
	}
)

// TestRead_foreign: fields without a column are missing, by both readers, whichever columns a file has.
func TestRead_foreign(t *testing.T) {
	url, a, b, n := "http://a.example/", "a", "b", int64(3)
	type doc = schemas.Document
	tests := []struct {
		name string
		file []byte
		want []*doc
	}{
		{"a URL alone", fileOf(t, struct {
			URL *string `parquet:"url,optional"`
		}{&url}), []*doc{{URL: url}}},
		{"no title in a row", fileOf(t, []struct {
			URL   *string `parquet:"url,optional"`
			Title *string `parquet:"title,optional"`
		}{{&url, &a}, {&url, nil}}...), []*doc{{URL: url, Title: a}, {URL: url}}},
		{"a part of a group", fileOf(t, []struct {
			URL     *string `parquet:"url,optional"`
			Quality *words  `parquet:"quality,optional"`
		}{{&url, &words{&n}}, {&url, nil}}...), []*doc{{URL: url, Quality: &schemas.Quality{Words: 3}}, {URL: url}}},
		{"no column of a group", fileOf(t, struct {
			URL     *string `parquet:"url,optional"`
			Quality *item   `parquet:"quality,optional"`
		}{&url, &item{&a}}), []*doc{{URL: url}}},
		{"a part of the elements of a list", fileOf(t, []struct {
			URL      *string   `parquet:"url,optional"`
			Entities *elements `parquet:"entities,optional"`
		}{
			{&url, &elements{[]element{{&named{Text: &a, Kind: &b}}, {&named{Text: &b}}}}},
			{&url, &elements{}},
			{&url, nil},
		}...), []*doc{{URL: url, Entities: []schemas.Entity{{Text: a}, {Text: b}}}, {URL: url}, {URL: url}}},
		{
			"lists as of Arrow", fileOf(t, []struct {
				URL  *string `parquet:"url,optional"`
				Tags *items  `parquet:"tags,optional"`
			}{{&url, &items{[]item{{&a}, {&b}}}}, {&url, &items{}}, {&url, nil}}...),
			[]*doc{{URL: url, Tags: []string{a, b}}, {URL: url}, {URL: url}},
		},
		{"lists as of Hive", fileOf(t, struct {
			URL  *string    `parquet:"url,optional"`
			Tags *hiveItems `parquet:"tags,optional"`
		}{&url, &hiveItems{[]hiveItem{{&a}, {&b}}}}), []*doc{{URL: url, Tags: []string{a, b}}}},
		{"a map", fileOf(t, struct {
			URL   *string           `parquet:"url,optional"`
			Crawl map[string]string `parquet:"crawl,optional"`
		}{&url, map[string]string{a: b}}), []*doc{{URL: url, Crawl: map[string]string{a: b}}}},
		{"one date, as a text", fileOf(t, struct {
			URL      *string `parquet:"url,optional"`
			Modified *string `parquet:"modified,optional"`
		}{&url, new("2026-03-01")}), []*doc{{URL: url, Modified: "2026-03-01"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var read, scanned []*schemas.Document
			for d, err := range parquetfile.Read(bytes.NewReader(tt.file), int64(len(tt.file))) {
				if err != nil {
					t.Fatal(err)
				}
				read = append(read, d)
			}
			for row, err := range opened(t, tt.file).Rows(t.Context(), nil, nil) {
				if err != nil {
					t.Fatal(err)
				}
				scanned = append(scanned, row.Document)
			}
			if diff := cmp.Diff(tt.want, read, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("Read: -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, scanned, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("parquetscan: -want +got:\n%s", diff)
			}
		})
	}
}

// TestRead_foreignLists: lists of a form that is not read are an error, not documents without them.
func TestRead_foreignLists(t *testing.T) {
	file := fileOf(t, struct {
		URL  string   `parquet:"url"`
		Tags []string `parquet:"tags"`
	}{"http://a.example/", []string{"a", "b"}})
	for d, err := range parquetfile.Read(bytes.NewReader(file), int64(len(file))) {
		if err == nil {
			t.Errorf("a document %+v, want an error", d)
		}
	}
}
