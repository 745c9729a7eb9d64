package jsonld

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/google/go-cmp/cmp"
)

func TestParse_damaged(t *testing.T) {
	tests := []struct {
		name string
		text string
		want string // the nodes, as JSON
	}{
		{"valid", `{"@type":"Person","name":"Ada"}`, `[{"@type":"Person","name":"Ada"}]`},
		{"HTML comment", "<!--\n{\"@type\":\"Person\"}\n-->", `[{"@type":"Person"}]`},
		{"CDATA behind slashes", "//<![CDATA[\n{\"@type\":\"Person\"}\n//]]>", `[{"@type":"Person"}]`},
		{"CDATA on one line", `/*<![CDATA[*/{"a":1}/*]]>*/`, `[{"a":1}]`},
		{"trailing commas", `{"a":[1,2,],"b":{"c":3,},}`, `[{"a":[1,2],"b":{"c":3}}]`},
		{"doubled and missing commas", "{\"a\":1,,\"b\":\"x\"\n\"c\":\"y\"}", `[{"a":1,"b":"x","c":"y"}]`},
		{"raw line break", "{\"a\":\"one\ntwo\",\"b\":1}", `[{"a":"one\ntwo","b":1}]`},
		{"control characters", "{\"a\":\"x\x01y\ty\",\x00\"b\":1}", `[{"a":"x\u0001y\ty","b":1}]`},
		{
			"inner quotes", `{"headline":"He said "no" and "yes" twice","b":1}`,
			`[{"headline":"He said \"no\" and \"yes\" twice","b":1}]`,
		},
		{"inner quotes of an attribute", `{"d":"<a href="/x">y</a> end","b":1}`, `[{"b":1,"d":"<a href=\"/x\">y</a> end"}]`},
		{"single quotes", `{'@type':'Person','name':'O\'Neill isn't'}`, `[{"@type":"Person","name":"O'Neill isn't"}]`},
		{
			"halves of pairs", `{"a":"\ud800\u0041","b":"\ud800\ud83d\ude00","c":"\udc00","d":"\ud800\n"}`,
			"[{\"a\":\"\ufffdA\",\"b\":\"\ufffd😀\",\"c\":\"\ufffd\",\"d\":\"\ufffd\\n\"}]",
		},
		{"bad escapes", `{"a":"\x\'\d","b":"\u12","c":"\ud83d\ude00"}`, `[{"a":"x'd","b":"u12","c":"😀"}]`},
		{"keys without quotes", `{type:"Person", name : "Ada"}`, `[{"name":"Ada","type":"Person"}]`},
		{
			"bare words", `{"a":undefined,"b":NaN,"c":true,"d":-1.5e3,"e":01}`,
			`[{"a":null,"b":null,"c":true,"d":-1.5e3,"e":null}]`,
		},
		{
			"no value before a comma", `{"@type":"NewsArticle","datePublished":,"headline":"H","author": , "b":1}`,
			`[{"@type":"NewsArticle","author":null,"b":1,"datePublished":null,"headline":"H"}]`,
		},
		{
			"no value at the end of an inner object", `{"offers":{"@type":"Offer","price":},"sku":"7","w":{"x": /* */ }}`,
			`[{"offers":{"@type":"Offer","price":null},"sku":"7","w":{"x":null}}]`,
		},
		{"no value before a wrong bracket", `[{"a":[{"b":],"c":1},{"d":2}]`, `[{"a":[{"b":null}],"c":1},{"d":2}]`},
		{"no value before a line", "{\"a\":\n\"b\": 1,\"c\":\n\"d\":\n\"e\"}", `[{"a":null,"b":1,"c":null,"d":"e"}]`},
		{"a value on the next line", "{\"a\":\n\"b: 1\",\"c\":\n{\"d\":\n[]}}", `[{"a":"b: 1","c":{"d":[]}}]`},
		{"trailing semicolon", `{"a":1};`, `[{"a":1}]`},
		{"several values", `{"a":1}{"b":2},[{"c":3}]`, `[{"a":1},{"b":2},{"c":3}]`},
		{"escaped as text, but not its URL", `{&quot;a&quot;:&quot;?b=1&region=2&quot;}`, `[{"a":"?b=1&region=2"}]`},
		{"escaped as text", `{&quot;a&quot;:&quot;x &amp;amp; y&quot;}`, `[{"a":"x &amp; y"}]`},
		{"cut in a string", `{"a":{"b":"whole"},"c":"cu`, `[{"a":{"b":"whole"}}]`},
		{"cut in a key", `[{"a":1},{"b":2,"c`, `[{"a":1},{"b":2}]`},
		{"cut after a colon", `{"a":1,"b":`, `[{"a":1}]`},
		{"wrong bracket", `{"a":[1,2},"b":3}`, `[{"a":[1,2]}]`},
		{"assignment before it", `window.ld = {"a":1};`, `[{"a":1}]`},
		{"graph", `{"@context":"x","@graph":[{"a":1},{"b":{"c":2}}]}`, `[{"a":1},{"b":{"c":2}}]`},
		{"graph in arrays", `[[{"@graph":{"a":1}}],{"@graph":[{"b":2},]}]`, `[{"a":1},{"b":2}]`},
		{"empty array", `[]`, `null`},
		{"large number", `{"isbn":9780306406157000000001}`, `[{"isbn":9780306406157000000001}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nodes, err := Parse(tt.text, Options{})
			if err != nil {
				t.Fatalf("Parse(%q): %v", tt.text, err)
			}
			if got := marshal(t, nodes); got != canonical(t, tt.want) {
				t.Errorf("Parse(%q) = %s, want %s", tt.text, got, tt.want)
			}
		})
	}
}

func TestParse_nothingToRead(t *testing.T) {
	for _, text := range []string{"", "  \n", "<!-- -->", "undefined", "42;", "window.x = 1"} {
		if nodes, err := Parse(text, Options{}); !errors.Is(err, ErrFormat) {
			t.Errorf("Parse(%q) = %v, %v, want ErrFormat", text, nodes, err)
		}
	}
}

func TestParse_limits(t *testing.T) {
	tests := []struct {
		name string
		text string
		o    Options
		want string
	}{
		{"depth", `{"a":{"b":{"c":"}"}},"d":1}`, Options{MaxDepth: 2}, `[{"a":{},"d":1}]`},
		{"nodes", `[{"a":1},{"b":{"c":2}},{"d":3}]`, Options{MaxNodes: 2}, `[{"a":1},{}]`},
		{"bytes", `{"a":"one","b":"two"}`, Options{MaxBytes: 14}, `[{"a":"one"}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nodes, err := Parse(tt.text, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := marshal(t, nodes); got != tt.want {
				t.Errorf("Parse(%q, %+v) = %s, want %s", tt.text, tt.o, got, tt.want)
			}
		})
	}
}

func TestParse_hostile(t *testing.T) {
	const n = 300_000
	for _, unit := range []string{
		"[", `{"a":`, "{\"a\":\n", "\"a\":\n", `"a":,`, `"`, `\`,
		"//", "/*", "<!--", `" `, `{"`, "'", "{[", `\u`, "&quot;", "]}",
		"{}", `"a"b`,
	} {
		text := strings.Repeat(unit, n/len(unit))
		nodes, _ := Parse(text, Options{})
		again, _ := Parse("{"+text, Options{})
		if total := len(nodes) + len(again); total > 20_000 {
			t.Errorf("Parse of repeated %q kept %d nodes", unit, total)
		}
	}
}

func TestNodes(t *testing.T) {
	scripts := []page.Script{
		{Type: "application/ld+json", Text: `{"a":1}`},
		{Type: "application/json", Text: `{"b":1}`},
		{Type: "application/ld+json", Text: `nothing`},
		{Type: "application/ld+json", Text: `[{"c":1},{"d":1},]`},
	}
	if got, want := marshal(t, Nodes(scripts, Options{})), `[{"a":1},{"c":1},{"d":1}]`; got != want {
		t.Errorf("Nodes = %s, want %s", got, want)
	}
	if got, want := marshal(t, Nodes(scripts, Options{MaxNodes: 2})), `[{"a":1},{"c":1}]`; got != want {
		t.Errorf("Nodes with MaxNodes 2 = %s, want %s", got, want)
	}
}

func TestNode_accessors(t *testing.T) {
	nodes, err := Parse(`{
		"@type": ["http://schema.org/NewsArticle", "schema:Thing", {"x": 1}],
		"schema:headline": {"@value": " Salt &amp;\n pepper "},
		"https://schema.org/keywords": ["a", "", null, 7, {"name": "b"}, {"@id": "#c"}],
		"author": {"@list": [{"@type": "Person", "name": {"@value": "Ada"}}, {"name": "Bo"}]},
		"url": ["https://a.example/?b=1&region=eu", "/?b=1&amp;region=eu"],
		"empty": null
	}`, Options{})
	if err != nil || len(nodes) != 1 {
		t.Fatalf("Parse = %v, %v", nodes, err)
	}
	n := nodes[0]
	check := func(what string, got, want any) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	check("Types", n.Types(), []string{"NewsArticle", "Thing"})
	check("String(headline)", n.String("headline"), "Salt & pepper")
	check("Strings(url)", n.Strings("url"), []string{"https://a.example/?b=1&region=eu", "/?b=1&region=eu"})
	check("String(empty)", n.String("empty"), "")
	check("Strings(keywords)", n.Strings("keywords"), []string{"a", "7", "b"})
	check("Strings(author)", n.Strings("author"), []string{"Ada", "Bo"})
	check("Child(author)", len(n.Child("author")), 2)
	check("Child(keywords)", n.Child("keywords")[1].String("@id"), "#c")
	check("Child(headline of a text)", n.Child("none"), []Node(nil))
	check("Types of type", Node{"type": "schema:Person"}.Types(), []string{"Person"})
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// canonical orders the members of an expected value like Marshal.
func canonical(t *testing.T, text string) string {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return marshal(t, v)
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"@graph":[{"@type":"Person","name":"Ada"}]}`, "<!--\n{'a':\"x \"y\" z\",}-->", `[{"a":[1,{"b":`,
		`/*<![CDATA[*/{a:undefined}/*]]>*/;`, `{&quot;a&quot;:1}`, `{"a":"\ud83d\ude00\u12"}{"b":}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o := Options{MaxDepth: 8, MaxNodes: 50}
		nodes, err := Parse(text, o)
		if err != nil && nodes != nil {
			t.Fatalf("nodes %v beside error %v", nodes, err)
		}
		objects, depth := measure(anySlice(nodes))
		if objects > o.MaxNodes || depth > o.MaxDepth+1 {
			t.Fatalf("%d objects, %d deep, exceed the limits", objects, depth)
		}
		if trimmed := strings.TrimSpace(text); json.Valid([]byte(text)) && utf8.ValidString(text) &&
			(trimmed[0] == '{' || trimmed[0] == '[') {
			sameAsStandard(t, text)
		}
		for _, n := range nodes {
			n.Types()
			n.Strings("name")
			n.Child("author")
		}
		again, _ := Parse(text, o)
		if diff := cmp.Diff(nodes, again); diff != "" {
			t.Fatalf("not deterministic: %s", diff)
		}
	})
}

// measure counts the objects of v, and the depth of objects and arrays.
func measure(v any) (objects, depth int) {
	add := func(member any) {
		o, d := measure(member)
		objects, depth = objects+o, max(depth, d)
	}
	switch v := v.(type) {
	case map[string]any:
		objects++
		for _, member := range v {
			add(member)
		}
	case []any:
		for _, element := range v {
			add(element)
		}
	default:
		return 0, 0
	}
	return objects, depth + 1
}

// sameAsStandard checks that valid JSON is read as by encoding/json.
func sameAsStandard(t *testing.T, text string) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return
	}
	if objects, depth := measure(v); objects > 50 || depth > 8 || strings.Contains(text, "schema") {
		return // truncated, or with other keys
	}
	nodes, err := Parse(text, Options{})
	want := flatten(nil, v)
	if err != nil && len(want) > 0 {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	if diff := cmp.Diff(want, nodes); diff != "" {
		t.Fatalf("Parse(%q) is not what encoding/json makes of it (-want +got):\n%s", text, diff)
	}
}

func TestParse_asEncodingJSON(t *testing.T) {
	for _, text := range []string{
		`{"a":"b","c":[1,-2.5e3,true,false,null,"",{}],"d":{"e":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"}}`,
		"[ { \"a\" :\t1 } ,\r\n{\"b\":[ ]} ]",
		`{"url":"https://example.com//x/*y*/","q":"it's, {not} [this]: \\"}`,
		`{"a":1,"a":2}`, `{"":""}`, `{"é":"日本"}`, `{"a":"\u0000\u001f"}`,
	} {
		sameAsStandard(t, text)
	}
}

func anySlice(nodes []Node) any {
	all := make([]any, len(nodes))
	for i, n := range nodes {
		all[i] = map[string]any(n)
	}
	return all
}

func BenchmarkParse(b *testing.B) {
	text := `{"@context":"https://schema.org","@type":"NewsArticle","headline":"One & two","author":[{"@type":"Person","name":"Ada"}],"articleBody":"` +
		strings.Repeat("word ", 500) + `"}`
	b.Run("strict", func(b *testing.B) { benchmark(b, text) })
	b.Run("repair", func(b *testing.B) { benchmark(b, text[:len(text)-1]+",}") })
}

func benchmark(b *testing.B, text string) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(text, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestRead_left: things beyond the limits are counted, so that callers can say so.
func TestRead_left(t *testing.T) {
	for _, tt := range []struct {
		name  string
		texts []string
		o     Options
		want  int
	}{
		{"nothing", []string{`{"a":{"b":1}}`}, Options{}, 0},
		{"depth", []string{`{"a":{"b":{"c":1}}}`}, Options{MaxDepth: 2}, 1},
		{"nodes", []string{`[{"a":1},{"a":2},{"a":3}]`}, Options{MaxNodes: 1}, 2},
		{"blocks", []string{`{"a":1}`, `{"a":2}`, `{"a":3}`}, Options{MaxNodes: 1}, 2},
		{"bytes", []string{`{"a":"one","b":"two"}`}, Options{MaxBytes: 14}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var scripts []page.Script
			for _, text := range tt.texts {
				scripts = append(scripts, page.Script{Type: Type, Text: text})
			}
			nodes, left := Read(scripts, tt.o)
			if left != tt.want || len(nodes) == 0 {
				t.Errorf("%d nodes, %d left out; want %d", len(nodes), left, tt.want)
			}
		})
	}
}
