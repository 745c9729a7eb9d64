package parquetfile_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"

	"github.com/gleaner-web/gleaner/schemas"
)

// Lists of two levels, as parquet-avro, Thrift and others wrote them.
type (
	author struct {
		Author *string `parquet:"author,optional"`
	}
	authorText struct {
		Author *string `parquet:"author,optional"`
		Text   *string `parquet:"text,optional"`
	}
	avroTexts struct {
		Array []string `parquet:"array"`
	}
	avroPosts struct {
		Array []author `parquet:"array"`
	}
	thriftPosts struct {
		Tuple []author `parquet:"posts_tuple"`
	}
	otherPosts struct {
		Bag []authorText `parquet:"bag"`
	}
)

// TestRead_foreignForms: times of Spark, lists of two levels and lists of one are read by Read, and nulls among them.
func TestRead_foreignForms(t *testing.T) {
	url, a, b := "http://a.example/", "a", "b"
	half := &deprecated.Int96{500_000_000, 0, 2440588}
	type doc = schemas.Document
	posts := []*doc{{URL: url, Posts: []schemas.Post{{Author: a}, {}, {Author: b}}}, {URL: url}, {URL: url}}
	for name, tt := range map[string]struct {
		file []byte
		want []*doc
	}{
		"dates as of Spark": {fileOf(t, []struct {
			URL       string            `parquet:"url"`
			Published *deprecated.Int96 `parquet:"published,optional"`
			Modified  *deprecated.Int96 `parquet:"modified,optional"`
			Text      *string           `parquet:"modified_text,optional"`
		}{{url, half, half, &a}, {url, nil, half, nil}, {url, nil, nil, &b}}...), []*doc{
			{URL: url, Published: "1970-01-01T00:00:00.5Z", Modified: a},
			{URL: url, Modified: "1970-01-01T00:00:00.5Z"},
			{URL: url, Modified: b},
		}},
		"dates as of Spark, without nulls": {fileOf(t, struct {
			URL       string           `parquet:"url"`
			Published deprecated.Int96 `parquet:"published"`
		}{url, *half}), []*doc{{URL: url, Published: "1970-01-01T00:00:00.5Z"}}},
		"posts as of Avro": {fileOf(t, []struct {
			URL   string     `parquet:"url"`
			Posts *avroPosts `parquet:"posts,optional"`
		}{{url, &avroPosts{[]author{{&a}, {}, {&b}}}}, {url, &avroPosts{}}, {url, nil}}...), posts},
		"posts as of Thrift": {fileOf(t, []struct {
			URL   string       `parquet:"url"`
			Posts *thriftPosts `parquet:"posts,optional"`
		}{{url, &thriftPosts{[]author{{&a}, {}, {&b}}}}, {url, &thriftPosts{}}, {url, nil}}...), posts},
		"posts of several columns": {fileOf(t, []struct {
			URL   string      `parquet:"url"`
			Posts *otherPosts `parquet:"posts,optional"`
		}{{url, &otherPosts{[]authorText{{&a, nil}, {}, {&b, nil}}}}, {url, &otherPosts{}}, {url, nil}}...), posts},
		"texts as of Avro": {fileOf(t, []struct {
			URL  string     `parquet:"url"`
			Tags *avroTexts `parquet:"tags,optional"`
		}{{url, &avroTexts{[]string{a, b}}}, {url, &avroTexts{}}, {url, nil}}...), []*doc{
			{URL: url, Tags: []string{a, b}}, {URL: url}, {URL: url},
		}},
		"a text for a list": {fileOf(t, []struct {
			URL     string  `parquet:"url"`
			Tags    *string `parquet:"tags,optional"`
			Authors string  `parquet:"authors"`
		}{{url, &a, b}, {url, nil, a}}...), []*doc{
			{URL: url, Tags: []string{a}, Authors: []string{b}}, {URL: url, Authors: []string{a}},
		}},
		"values for lists in maps": {fileOf(t, struct {
			URL      string               `parquet:"url"`
			Custom   map[string]*string   `parquet:"custom,optional"`
			Integers map[string]int64     `parquet:"custom_integers,optional"`
			Times    map[string]time.Time `parquet:"custom_times,optional" parquet-value:",timestamp(microsecond)"`
		}{
			url,
			map[string]*string{"x": &a, "y": nil},
			map[string]int64{"x": 0},
			map[string]time.Time{"x": time.Unix(1, 0)},
		}), []*doc{{
			URL: url, Custom: map[string][]string{"x": {a}, "y": {}}, CustomIntegers: map[string][]int64{"x": {0}},
			CustomTimes: map[string][]string{"x": {"1970-01-01T00:00:01Z"}},
		}}},
	} {
		t.Run(name, func(t *testing.T) {
			read, err := documents(tt.file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, read, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// nodeFile is a file with one row, of nulls, whose column has a type that no Go struct has.
func nodeFile(t *testing.T, name string, node parquet.Node) []byte {
	t.Helper()
	group := parquet.Group{"url": parquet.String(), name: node}
	var row parquet.Row
	for i, path := range parquet.NewSchema("row", group).Columns() {
		v := parquet.NullValue()
		if path[0] == "url" {
			v = parquet.ValueOf("http://a.example/")
		}
		row = append(row, v.Level(0, 0, i))
	}
	return rowsFile(t, group, []parquet.Row{row})
}

func rowsFile(t *testing.T, columns parquet.Group, rows []parquet.Row) []byte {
	t.Helper()
	var file bytes.Buffer
	w := parquet.NewGenericWriter[any](&file, parquet.NewSchema("row", columns))
	if _, err := w.WriteRows(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestRead_foreignRefused: a column of a form that is not read is an error with its name and type.
func TestRead_foreignRefused(t *testing.T) {
	text, one := parquet.Optional(parquet.String()), parquet.Optional(parquet.Int(64))
	group := parquet.Optional(parquet.Group{"item": text})
	for _, tt := range []struct {
		name string
		node parquet.Node
		want string
	}{
		{"timestamp", one, "timestamp is INT(64,true)"},
		{"timestamp", parquet.Optional(parquet.Leaf(parquet.Int64Type)), "timestamp is INT(64,true)"},
		{"timestamp", parquet.Optional(parquet.Leaf(parquet.DoubleType)), "timestamp is DOUBLE"},
		{"timestamp", parquet.Optional(parquet.Time(parquet.Microsecond)), "timestamp is TIME"},
		{"timestamp", group, "timestamp is group"},
		{"published", one, "published is INT(64,true)"},
		{"modified", parquet.Optional(parquet.Leaf(parquet.Int32Type)), "modified is INT(32,true)"},
		{"published", group, "published is group"},
		{"published_text", group, "published_text is group"},
		{"published_text", one, "published_text is INT(64,true)"},
		{"language", group, "language is group"},
		{"language", parquet.Optional(parquet.List(text)), "language is LIST"},
		{"status", group, "status is group"},
		{"title", parquet.Repeated(parquet.String()), "title is repeated STRING"},
		{"posts", text, "posts is STRING"},
		{"posts", parquet.Repeated(parquet.Group{"author": text}), "posts is repeated group"},
		{"posts", parquet.Optional(parquet.Group{"x": group}), "posts is group"},
		{"tags", parquet.Optional(parquet.List(group)), "tags.list.element is group"},
		{"quality", text, "quality is STRING"},
		{"crawl", text, "crawl is STRING"},
		{"crawl", parquet.Optional(parquet.Map(parquet.String(), group)), "crawl.key_value.value is group"},
		{"custom_times", parquet.Optional(parquet.Map(parquet.String(), one)), "custom_times.key_value.value is INT"},
	} {
		file := nodeFile(t, tt.name, tt.node)
		if _, err := documents(file); err == nil || !strings.Contains(err.Error(), "the column "+tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}

// TestRead_foreignNulls: Arrow gives columns of nulls alone a type of their own. They are as if they were not there.
func TestRead_foreignNulls(t *testing.T) {
	null := parquet.Optional(parquet.Leaf(parquet.NullType))
	for _, name := range []string{
		"timestamp", "published", "published_text", "language", "status", "tags", "quality", "crawl",
	} {
		for _, node := range []parquet.Node{null, parquet.Optional(parquet.List(null))} {
			file := nodeFile(t, name, node)
			list, err := documents(file)
			if diff := cmp.Diff([]*schemas.Document{{URL: "http://a.example/"}}, list); err != nil || diff != "" {
				t.Errorf("%s: %v, -want +got:\n%s", name, err, diff)
			}
		}
	}
}
