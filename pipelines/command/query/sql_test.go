package query

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestSQL: a statement is answered in each format, with and without the index.
func TestSQL(t *testing.T) {
	out := collect(t, archives(t))
	const count = "select language, count(*) as n from documents where status = 200 and language in ('fr', 'de') " +
		"group by language order by language"
	for _, c := range []struct {
		name, want string
		args       []string
	}{
		{"lines", `{"language":"de","n":3}` + "\n" + `{"language":"fr","n":5}` + "\n", []string{"--sql=" + count}},
		{
			"shards", `{"language":"de","n":3}` + "\n" + `{"language":"fr","n":5}` + "\n",
			[]string{"--sql=" + count, "--no_index"},
		},
		{"csv", "language,n\r\nde,3\r\nfr,5\r\n", []string{"--sql=" + count, "--format=csv"}},
		{"table", "language  n\nde        3\nfr        5\n", []string{"--sql=" + count, "--format=table"}},
		{
			"values", `{"a":null,"b":1.5,"c":9e999,"d":"00ff","e":"<a> & \"\u0007"}` + "\n",
			[]string{`--sql=select null a, 1.5 b, 1e999 c, x'00ff' d, '<a> & "' || char(7) e`},
		},
		{"formulas", "a\r\n'=1+1\r\n", []string{"--sql=select '=1+1' a", "--format=csv"}},
		{"none", "", []string{"--sql=select 1 where 0"}},
		{"spreadsheets", "\ufeffa\r\né\r\n", []string{"--sql=select 'é' a", "--format=csv-bom"}},
		{
			"arrays", `["a","a"]` + "\n" + `[1,"x"]` + "\n" + `[null,2.5]` + "\n",
			[]string{"--sql=select 1 a, 'x' a union all select null, 2.5", "--format=arrays"},
		},
		{"arrays of nothing", `["a"]` + "\n", []string{"--sql=select 1 a where 0", "--format=arrays"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := command(t, append(c.args, "--collection="+out)...)
			if diff := cmp.Diff(c.want, stdout); code != cli.ExitDone || diff != "" {
				t.Errorf("exit code %d: %s\n%s", code, diff, stderr)
			}
		})
	}
}

// TestSQL_notes: an answer that lacks what the collection was made without says so, and others say nothing.
func TestSQL_notes(t *testing.T) {
	out := collect(t, archives(t))
	noted(t, out)
	for _, test := range []struct{ statement, want string }{
		{"select 1", ""},
		{"select count(*) from documents", ""},
		{"select * from documents limit 1", ""},
		{"select count(*) from documents('lang = xx')", ""},
		{"select count(*) from documents where language = 'xx'", ""},
		{"select count(*) from entities", "entities, which ingest --extract=entities"},
		{"select count(*) from documents('entities.sentiment < 0')", "entities.sentiment, which ingest --extract=sent"},
		{"select count(*) from documents('images.alt = x')", "images.alt, which ingest --extract=images"},
		{"select count(*) from documents('data.type = Product')", "data.type, which ingest --extract=data"},
		{"select count(*) from documents('custom.price:*')", "custom.price, which ingest --select"},
		{"select count(*) from custom", "custom, which ingest --select"},
		{"select count(*) from host_ranks", "hosts have no ranks, which need links"},
		{"select max(prank) from host_index", "hosts have no ranks, which need links"},
		{"select count(*) from documents a, documents('sentiment.score < 0') b", "sentiment.score, which ingest"},
	} {
		code, stdout, stderr := command(t, "--collection="+out, "--sql="+test.statement)
		if code != cli.ExitDone || stdout == "" || strings.Contains(stderr, cli.AboutAnswer) != (test.want != "") ||
			!strings.Contains(stderr, test.want) {
			t.Errorf("%s: exit code %d, want the note %q: %s%s", test.statement, code, test.want, stdout, stderr)
		}
	}
}

