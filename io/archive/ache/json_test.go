package ache

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestJSON_bodies(t *testing.T) {
	const url = `"url":"http://a.example/"`
	for _, tt := range []struct {
		name, line, body string
		flags            []schemas.Flag
	}{
		{"padded", `{` + url + `,"content":"eHg=","fetch_time":1}`, "xx", nil},
		{"not padded", `{` + url + `,"content":"eHg","fetch_time":1}`, "xx", nil},
		{"escaped slash", `{` + url + `,"content":"\/\/\/\/","fetch_time":1}`, "\xff\xff\xff", nil},
		{
			"damaged", `{` + url + `,"content":"eHh4!!!!","fetch_time":1}`, "xxx",
			[]schemas.Flag{schemas.FlagEncoding, schemas.FlagIncomplete},
		},
		{"null", `{` + url + `,"content":null,"fetch_time":1}`, "", nil},
		{"as text, of early versions", `{` + url +
			`,"response_body":"caf\u00e9","response_headers":{"Content-Type":["text/html"]},"fetch_time":1}`, "café", nil},
		{"decoded, under the header of gzip", `{` + url +
			`,"content":"eHh4","response_headers":{"Content-Encoding":["gzip"],"Transfer-Encoding":["chunked"],"Content-Length":["20"]},"fetch_time":1}`, "xxx", nil},
		{"no time", `{` + url + `,"content":"eHh4","fetch_time":0}`, "xxx", []schemas.Flag{schemas.FlagTimestamp}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !(JSON{}).Match("", []byte(tt.line)) {
				t.Error("not known for what it is")
			}
			c, _, err := JSON{}.Capture([]byte(tt.line), payload.Options{})
			if err != nil || string(c.Body) != tt.body || !cmp.Equal(c.Flags, tt.flags) {
				t.Errorf("%+v, %v; want the body %q and the flags %v", c, err, tt.body, tt.flags)
			}
		})
	}
}

func TestJSON_matchesNoOther(t *testing.T) {
	for _, text := range []string{
		"", "{", "null", "[]", `{"url":"x"}`, `{"content":"x"}`, "text\twith tabs", "WARC/1.0\r\n",
		`{"domain":"a","url":"u","topPrivateDomain":"a"}`,
	} {
		if (JSON{}).Match("", []byte(text)) {
			t.Errorf("%q is taken for ACHE's JSON", text)
		}
	}
}

// TestJSON_matchesPages: a page that is JSON itself is not a page of FILESYSTEM_JSON.
func TestJSON_matchesPages(t *testing.T) {
	own := `{"url":"http://a.example/","redirected_url":null,"content":"eHh4"}`
	for path, want := range map[string]bool{
		"a.example/" + Escape("http://a.example/"):    true,
		"a.example/" + HashName("http://a.example/"):  true,
		"a.example/" + Escape("http://a.example/b"):   false,
		"a.example/" + HashName("http://a.example/b"): false,
		"pages.jsonl": true,
	} {
		if got := (JSON{}).Match(path, []byte(own)); got != want {
			t.Errorf("Match(%s) = %v, want %v", path, got, want)
		}
	}
	if (JSON{}).Match("a.example/"+Escape("http://a.example/"), []byte(`{"content":"x","url":"http://a.example/"}`)) {
		t.Error("an object that begins with another key is taken for ACHE's")
	}
}

func TestAppendDouble(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0.0", 1: "1.0", -2: "-2.0", 0.9731234: "0.9731234", 0.001: "0.001", 0.00099: "9.9E-4", 1e-9: "1.0E-9",
		9999999: "9999999.0", 1e7: "1.0E7", 123456789.5: "1.234567895E8",
	} {
		if got := string(appendDouble(nil, f)); got != want {
			t.Errorf("appendDouble(%g) = %s, want %s, as Java has it", f, got, want)
		}
	}
}

func TestAppendString(t *testing.T) {
	got := string(appendString(nil, "a\"\\/\b\t\n\f\r\x01\x1f\x7fé\u2028<&>\xff"))
	if want := `"a\"\\/\b\t\n\f\r\u0001\u001F` + "\x7fé\u2028<&>\uFFFD" + `"`; got != want {
		t.Errorf("appendString = %s, want %s, as Jackson has it", got, want)
	}
}

