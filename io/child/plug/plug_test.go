package plug

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// mode makes the test binary a plug that behaves as the variable says.
const mode = "GLEANER_TEST_PLUG"

func TestMain(m *testing.M) {
	if as := os.Getenv(mode); as != "" {
		behave(as)
		return
	}
	os.Exit(m.Run())
}

func say(v any) {
	line, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}

func behave(as string) {
	declaration := map[string]any{"name": "words", "version": "1", "columns": map[string]string{"words": "integer"}}
	switch as {
	case "silent":
		time.Sleep(time.Hour)
	case "mute":
		fmt.Fprintln(os.Stderr, "no module named words")
		os.Exit(1)
	case "chatty":
		fmt.Println("hello")
	case "error column":
		declaration["columns"] = map[string]string{"words": "integer", "error": "text"}
	case "nameless":
		delete(declaration, "name")
	case "reads":
		declaration["reads"] = []string{"url", "nothing"}
	case "batch 0":
		declaration["batch"] = 0
	case "batch 2000":
		declaration["batch"] = 2000
	case "body":
		declaration["reads"] = []string{"body", "html", "status", "language"}
	}
	if size := os.Getenv("BATCH"); size != "" {
		declaration["batch"] = json.RawMessage(size)
	}
	if exchange := os.Getenv("EXCHANGE"); exchange != "" {
		declaration["exchange"] = exchange
	}
	say(declaration)
	if declaration["exchange"] == "arrow" {
		behaveArrow(as)
		return
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil || as == "short-lived" && n == 5 {
			return
		}
		if os.Getenv("BATCH") != "" {
			answerAll(as, line)
			continue
		}
		var d map[string]any
		if err := json.Unmarshal(line, &d); err != nil {
			panic(err)
		}
		answer(as, d)
	}
}

func answer(as string, d map[string]any) {
	text, _ := d["text"].(string) // may be missing
	switch odd := strings.Contains(text, "odd"); {
	case as == "body":
		say(map[string]any{"words": len(d["body"].(string))})
	case !odd:
		say(map[string]any{"words": len(strings.Fields(text))})
	case as == "dies":
		fmt.Fprintln(os.Stderr, "Traceback\nValueError: odd page")
		os.Exit(3)
	case as == "dies once":
		once := os.Getenv("ONCE")
		if _, err := os.Stat(once); err != nil {
			if os.WriteFile(once, nil, 0o644) == nil {
				os.Exit(3)
			}
		}
		say(map[string]any{"words": 7})
	case as == "hangs":
		time.Sleep(time.Hour)
	case as == "floods":
		for {
			fmt.Print(strings.Repeat("x", 1<<16))
		}
	case as == "lies":
		say(map[string]any{"words": "many"})
	case as == "other column":
		say(map[string]any{"others": 1})
	case as == "object":
		say(map[string]any{"words": map[string]int{"a": 1}})
	case as == "error":
		say(map[string]any{"error": "the page is odd"})
	case as == "garbage":
		fmt.Println("{odd")
	case as == "log line" || as == "log object": // the real answer comes after it
		fmt.Println(map[string]string{"log line": "{'loaded': True}", "log object": `{"loaded": true}`}[as])
		time.Sleep(100 * time.Millisecond)
		say(map[string]any{"words": 99})
	case as == "list":
		say(map[string]any{"words": []any{1, nil, 2}})
	case as == "two at once":
		fmt.Print("{\"words\":1}\n{\"words\":2}\n")
	case as == "two, later":
		say(map[string]any{"words": 1})
		time.Sleep(100 * time.Millisecond)
		say(map[string]any{"words": 2})
	case as == "null":
		say(map[string]any{"words": nil})
	case as == "null error":
		say(map[string]any{"words": 3, "error": nil})
	case as == "null and no value":
		say(map[string]any{"words": nil, "error": nil})
	}
}

func open(t testing.TB, as string, o Options) *Plug {
	t.Helper()
	p, err := Open(fmt.Sprintf("env %s='%s' %s", mode, as, os.Args[0]), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// extract makes the document of a text with the plug alone.
func extract(t testing.TB, p *Plug) func(text string) *schemas.Document {
	t.Helper()
	if err := enrich.Register(p); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { enrich.Unregister(p.Name()) })
	e, err := enrich.New(enrich.Options{Extract: []string{p.Name()}})
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) *schemas.Document {
		return e.Document(&schemas.Capture{URL: "http://a.example/", MIMEDeclared: "text/plain", Status: 200, Body: []byte(text)})
	}
}

