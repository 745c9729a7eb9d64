package query

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestGroups: counts are the same in each format, typed if the format has types, and not truncated for programs.
func TestGroups(t *testing.T) {
	long := strings.Repeat("long ", 30) + "name"
	out := "--collection=" + folderOf(t, &schemas.Document{
		URL: "http://a.example/", SURT: "example,a)/", Status: 200, Authors: []string{"=1+1", long}, Filename: "a.warc.gz",
		Entities: []schemas.Entity{
			{Type: "place", Text: "Paris", Source: "rule"},
			{Type: "person", Text: "Ann", Source: "rule"},
		},
		Custom: map[string][]string{"price": {"3", "4"}}, Timestamp: "2026-03-04T00:00:00Z", Tags: []string{"a"},
	})
	for _, tt := range []struct {
		by, csv, jsonl string
	}{
		{
			"entities.type,entity", "entities.type,entity,captures\r\nperson,Ann,1\r\nplace,Paris,1\r\n",
			`{"entities.type":"person","entity":"Ann","captures":1}` + "\n" +
				`{"entities.type":"place","entity":"Paris","captures":1}` + "\n",
		},
		{
			"authors", "authors,captures\r\n'=1+1,1\r\n" + long + ",1\r\n",
			`{"authors":"=1+1","captures":1}` + "\n" + `{"authors":"` + long + `","captures":1}` + "\n",
		},
		{
			"status,damaged,lang", "status,damaged,lang,captures\r\n200,false,,1\r\n",
			`{"status":200,"damaged":false,"lang":null,"captures":1}` + "\n",
		},
		{
			"custom.price,month,filename", "custom.price,month,filename,captures\r\n3,2026-03,a.warc.gz,1\r\n4,2026-03," +
				"a.warc.gz,1\r\n",
			`{"custom.price":"3","month":"2026-03","filename":"a.warc.gz","captures":1}` + "\n" +
				`{"custom.price":"4","month":"2026-03","filename":"a.warc.gz","captures":1}` + "\n",
		},
	} {
		for format, want := range map[string]string{formatCSV: tt.csv, formatJSONL: tt.jsonl, formatParquet: tt.jsonl} {
			args := []string{out, "--by=" + tt.by, "--format=" + format}
			file := filepath.Join(t.TempDir(), "groups")
			if format == formatParquet {
				args = append(args, "--output="+file)
			}
			code, got, errs := command(t, args...)
			if code != cli.ExitDone {
				t.Fatalf("%v: exit code %d\n%s", args, code, errs)
			}
			if format == formatParquet {
				got = groupLines(t, file)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v: -want +got:\n%s", args, diff)
			}
		}
	}
	_, text, _ := command(t, out, "--by=authors")
	_, table, _ := command(t, out, "--by=authors", "--format=table")
	if !strings.Contains(text, long+"         1\n") || text != table {
		t.Errorf("a table is cut in a pipe, or has two forms:\n%s%s", text, table)
	}
}

// TestWriteGroups_custom: values of typed custom columns keep their types, unless older documents have other texts.
func TestWriteGroups_custom(t *testing.T) {
	types := map[string]schemas.ValueType{
		"words": schemas.TypeInteger, "score": schemas.TypeFloat, "sold": schemas.TypeBoolean, "seen": schemas.TypeTime,
		"name": schemas.TypeText, "mixed": schemas.TypeInteger,
	}
	for by, tt := range map[string]struct {
		values []string
		want   string
	}{
		"custom.words":          {[]string{"12", ""}, "12 <nil>"},
		"custom.score":          {[]string{"0.5", "-3"}, "0.5 -3"},
		"custom.sold":           {[]string{"true", "false"}, "true false"},
		"custom.seen":           {[]string{"2026-03-04T00:00:00Z"}, `"2026-03-04T00:00:00Z"`},
		"custom.name":           {[]string{"12"}, `"12"`},
		"custom.mixed":          {[]string{"12", "many"}, `"12" "many"`},
		"custom.unknown":        {[]string{"12"}, `"12"`},
		"custom_integers.words": {[]string{"12"}, "12"},
		"custom":                {[]string{"words"}, `"words"`},
	} {
		var list []contentdb.Group
		for _, v := range tt.values {
			list = append(list, contentdb.Group{Values: []string{v}, Count: 1})
		}
		var out strings.Builder
		if err := writeGroups(&out, config{by: []string{by}, format: formatJSONL}, list, types); err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(out.String()) {
			var row map[string]any
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatal(err)
			}
			if text, is := row[by].(string); is {
				row[by] = strconv.Quote(text)
			}
			got = append(got, fmt.Sprint(row[by]))
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("%s: %s, want %s", by, text, tt.want)
		}
	}
}

