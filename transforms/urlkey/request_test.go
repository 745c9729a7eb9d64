package urlkey

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// golden is a line of testdata/post.jsonl, which post.py beside it makes.
type golden struct {
	URL, Method, Type, Length string
	Body                      []byte
	Pywb, Indexer             string
}

// TestRequest_Append_likePywb: keys are those of pywb. Where cdxj-indexer has others, it is for a reason that is known.
func TestRequest_Append_likePywb(t *testing.T) {
	f, err := os.Open("testdata/post.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	n, others := 0, map[string]int{}
	for in.Scan() {
		var g golden
		if err := json.Unmarshal(in.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		n++
		got := SURT(Request{Method: g.Method, ContentType: g.Type, ContentLength: g.Length, Body: g.Body}.Append(g.URL))
		if got != g.Pywb {
			t.Errorf("%s %s, length %q, %.60q:\n%.200s, want\n%.200s", g.Method, g.Type, g.Length, g.Body, got, g.Pywb)
		}
		if got != g.Indexer {
			others[why(g)]++
		}
	}
	if n < 100 || others["?"] > 0 {
		t.Errorf("%d cases; where cdxj-indexer differs: %v", n, others)
	}
	t.Logf("%d cases; where cdxj-indexer differs: %v", n, others)
}

// why names the reason of a difference between the two programs.
func why(g golden) string {
	method := strings.ToUpper(g.Method)
	switch {
	case method != "POST" && method != "PUT":
		return "other methods have their own keys in pywb"
	case g.Method != method:
		return "method in lower case"
	case g.Length == "":
		return "no length"
	case strings.Contains(string(g.Body), "wombat"):
		return "pywb's own prefix"
	case strings.HasPrefix(g.Type, "multipart/"):
		return "multipart"
	case g.Type == "application/json" && strings.Contains(string(g.Body), "\n"):
		return "lines of JSON"
	case g.Type == "application/json":
		return "spelling of booleans and numbers"
	case len(g.Body) == 0:
		return "empty body"
	}
	return "?"
}

func FuzzRequest(f *testing.F) {
	f.Add("POST", "application/json", `{"a": [1, {"b": 1.5e-7}], "a": true}`)
	f.Add("PUT", "multipart/form-data; boundary=x",
		"--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--\r\n")
	f.Add("POST", "application/x-www-form-urlencoded", "a=%20&b=%zz")
	f.Fuzz(func(t *testing.T, method, contentType, body string) {
		r := Request{Method: method, ContentType: contentType, ContentLength: "100000", Body: []byte(body)}
		if key := SURT(r.Append("http://example.com/")); strings.ContainsAny(key, " \n\r\t") {
			t.Errorf("%q breaks a line", key)
		}
		if n := len([]rune(r.Append(""))); n > maxRequestQuery+len(method)*4+30 {
			t.Errorf("%d characters", n)
		}
	})
}

func BenchmarkRequest(b *testing.B) {
	r := Request{
		Method: "POST", ContentType: "application/json", ContentLength: "200",
		Body: []byte(`{"query": "query { a }", "variables": {"id": "5", "list": [1, 2, 3]}}`),
	}
	b.ReportAllocs()
	for b.Loop() {
		SURT(r.Append("https://example.com/api"))
	}
}