// TestPlug_misbehaviour: each document that a plug does not answer has an error that says why. The next is answered.
func TestPlug_misbehaviour(t *testing.T) {
	for _, tt := range []struct{ as, want string }{
		{"dies", "the plug has ended without an answer: ValueError: odd page"},
		{"hangs", "no answer in 500ms"},
		{"floods", "an answer is longer than 1048576 bytes"},
		{"lies", `words: "many" is`},
		{"other column", `"others" is none of its columns`},
		{"object", "words: a value is a string, a number or a boolean"},
		{"error", "the page is odd"},
		{"garbage", "the answer is not an object of JSON"},
		{"log line", "the answer is not an object of JSON"},
		{"log object", `"loaded" is none of its columns`},
		{"dies once", ""},
		{"list", ""},
		{"null", ""},
		{"null error", ""},
		{"null and no value", ""},
		{"two at once", ""},
	} {
		t.Run(tt.as, func(t *testing.T) {
			t.Setenv("ONCE", t.TempDir()+"/once")
			document := extract(t, open(t, tt.as, Options{Timeout: 500 * time.Millisecond}))
			d := document("an odd page")
			said := fmt.Sprint(d.Errors)
			if tt.want == "" && len(d.Errors) > 0 || !strings.Contains(said, tt.want) {
				t.Errorf("errors %s, want %q", said, tt.want)
			}
			if tt.as == "null error" && fmt.Sprint(d.CustomIntegers["words"]) != "[3]" {
				t.Errorf("beside an error that is null: %v", d.CustomIntegers)
			}
			if tt.as == "list" && fmt.Sprint(d.CustomIntegers["words"]) != "[1 2]" {
				t.Errorf("a list is %v", d.CustomIntegers)
			}
			if tt.as == "two at once" {
				next := document("never the second answer")
				if len(next.CustomIntegers) > 0 || !strings.Contains(fmt.Sprint(next.Errors), "no answer") {
					t.Errorf("after two answers: %v, %v", next.CustomIntegers, next.Errors)
				}
			}
			if next := document("three plain words"); fmt.Sprint(next.CustomIntegers["words"]) != "[3]" {
				t.Errorf("the next document has %v, %v", next.CustomIntegers, next.Errors)
			}
		})
	}
}

// TestClose_extra: a line too much is logged at the end, however late it came.
func TestClose_extra(t *testing.T) {
	for as, want := range map[string]bool{"two, later": true, "two at once": true, "list": false, "dies once": false} {
		var log strings.Builder
		before := slog.Default()
		slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
		t.Setenv("ONCE", t.TempDir()+"/once")
		p := open(t, as, Options{Processes: 1})
		v := p.askAll(1, func(int) []field { return []field{{"text", "an odd page"}} })[0]
		p.Close()
		p.idle <- nil // for the Close at the end of the test
		slog.SetDefault(before)
		if told := strings.Contains(log.String(), "more lines"); told != want || v.Err != nil {
			t.Errorf("%s: %v, log %q", as, v, log.String())
		}
	}
}

func TestOpen_refuses(t *testing.T) {
	for _, tt := range []struct{ as, want string }{
		{"silent", "it has not declared itself in time"},
		{"mute", "the plug has ended without an answer: no module named words"},
		{"chatty", `its first line is not a declaration: "hello"`},
		{"nameless", "its first line must declare name, version and columns"},
		{"error column", `"error" cannot be one of its columns`},
		{"batch 0", "batch is 0; it can be 1 to 1024 documents"},
		{"batch 2000", "batch is 2000; it can be 1 to 1024 documents"},
		{"reads", `documents have no column "nothing", which it reads`},
	} {
		command := fmt.Sprintf("env %s='%s' %s", mode, tt.as, os.Args[0])
		o := Options{}
		if tt.as == "silent" {
			o.Start = time.Second
		}
		if _, err := Open(command, o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.as, err, tt.want)
		}
	}
	if _, err := Open("no-such-program-here", Options{}); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Error(err)
	}
}

func TestPlug_reads(t *testing.T) {
	document := extract(t, open(t, "body", Options{}))
	if d := document("abcdef"); fmt.Sprint(d.CustomIntegers["words"]) != "[8]" { // base64
		t.Error(d.CustomIntegers, d.Errors)
	}
}

// TestPlug_killed: processes end while documents are made at once, and no value is lost or goes to another document.
func TestPlug_killed(t *testing.T) {
	document := extract(t, open(t, "short-lived", Options{Processes: 4}))
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 50 {
				n := (g*50+i)%17 + 1
				d := document(strings.Repeat("word ", n))
				if got := d.CustomIntegers["words"]; len(got) != 1 || got[0] != int64(n) {
					t.Errorf("%d words are %v: %v", n, got, d.Errors)
				}
			}
		})
	}
	all.Wait()
}

func TestPlug_longDocuments(t *testing.T) {
	document := extract(t, open(t, "words", Options{}))
	for _, n := range []int{1, 10_000, 500_000} {
		if d := document(strings.Repeat("word ", n)); fmt.Sprint(d.CustomIntegers["words"]) != fmt.Sprintf("[%d]", n) {
			t.Error(n, d.CustomIntegers, d.Errors)
		}
	}
}

func FuzzValues(f *testing.F) {
	f.Add([]byte(`{"a": [1, "b", null, true], "error": {}}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		if v, err := values(answer); (v == nil) == (err == nil) {
			t.Fatal(v, err)
		}
	})
}

// BenchmarkPlug measures a document of 5,000 bytes, with the plug's own work.
func BenchmarkPlug(b *testing.B) {
	document := extract(b, open(b, "words", Options{}))
	text := strings.Repeat("some words ", 450)
	for b.Loop() {
		if d := document(text); len(d.Errors) > 0 {
			b.Fatal(d.Errors)
		}
	}
}
