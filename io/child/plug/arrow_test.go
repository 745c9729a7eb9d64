package plug

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/gleaner-web/gleaner/schemas"
)

// arrowSchema returns the schema of a plug's answers.
func arrowSchema(as string) *arrow.Schema {
	words := arrow.Field{Name: "words", Type: arrow.PrimitiveTypes.Int64, Nullable: true}
	switch as {
	case "lies":
		words.Type = arrow.BinaryTypes.String
	case "list":
		words.Type = arrow.ListOf(arrow.PrimitiveTypes.Int64)
	case "other column":
		words.Name = "others"
	case "dictionary":
		words.Type = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.PrimitiveTypes.Int64}
	}
	row := arrow.Field{Name: "row", Type: arrow.PrimitiveTypes.Int64}
	if as == "no row" {
		row.Name = "error"
	}
	return arrow.NewSchema([]arrow.Field{row, {Name: "error", Type: arrow.BinaryTypes.String, Nullable: true}, words}, nil)
}

// behaveArrow answers record batches. A batch with an odd document is answered as the test says, or ends the plug.
func behaveArrow(as string) {
	in, err := ipc.NewReader(os.Stdin)
	if err != nil {
		panic(err)
	}
	schema := arrowSchema("")
	out := &lateWriter{}
	w := ipc.NewWriter(out, ipc.WithSchema(schema))
	for n := 1; in.Next(); n++ {
		if as == "short-lived" && n == 5 {
			return
		}
		batch := in.RecordBatch()
		isOdd := strings.Contains(batch.Column(2).String(), "odd")
		said := as
		if !isOdd || as == "dies once" && once() {
			said = ""
		}
		if isOdd && (as == "dies" || as == "dies once" || as == "hangs" || as == "floods" || as == "garbage") {
			if said != "" {
				answer(as, map[string]any{"text": "odd"})
				continue
			}
		}
		switch said {
		case "huge":
			fmt.Print("\xff\xff\xff\xff\xff\xff\xff\x7f")
			continue
		case "stray":
			fmt.Print("loading\n") // and then the answer
		case "closes":
			fmt.Print("\xff\xff\xff\xff\x00\x00\x00\x00")
			continue
		case "truncated":
			out.limit = 40
		}
		if other := arrowSchema(said); !other.Equal(schema) || said == "compressed" {
			options := []ipc.Option{ipc.WithSchema(other)}
			if said == "compressed" {
				options = append(options, ipc.WithZstd())
			}
			if n > 1 {
				os.Exit(3) // its schema is sent: the process that is asked next begins with the other
			}
			w = ipc.NewWriter(out, options...)
			schema = other
		}
		if err := w.Write(arrowAnswer(said, schema, batch)); err != nil {
			panic(err)
		}
		if said == "twice" {
			if err := w.Write(arrowAnswer(said, schema, batch)); err != nil {
				panic(err)
			}
		}
		if out.limit > 0 {
			os.Exit(3)
		}
	}
}

// once reports whether it was called before.
func once() bool {
	_, err := os.Stat(os.Getenv("ONCE"))
	return err == nil || os.WriteFile(os.Getenv("ONCE"), nil, 0o644) != nil
}

// lateWriter writes to standard output, at most limit bytes if that is not 0.
type lateWriter struct{ limit int }

func (w *lateWriter) Write(b []byte) (int, error) {
	if w.limit > 0 {
		b = b[:min(len(b), w.limit)]
	}
	return os.Stdout.Write(b)
}

// arrowAnswer counts words.
func arrowAnswer(as string, schema *arrow.Schema, documents arrow.RecordBatch) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	rows, texts := documents.Column(0).(*array.Int64), documents.Column(2).(*array.String)
	for i := range int(documents.NumRows()) {
		isOdd := strings.Contains(texts.Value(i), "odd")
		if isOdd && as == "short" {
			continue
		}
		n := int64(len(strings.Fields(texts.Value(i))))
		row := rows.Value(i)
		if as == "other rows" {
			row++
		}
		switch to := b.Field(0).(type) {
		case *array.Int64Builder:
			to.Append(row)
		}
		if isOdd && as == "error" {
			b.Field(1).(*array.StringBuilder).Append("the page is odd")
		} else {
			b.Field(1).AppendNull()
		}
		switch to := b.Field(2).(type) {
		case *array.Int64Builder:
			if isOdd && as == "null" {
				to.AppendNull()
			} else {
				to.Append(n)
			}
		case *array.StringBuilder:
			to.Append("many")
		case *array.ListBuilder:
			to.Append(true)
			to.ValueBuilder().(*array.Int64Builder).AppendValues([]int64{n, 0, n}, []bool{true, false, true})
		case array.DictionaryBuilder:
			to.AppendNull()
		}
	}
	return b.NewRecordBatch()
}