// TestJavaText: one U+FFFD for each longest piece of a character, not for each byte nor for each run.
func TestJavaText(t *testing.T) {
	for in, want := range map[string]string{
		"caf\xe9</": "caf\uFFFD</", "\xff\xfe": "\uFFFD\uFFFD", "\xe2\x82x": "\uFFFDx", "\xf0\x9f\x98": "\uFFFD",
		"\xc0\xaf":     "\uFFFD\uFFFD",
		"\xed\xa0\x80": "\uFFFD\uFFFD\uFFFD", "é": "é", "": "",
	} {
		if got := javaText([]byte(in)); got != want {
			t.Errorf("javaText(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestIsPage(t *testing.T) {
	hash := HashName("http://a.example/")
	for path, want := range map[string][2]bool{ // page, named
		"d/a.example/http%3A%2F%2Fa.example%2F":                   {true, true},
		"gs://b/a.example/http%3A%2F%2Fa.example%2F":              {true, true},
		`d\a.example\http%3A%2F%2Fa.example%2F`:                   {true, true},
		"d/%5B%3A%3A1%5D/http%3A%2F%2F%5B%3A%3A1%5D%3A80%2F":      {true, true},
		"d/b.example/http%3A%2F%2Fa.example%2F":                   {false, false},
		"http%3A%2F%2Fa.example%2F":                               {false, false},
		"d/a.example/" + hash:                                     {true, false},
		"d/ab/" + hash:                                            {false, false},
		"d/../" + hash:                                            {false, false},
		"d/a.example/" + strings.ToUpper(hash):                    {false, false},
		"d/a.example/index.html":                                  {false, false},
		"d/a.example/http%3A%2F%2Fa.example%2F%ZZ":                {false, false},
		"d/user%40a.example/http%3A%2F%2Fuser%40a.example%2F":     {false, false},
		"d/a.example/http%3A%2F%2Fuser%3Apass%40a.example%3A1%2F": {true, true},
	} {
		if got := [2]bool{IsPage(path), IsNamed(path)}; got != want {
			t.Errorf("IsPage, IsNamed(%q) = %v, want %v", path, got, want)
		}
	}
}

// TestCBOR_others reads what other tools add to the schema, and forms of CBOR that ACHE does not write.
func TestCBOR_others(t *testing.T) {
	b := []byte("\xd9\xd9\xf7\xa3\x63url\x68http://a\x69timestamp\x18\x64\x68response\xa4\x66status\x18\xc8" +
		"\x66server\xa1\x67address\x67192.0.2\x67headers\xa1\x66Server\x61x\x64body\x7f\x62ab\x61c\xff")
	if !(CBOR{}).Match("", b) {
		t.Error("not known for what it is")
	}
	c, _, err := CBOR{}.Capture(dump.File{Bytes: b}, payload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(c.URL, " ", c.Timestamp.Unix(), " ", c.Status, " ", c.IP, " ", c.Header, " ", string(c.Body))
	if want := "http://a 100 200 192.0.2 [{Server x}] abc"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestDecodeCBOR_bounds(t *testing.T) {
	for name, b := range map[string][]byte{
		"deep":                  append(bytes.Repeat([]byte{0x81}, maxDepth+1), 0),
		"deep tags":             append(bytes.Repeat([]byte{0xc1}, maxDepth+1), 0),
		"a long text":           []byte("\x7b\xff\xff\xff\xff\xff\xff\xff\xffabc"),
		"a long array":          []byte("\x9b\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
		"an end alone":          {0xff},
		"reserved":              {0x1c},
		"an endless number":     {0x1f},
		"pieces of other types": []byte("\x7f\x41a\xff"),
		"nothing":               {},
	} {
		if item, err := decodeCBOR(b); err == nil {
			t.Errorf("%s: decoded to %v", name, item)
		}
	}
	if _, err := decodeCBOR(append(bytes.Repeat([]byte{0x81}, maxDepth), 0)); err != nil {
		t.Errorf("as deep as is allowed: %v", err)
	}
}

// TestEscape: as java.net.URLEncoder encodes.
func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"http://www.example.com/path/page?x=1&y=a%20b#frag": "http%3A%2F%2Fwww.example.com%2Fpath%2Fpage%3Fx%3D1%26y%3Da%2520b%23frag",
		"a b*~.-_+é\xff": "a+b*%7E.-_%2B%C3%A9%3F",
	} {
		if got := Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}