// TestSQL_refused: conflicting flags and invalid statements are usage errors and write no file.
func TestSQL_refused(t *testing.T) {
	out := collect(t, archives(t))
	answer := filepath.Join(t.TempDir(), "answer")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"no such column: absent", []string{"--sql=select absent from documents"}},
		{"not authorized", []string{"--sql=attach 'x' as y"}},
		{"unknown field", []string{"--sql=select * from documents('langage = fr')"}},
		{"2 statements", []string{"--sql=select 1; select 2"}},
		{`two columns are called "a"`, []string{"--sql=select 1 a, 2 a"}},
		{"--lang does not go with --sql", []string{"--sql=select 1", "--lang=fr"}},
		{"--limit does not go with --sql", []string{"--sql=select 1", "--limit=0"}},
		{"table, jsonl, csv", []string{"--sql=select 1", "--format=warc"}},
		{`two columns are called "a"`, []string{"--sql=select 1 a, 2 a", "--format=parquet"}},
		{"line 1, column 8: no such column: absent", []string{"--sql=select absent from documents"}},
		{"for the rows of --sql", []string{"--format=arrays"}},
		{"no table of HBase", []string{"--sql=select 1", "--collection=hbase://localhost/t"}},
		{"--runner=prism", []string{"--sql=select 1", "--runner=prism"}},
	} {
		code, stdout, stderr := command(t, append([]string{"--collection=" + out, "--output=" + answer}, c.args...)...)
		if code != cli.ExitUsage || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit code %d, %q, want %d and %q", c.args, code, stderr, cli.ExitUsage, c.want)
		}
		if _, err := os.Stat(answer); err == nil {
			t.Errorf("%v: there is a file", c.args)
		}
	}
}

// TestSQL_parquet: the columns of Parquet have the narrowest type that holds all values.
func TestSQL_parquet(t *testing.T) {
	out := collect(t, archives(t))
	file := filepath.Join(t.TempDir(), "answer.parquet")
	const statement = "with x(i, r, m, t, n, b) as (values (1, 1.5, 2, 'x', null, x'00ff'), (null, 2, 1e999, 7, null, 1), " +
		"(9007199254740993, 0, null, 'é', null, null)) select * from x"
	code, _, stderr := command(t, "--collection="+out, "--sql="+statement, "--format=parquet", "--output="+file)
	if code != cli.ExitDone {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it is only read
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	p, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	var types, rows []string
	for _, column := range p.Root().Columns() {
		types = append(types, column.Name()+" "+column.Type().String())
	}
	r := parquet.NewReader(p)
	buffer := make([]parquet.Row, 3)
	n, err := r.ReadRows(buffer)
	if n != 3 {
		t.Fatalf("%d rows: %v", n, err)
	}
	for _, row := range buffer {
		rows = append(rows, fmt.Sprint(row))
	}
	want := []string{"i INT(64,true)", "r DOUBLE", "m DOUBLE", "t STRING", "n STRING", "b STRING"}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Error(diff)
	}
	want = []string{"[1 1.5 2 x <null> 00ff]", "[<null> 2 +Inf 7 <null> 1]", "[9007199254740993 0 <null> é <null> <null>]"}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
}

// TestSQL_adopted: documents of other programs are rows of their own, also if two parts of a condition find them.
func TestSQL_adopted(t *testing.T) {
	from, out := t.TempDir(), t.TempDir()
	text := `{"url":"http://a.example/1","language":"fr"}` + "\n" + `{"url":"http://b.example/2","language":"fr"}` + "\n" +
		`{"url":"http://b.example/3","language":"en"}` + "\n" + `{"url":"http://c.example/4","language":"en"}` + "\n"
	if err := os.WriteFile(filepath.Join(from, "documents-x.jsonl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := collection.Open(folder.Open(t.Context(), out, nil), collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := care.Adopt(t.Context(), c, folder.Open(t.Context(), from, nil), shard.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for where, want := range map[string]string{
		"language = 'fr' or host = 'b.example'":               "3",
		"language = 'fr' or language = 'en'":                  "4",
		"host = 'c.example' or url = 'http://b.example/3'":    "2",
		"language = 'en' and (host = 'b.example' or surt='')": "1",
	} {
		for _, way := range []string{"--no_index=false", "--no_index"} {
			code, got, errs := command(t, "--collection="+out, "--format=csv", way,
				"--sql=select count(*) as n from documents where "+where)
			if code != cli.ExitDone || strings.TrimSpace(got) != "n\r\n"+want {
				t.Errorf("%s %s: %q, want %s\n%s", where, way, got, want, errs)
			}
		}
	}
}
