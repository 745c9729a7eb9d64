package plug

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// answerAll answers a batch. An odd document does to the whole batch what it does to a line of its own.
func answerAll(as string, line []byte) {
	var batch []map[string]any
	if err := json.Unmarshal(line, &batch); err != nil {
		panic(err)
	}
	values := []any{}
	for _, d := range batch {
		text, _ := d["text"].(string) // may be missing
		odd := strings.Contains(text, "odd")
		switch {
		case odd && (as == "dies" || as == "hangs" || as == "floods" || as == "garbage"):
			answer(as, d)
		case odd && as == "log line" && len(batch) > 1: // the real answer comes after it
			fmt.Println("[INFO] loading [model]")
			time.Sleep(100 * time.Millisecond)
			values = append(values, map[string]any{"words": 99})
		case odd && as == "log dict" && len(batch) > 1:
			fmt.Println("{'loaded': True}")
			time.Sleep(100 * time.Millisecond)
			values = append(values, map[string]any{"words": 99})
		case odd && as == "log list" && len(batch) > 1:
			fmt.Println("[1, 2]")
			time.Sleep(100 * time.Millisecond)
			values = append(values, map[string]any{"words": 99})
		case odd && as == "lies":
			values = append(values, map[string]any{"words": "many"})
		case odd && as == "other column":
			values = append(values, map[string]any{"others": 1})
		case odd && as == "error":
			values = append(values, map[string]any{"error": "the page is odd"})
		case odd && as == "dies once":
			if _, err := os.Stat(os.Getenv("ONCE")); err != nil {
				answer(as, d)
			}
			values = append(values, map[string]any{"words": 7})
		case odd && as == "whole error":
			say(map[string]any{"error": "the batch is odd"})
			return
		case odd && as == "scalar":
			values = append(values, 7)
		case odd && as == "null error":
			values = append(values, map[string]any{"words": 3, "error": nil})
		case odd && as == "null for all" && len(batch) > 1: // neither an error of the batch nor its answer
			fmt.Println(`{"error": null}`)
			time.Sleep(100 * time.Millisecond)
			values = append(values, map[string]any{"words": 99})
		case odd && as == "null":
			values = append(values, nil)
		case odd && as == "short list":
		case odd && as == "long list":
			values = append(values, map[string]any{"words": 1}, map[string]any{"words": 1})
		default:
			values = append(values, map[string]any{"words": len(strings.Fields(text))})
		}
	}
	say(values)
}

// batched opens a plug with batches, and returns a function that makes documents of texts in one call.
func batched(t testing.TB, as, size string, o Options) func(texts ...string) []*schemas.Document {
	t.Helper()
	t.Setenv("BATCH", size)
	p := open(t, as, o)
	if err := enrich.Register(p); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { enrich.Unregister(p.Name()) })
	e, err := enrich.New(enrich.Options{Extract: []string{p.Name()}})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(e.Batch()) != size {
		t.Fatalf("batches of %d, want %s", e.Batch(), size)
	}
	return func(texts ...string) (docs []*schemas.Document) {
		var rests []*enrich.Rest
		for _, text := range texts {
			c := &schemas.Capture{URL: "http://a.example/", MIMEDeclared: "text/plain", Status: 200, Body: []byte(text)}
			r := e.Enrich(c, enrich.Extra{Later: true})
			docs, rests = append(docs, r.Document), append(rests, r.Rest)
		}
		e.Finish(rests)
		return docs
	}
}

