package parquetfile_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"

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
		{"a day, and no day (Read)", fileOf(t, []struct {
			URL       *string `parquet:"url,optional"`
			Published *int32  `parquet:"published,optional,date"`
		}{{&url, new(int32(20516))}, {&url, nil}}...), []*doc{{URL: url, Published: "2026-03-04T00:00:00Z"}, {URL: url}}},
		{"milliseconds, and none", fileOf(t, []struct {
			URL       *string `parquet:"url,optional"`
			Time      *int64  `parquet:"timestamp,optional,timestamp(millisecond)"`
			Published *int64  `parquet:"published,optional,timestamp(millisecond)"`
		}{{&url, new(int64(1500)), new(int64(2500))}, {&url, nil, nil}}...), []*doc{
			{URL: url, Timestamp: "1970-01-01T00:00:01.5Z", Published: "1970-01-01T00:00:02.5Z"}, {URL: url},
		}},
		{"numbers without a sign (Read)", fileOf(t, struct {
			URL    *string `parquet:"url,optional"`
			Length *uint32 `parquet:"length,optional"`
			Status *uint16 `parquet:"status,optional"`
		}{&url, new(uint32(4e9)), new(uint16(404))}), []*doc{{URL: url, Length: 4e9, Status: 404}}},
		{"times as of Spark", fileOf(t, []struct {
			URL  *string           `parquet:"url,optional"`
			Time *deprecated.Int96 `parquet:"timestamp,optional"`
		}{
			{&url, &deprecated.Int96{500_000_000, 0, 2440588}},
			{&url, nil},
			{&url, &deprecated.Int96{2_497_000_000, 0, 2440587}},
		}...), []*doc{
			{URL: url, Timestamp: "1970-01-01T00:00:00.5Z"}, {URL: url}, {URL: url, Timestamp: "1969-12-31T00:00:02.497Z"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var scanned []*schemas.Document
			read, err := documents(tt.file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, read, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("Read: -want +got:\n%s", diff)
			}
			if strings.HasSuffix(tt.name, "(Read)") {
				return // types that tables of Iceberg do not have there
			}
			for row, err := range opened(t, tt.file).Rows(t.Context(), nil, nil) {
				if err != nil {
					t.Fatal(err)
				}
				scanned = append(scanned, row.Document)
			}
			if diff := cmp.Diff(tt.want, scanned, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("parquetscan: -want +got:\n%s", diff)
			}
		})
	}
}

// TestRead_foreignUnknown: columns of a form that is not read are an error, not documents without them.
func TestRead_foreignUnknown(t *testing.T) {
	for name, file := range map[string][]byte{
		"a list of two levels": fileOf(t, struct {
			URL  string   `parquet:"url"`
			Tags []string `parquet:"tags"`
		}{"http://a.example/", []string{"a", "b"}}),
		"decimals": fileOf(t, struct {
			URL    string `parquet:"url"`
			Length int64  `parquet:"length,decimal(2:18)"`
		}{"http://a.example/", 500}),
	} {
		t.Run(name, func(t *testing.T) {
			if list, err := documents(file); err == nil {
				t.Errorf("%d documents, want an error", len(list))
			}
		})
	}
}

// TestRead_foreignText: times that are texts are as they stand, for callers that know more forms.
func TestRead_foreignText(t *testing.T) {
	file := fileOf(t, struct {
		URL  string  `parquet:"url"`
		Time *string `parquet:"timestamp,optional"`
	}{"http://a.example/", new("2026-03-04T10:30:00.5+01:00")})
	list, err := documents(file)
	if err != nil || len(list) != 1 || list[0].Timestamp != "2026-03-04T10:30:00.5+01:00" {
		t.Errorf("%+v, %v", list, err)
	}
}

// documents returns the documents of a file up to the first error.
func documents(file []byte) (list []*schemas.Document, err error) {
	for d, err := range parquetfile.Read(bytes.NewReader(file), int64(len(file))) {
		if err != nil {
			return list, err
		}
		list = append(list, d)
	}
	return list, nil
}