// groupLines returns the rows of a Parquet file as JSON lines, with the columns in their order.
func groupLines(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(strings.NewReader(string(b)), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	names := f.Schema().Columns()
	r := parquet.NewReader(f)
	var lines strings.Builder
	for rows := []parquet.Row{{}}; ; {
		n, _ := r.ReadRows(rows) // an error, or the end, gives no row
		if n == 0 {
			return lines.String()
		}
		var parts []string
		for i, v := range rows[0] {
			text := v.String()
			if v.IsNull() {
				text = "null"
			} else if v.Kind() == parquet.ByteArray {
				text = jsonText(t, text)
			}
			parts = append(parts, jsonText(t, names[i][0])+":"+text)
		}
		fmt.Fprintf(&lines, "{%s}\n", strings.Join(parts, ","))
	}
}

func jsonText(t *testing.T, s string) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestGroups_everyWay: counts are those of the listed captures by the index, the shards, a runner and a sample, with
// both kinds of shards.
func TestGroups_everyWay(t *testing.T) {
	out := "--collection=" + collect(t, archives(t))
	for _, by := range []string{"lang", "tags,lang", "filename", "authors,month"} {
		for _, more := range [][]string{nil, {"--all_versions", "--mime=html"}, {"--sample=50%"}} {
			var all []string
			for _, way := range [][]string{nil, {"--no_index"}, {"--runner=prism"}} {
				if len(way) > 0 && way[0] == "--runner=prism" && (by != "tags,lang" || testing.Short()) {
					continue // one slow case is enough
				}
				args := slices.Concat([]string{out, "--by=" + by, "--format=csv"}, more, way)
				code, text, errs := command(t, args...)
				if code != cli.ExitDone || strings.Count(text, "\n") < 2 {
					t.Fatalf("%v: exit code %d\n%s%s", args, code, text, errs)
				}
				all = append(all, text)
			}
			for _, text := range all[1:] {
				if diff := cmp.Diff(all[0], text); diff != "" {
					t.Errorf("by %s, %v: -index +other:\n%s", by, more, diff)
				}
			}
		}
	}
}

// TestSample: a sample is a subset of the results and of any larger sample. It is the same each time and in every
// way.
func TestSample(t *testing.T) {
	out := "--collection=" + collect(t, archives(t))
	urls := func(args ...string) []string {
		t.Helper()
		code, text, errs := command(t, append([]string{out, "--format=urls", "--order=length"}, args...)...)
		if code != cli.ExitDone {
			t.Fatalf("%v: exit code %d\n%s", args, code, errs)
		}
		return strings.Split(strings.TrimSpace(text), "\n")
	}
	all, half, fifth := urls(), urls("--sample=50%"), urls("--sample=0.2")
	if len(half) >= len(all) || len(fifth) >= len(half) || len(fifth) == 0 {
		t.Errorf("%d captures, %d of a half, %d of a fifth", len(all), len(half), len(fifth))
	}
	for _, u := range fifth {
		if !slices.Contains(half, u) || !slices.Contains(all, u) {
			t.Errorf("%s is in the smaller sample alone", u)
		}
	}
	if diff := cmp.Diff(half, urls("--sample=50%", "--no_index")); diff != "" {
		t.Errorf("-index +shards:\n%s", diff)
	}
	if diff := cmp.Diff(half, urls("--sample=50%", "--runner=prism")); diff != "" {
		t.Errorf("-index +prism:\n%s", diff)
	}
	if _, n, _ := command(t, out, "--format=count", "--sample=50%"); strings.TrimSpace(n) != fmt.Sprint(len(half)) {
		t.Errorf("--format=count: %s, want %d", n, len(half))
	}
}

// TestOrder_length: the longest records come first, then the newest, with and without the index.
func TestOrder_length(t *testing.T) {
	out := "--collection=" + collect(t, archives(t))
	for _, more := range []string{"--no_index", "--runner=prism", "--explain=false"} {
		code, text, errs := command(t, out, "--order=length", "--fields=length", "--limit=50", more)
		var lengths []int64
		for line := range strings.Lines(text) {
			var d schemas.Document
			if err := json.Unmarshal([]byte(line), &d); err != nil {
				t.Fatal(err)
			}
			lengths = append(lengths, d.Length)
		}
		if code != cli.ExitDone || len(lengths) < 20 ||
			!slices.IsSortedFunc(lengths, func(a, b int64) int { return int(b - a) }) {
			t.Errorf("%s: exit code %d, %v\n%s", more, code, lengths, errs)
		}
	}
}