// TestBatch_misbehaviour: in a batch too, only the document that is at fault has an error, and the others their values.
func TestBatch_misbehaviour(t *testing.T) {
	for _, tt := range []struct{ as, want string }{
		{"words", ""},
		{"dies", "the plug has ended without an answer: ValueError: odd page"},
		{"hangs", "no answer in 200ms"},
		{"floods", "an answer is longer than 1048576 bytes"},
		{"garbage", "the answer to a batch is not a list of JSON"},
		{"lies", `words: "many" is`},
		{"other column", `"others" is none of its columns`},
		{"error", "the page is odd"},
		{"whole error", "the batch is odd"},
		{"scalar", "the answer is not an object of JSON"},
		{"short list", "the answer has 0 values for 1 documents"},
		{"long list", "the answer has 2 values for 1 documents"},
		{"dies once", ""},
		{"log line", ""},
		{"log list", ""},
		{"log dict", ""},
		{"null", ""},
		{"null error", ""},
		{"null for all", ""},
	} {
		t.Run(tt.as, func(t *testing.T) {
			t.Setenv("ONCE", t.TempDir()+"/once")
			documents := batched(t, tt.as, "3", Options{Timeout: 200 * time.Millisecond})
			for round := range 2 {
				docs := documents("one", "one two", "an odd page", "1 2 3", "1 2 3 4", "1 2 3 4 5", "1 2 3 4 5 6")
				for i, d := range docs {
					got, said := fmt.Sprint(d.CustomIntegers["words"], len(d.Errors)), fmt.Sprint(d.Errors)
					want := []string{"[1] 0", "[2] 0", "", "[3] 0", "[4] 0", "[5] 0", "[6] 0"}[i]
					if i == 2 {
						if (tt.want == "") != (len(d.Errors) == 0) || !strings.Contains(said, tt.want) {
							t.Errorf("round %d: errors %s, want %q", round, said, tt.want)
						}
					} else if got != want {
						t.Errorf("round %d, document %d: %s, want %s: %s", round, i, got, want, said)
					}
				}
			}
		})
	}
}

// TestBatch_sizes: values are the same for every size of batches, also of documents that are longer than a batch.
func TestBatch_sizes(t *testing.T) {
	var texts []string
	for i := range 40 {
		texts = append(texts, strings.Repeat("word ", i*i))
	}
	texts[7] = strings.Repeat("word ", maxBatchBytes/4)
	texts[9] = "an odd page"
	var want string
	for _, size := range []string{"1", "2", "7", "64", "1024"} {
		var got strings.Builder
		for _, d := range batched(t, "dies", size, Options{Processes: 2})(texts...) {
			fmt.Fprintln(&got, d.CustomIntegers, d.Errors)
		}
		enrich.Unregister("words")
		if want == "" {
			want = got.String()
		}
		if got.String() != want {
			t.Errorf("batches of %s: %s, want %s", size, got.String(), want)
		}
	}
}

// TestScore_batches: documents of a collection have their values or their errors.
func TestScore_batches(t *testing.T) {
	t.Setenv("BATCH", "4")
	p := open(t, "error", Options{})
	docs, texts := make([]*schemas.Document, 10), make([]string, 10)
	for i := range docs {
		docs[i], texts[i] = &schemas.Document{}, strings.Repeat("word ", i)
	}
	texts[6] = "odd"
	for i, err := range p.Score(docs, texts) {
		if got := docs[i].CustomIntegers["words"]; (i == 6) != (err != nil) || i != 6 && got[0] != int64(i) {
			t.Errorf("document %d: %v, %v", i, got, err)
		}
	}
}

// TestScore_stored: values that a document had in a column of the plug are not its answer.
func TestScore_stored(t *testing.T) {
	for as, want := range map[string]string{"null": "[]", "error": "[]", "null error": "[3]", "words": "[3]"} {
		for _, of := range schemas.ValueTypes() {
			value := map[schemas.ValueType]string{schemas.TypeBoolean: "true", schemas.TypeTime: "2020-01-01"}[of]
			var d schemas.Document
			for _, column := range []string{"words", "other"} {
				if err := d.SetCustom(column, of, []string{cmp.Or(value, "7")}); err != nil {
					t.Fatal(err)
				}
			}
			shared := d
			text := map[string]string{"words": "three plain words"}[as]
			p := open(t, as, Options{})
			err := p.Score([]*schemas.Document{&d}, []string{cmp.Or(text, "an odd page")})[0]
			if got := fmt.Sprint(d.CustomTexts("words")); got != want || (err != nil) != (as == "error") ||
				len(d.CustomTexts("other")) != 1 || len(shared.CustomTexts("words")) != 1 {
				t.Errorf("%s, stored as %s: %s, want %s; other %v, shared %v, %v", as, of, got, want,
					d.CustomTexts("other"),
					shared.CustomTexts("words"), err)
			}
		}
	}
}