// TestArrow_misbehaviour: only the document that is at fault has an error, and the others their values.
func TestArrow_misbehaviour(t *testing.T) {
	for _, tt := range []struct{ as, want string }{
		{"words", ""},
		{"dies", "the plug has ended without an answer: ValueError: odd page"},
		{"hangs", "no answer in 300ms"},
		{"floods", `the answer is not an Arrow stream: "xxxx`},
		{"garbage", `the answer is not an Arrow stream: "{odd\n"`},
		{"stray", `the answer is not an Arrow stream: "load`},
		{"huge", "the metadata of an Arrow message is longer than 262144 bytes"},
		{"closes", "the plug has closed its Arrow stream"},
		{"truncated", "the plug has ended without an answer"},
		{"lies", "words: Arrow's type string is not that of the column"},
		{"dictionary", "words: Arrow's type dictionary is not that of the column"},
		{"compressed", "the answer is compressed"},
		{"other column", `"others" is none of its columns, words`},
		{"no row", "error: Arrow's type int is not that of the column"},
		{"other rows", "the answer is not to this request"},
		{"short", "the answer has 0 rows for 1 documents"},
		{"error", "the page is odd"},
		{"dies once", ""},
		{"list", ""},
		{"null", ""},
		{"twice", ""},
	} {
		t.Run(tt.as, func(t *testing.T) {
			t.Setenv("ONCE", t.TempDir()+"/once")
			t.Setenv("EXCHANGE", "arrow")
			documents := batched(t, tt.as, "3", Options{Timeout: 300 * time.Millisecond})
			for round := range 2 {
				docs := documents("one", "one two", "an odd page", "1 2 3", "1 2 3 4", "1 2 3 4 5", "1 2 3 4 5 6")
				for i, d := range docs {
					got, said := fmt.Sprint(d.CustomIntegers["words"], len(d.Errors)), fmt.Sprint(d.Errors)
					want := []string{"[1] 0", "[2] 0", "", "[3] 0", "[4] 0", "[5] 0", "[6] 0"}[i]
					if i == 2 {
						if (tt.want == "") != (len(d.Errors) == 0) || !strings.Contains(said, tt.want) {
							t.Errorf("round %d: errors %s, want %q", round, said, tt.want)
						}
					} else if got != want && (tt.as != "list" || len(d.Errors) > 0) {
						t.Errorf("round %d, document %d: %s, want %s: %s", round, i, got, want, said)
					}
				}
			}
		})
	}
}

// TestArrow_killed: no value goes to another document when processes end.
func TestArrow_killed(t *testing.T) {
	t.Setenv("EXCHANGE", "arrow")
	documents := batched(t, "short-lived", "4", Options{Processes: 2})
	var texts []string
	for i := range 200 {
		texts = append(texts, strings.Repeat("word ", i%17+1))
	}
	for i, d := range documents(texts...) {
		if got := fmt.Sprint(d.CustomIntegers["words"], d.Errors); got != fmt.Sprintf("[%d] []", i%17+1) {
			t.Errorf("document %d: %s", i, got)
		}
	}
}

func TestArrow_refuses(t *testing.T) {
	t.Setenv("EXCHANGE", "parquet")
	_, err := Open(fmt.Sprintf("env %s=words %s", mode, os.Args[0]), Options{})
	if err == nil || !strings.Contains(err.Error(), `there is no exchange "parquet"`) {
		t.Error(err)
	}
	p := &Plug{declaration: declaration{declared: declared{Typed: map[string]schemas.ValueType{"row": "integer"}}}}
	if _, err := newArrows(p); err == nil || !strings.Contains(err.Error(), `"row" cannot be one of its columns`) {
		t.Error(err)
	}
}

// TestArrow_documents: every column of documents can be read, and those that a document lacks are null.
func TestArrow_documents(t *testing.T) {
	p := &Plug{declaration: declaration{declared: declared{Named: "a", Made: "1"}, Exchange: exchangeArrow}}
	p.Typed = map[string]schemas.ValueType{"a": schemas.TypeText}
	for _, c := range schemas.Columns() {
		p.Reads = append(p.Reads, c.Name)
	}
	p.Reads = append(p.Reads, readHTML, readBody)
	if err := p.check(); err != nil {
		t.Fatal(err)
	}
	b := p.exchange.batch().(*arrowBatch)
	links := 3
	full := &schemas.Document{
		URL: "http://a/", Status: 200, Timestamp: "2026-11-30T01:02:03Z", LinksInternal: &links,
		Authors: []string{"a\xff", "b"}, Quality: &schemas.Quality{},
	}
	for _, d := range []*schemas.Document{{Timestamp: "never"}, full} {
		fields := append(p.fields(d, "text\xff"), field{readHTML, "<p>"}, field{readBody, []byte{0, 255}})
		if err := b.add(fields); err != nil {
			t.Fatal(err)
		}
	}
	for _, span := range [][2]int{{0, 2}, {1, 2}} {
		r, err := b.request(span[0], span[1])
		if err != nil {
			t.Fatal(err)
		}
		in, err := ipc.NewReader(io.MultiReader(bytes.NewReader(r.head), bytes.NewReader(r.bytes)))
		if err != nil || !in.Next() {
			t.Fatal(err, in.Err())
		}
		batch := in.RecordBatch()
		if int(batch.NumCols()) != len(p.Reads)+1 || int(batch.NumRows()) != span[1]-span[0] {
			t.Errorf("%d columns, %d rows", batch.NumCols(), batch.NumRows())
		}
		for name, want := range map[string]string{
			"row": fmt.Sprint(r.row + int64(r.n) - 1), "url": "http://a/", "text": "text\ufffd", "status": "200",
			"timestamp": "2026-11-30T01:02:03Z", "links_internal": "3", "authors": `["a\ufffd","b"]`,
			"title": array.NullValueStr, "html": "<p>", "body": "AP8=",
		} {
			at := batch.Schema().FieldIndices(name)
			if len(at) != 1 {
				t.Fatalf("%d columns %s", len(at), name)
			}
			if got := batch.Column(at[0]).ValueStr(r.n - 1); got != strings.ReplaceAll(want, `\ufffd`, "\ufffd") {
				t.Errorf("%s is %s, want %s", name, got, want)
			}
		}
		in.Release()
	}
}

// BenchmarkArrow_batch measures 64 documents of 5,000 bytes, in one batch.
func BenchmarkArrow_batch(b *testing.B) {
	b.Setenv("EXCHANGE", "arrow")
	BenchmarkPlug_batch(b)
}