// FuzzSplit: a list has as many values as there are documents.
func FuzzSplit(f *testing.F) {
	f.Add([]byte(`[{"a": 1}, null]`), 2)
	f.Add([]byte(`{"error": "odd"}`), 1)
	f.Fuzz(func(t *testing.T, answer []byte, n int) {
		if list, astray, err := (lines{lists: true}).split(answer, n); err == nil && (astray || len(list) != n) {
			t.Fatal(list, astray, err)
		}
	})
}

// TestBatch_json: documents are JSON as package json has it, on one line, whatever their texts.
func TestBatch_json(t *testing.T) {
	b := lineBatch{lists: true}
	texts := []string{"a\nb\r\t\"\\", "\u2028 <&> \x00\x1f\x7f", "\xff a\xed\xa0\x80", "", "é 😀 \ufffd"}
	for _, text := range texts {
		if err := b.add([]field{{"text", text}, {"status", 200}, {"tags", []string{text}}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.add([]field{{"odd", func() {}}}); err == nil || len(b.ends) != len(texts) {
		t.Error("a function is JSON")
	}
	list := func(i, j int) (documents []map[string]any) {
		t.Helper()
		r, err := b.request(i, j)
		err = errors.Join(err, json.Unmarshal(r.bytes, &documents))
		if err != nil || bytes.IndexByte(r.bytes, '\n') != len(r.bytes)-1 || len(documents) != j-i {
			t.Fatal(err, string(r.bytes))
		}
		return documents
	}
	got := list(0, len(texts))
	for i, text := range texts {
		line, err := json.Marshal(map[string]any{"text": text, "status": 200, "tags": []string{text}})
		var want map[string]any
		if err = errors.Join(err, json.Unmarshal(line, &want)); err != nil || fmt.Sprint(got[i]) != fmt.Sprint(want) {
			t.Errorf("%q, want %q: %v", got[i], want, err)
		}
		if alone := list(i, i+1); alone[0]["text"] != got[i]["text"] {
			t.Errorf("document %d alone is %v", i, alone)
		}
	}
	b.drop(2)
	if rest := list(0, len(texts)-2); fmt.Sprint(rest) != fmt.Sprint(got[2:]) {
		t.Errorf("after two: %v, want %v", rest, got[2:])
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\"\x00\xff")
	f.Fuzz(func(t *testing.T, text string) {
		var got string
		want := strings.ToValidUTF8(text, "\uFFFD")
		if err := json.Unmarshal(appendString(nil, text), &got); err != nil || len([]rune(got)) != len([]rune(text)) ||
			strings.ReplaceAll(got, "\uFFFD", "") != strings.ReplaceAll(want, "\uFFFD", "") {
			t.Fatalf("%q: %q, %v", text, got, err)
		}
	})
}

// BenchmarkPlug_batch measures 64 documents of 5,000 bytes, in one batch.
func BenchmarkPlug_batch(b *testing.B) {
	documents := batched(b, "words", "64", Options{})
	texts := make([]string, 64)
	for i := range texts {
		texts[i] = strings.Repeat("some words ", 450)
	}
	for b.Loop() {
		documents(texts...)
	}
}

// A batch may take longer than a document, but one that hangs does not hold a worker for long.
func TestPatience(t *testing.T) {
	for n, want := range map[int]time.Duration{
		1: time.Minute, 3: 3 * time.Minute, 5: 5 * time.Minute, 64: 5 * time.Minute, maxBatch: 5 * time.Minute,
	} {
		if got := patience(n, time.Minute); got != want {
			t.Errorf("patience(%d) = %v, want %v", n, got, want)
		}
	}
}
