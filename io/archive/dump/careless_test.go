package dump_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive"
)

// lineFormats have a document for each format of lines, in which %d is the number of the page.
var lineFormats = map[string]string{
	"ache-json": `{"url":"http://a.example/%d","redirected_url":null,"content":"PHA+YQ==","content_type":"text/html",` +
		`"response_headers":{"Content-Type":["text/html"]},"fetch_time":1429167830000}`,
	"ache-elastic": `{"domain":"a.example","topPrivateDomain":"a.example","url":"http://a.example/%d","html":"<p>a",` +
		`"retrieved":"2015-04-16T07:03:50.000+00:00","responseHeaders":{"Content-Type":["text/html"]}}`,
	"cdr": `{"_id":"A%[1]d","content_type":"text/html","crawler":"c","raw_content":"<p>a",` +
		`"url":"http://a.example/%[1]d","response_headers":{"Content-Type":"text/html"},"timestamp_crawl":"2015-04-16T07:03:50Z","version":3.1}`,
	"content": `{"permalink":"http://a.example/%d","date_found":"2015-04-16T07:03:50Z","html":"<p>a"}`,
}

// careless are forms that programs give to lines of JSON, beside one document a line.
var careless = map[string]func(documents []string) string{
	"lines":            func(d []string) string { return strings.Join(d, "\n") },
	"line ends of DOS": func(d []string) string { return strings.Join(d, "\r\n") + "\r\n" },
	"byte order mark":  func(d []string) string { return "\ufeff" + strings.Join(d, "\n") },
	"blank lines":      func(d []string) string { return "\n\n" + strings.Join(d, "\n\n") },
	"array":            func(d []string) string { return "[" + strings.Join(d, ",") + "]" },
	"array of lines":   func(d []string) string { return "[\n" + strings.Join(d, ",\n") + "\n]\n" },
	"marked array":     func(d []string) string { return "\ufeff[" + strings.Join(d, ", ") + "]" },
	"over lines":       func(d []string) string { return indented(strings.Join(d, "\n")) },
	"marked, over lines": func(d []string) string {
		return "\ufeff" + indented(strings.Join(d, "\n"))
	},
	"array over lines": func(d []string) string { return indented("[" + strings.Join(d, ",") + "]") },
	"export of an index": func(d []string) string {
		for i := range d {
			d[i] = fmt.Sprintf(`{"_index":"crawl","_type":"page","_id":"A%d","_score":1,"_source":%s}`, i+1, d[i])
		}
		return strings.Join(d, "\n")
	},
}

func indented(text string) string {
	var b bytes.Buffer
	d := json.NewDecoder(strings.NewReader(text))
	for {
		var v json.RawMessage
		if d.Decode(&v) != nil {
			return b.String()
		}
		if err := json.Indent(&b, v, "", "  "); err != nil {
			panic(err) // it was valid
		}
		b.WriteByte('\n')
	}
}

// TestLines_careless reads documents of each format in each form.
func TestLines_careless(t *testing.T) {
	for format, document := range lineFormats {
		for form, wrap := range careless {
			t.Run(format+", "+form, func(t *testing.T) {
				text := wrap([]string{fmt.Sprintf(document, 1), fmt.Sprintf(document, 2), fmt.Sprintf(document, 3)})
				got := linesOf(t, format, text)
				page := " 2015-04-16T07:03:50 <p>a"
				want := []string{"http://a.example/1" + page, "http://a.example/2" + page, "http://a.example/3" + page}
				if !slices.Equal(got, want) {
					t.Errorf("%q, want %q", got, want)
				}
			})
		}
	}
}

// TestLines_badFirst reads on after a first line that is cut or no JSON, since lines are found again.
func TestLines_badFirst(t *testing.T) {
	for format, document := range lineFormats {
		first := fmt.Sprintf(document, 1)
		for name, bad := range map[string]string{
			"cut in a text":     first[:max(strings.Index(first, "p>a"), strings.Index(first, "YQ=="))],
			"a value of Python": strings.TrimSuffix(first, "}") + `,"score":NaN}`,
			"a comma behind it": first + ",",
		} {
			got := linesOf(t, format, bad+"\n"+fmt.Sprintf(document, 2)+"\n"+fmt.Sprintf(document, 3))
			if len(got) != 3 || !strings.HasPrefix(got[0], "garbage") || !strings.HasPrefix(got[1], "http://a.example/2") {
				t.Errorf("%s, %s: %q", format, name, got)
			}
		}
	}
}

// TestLines_long knows lines of which the head of the file has only a part.
func TestLines_long(t *testing.T) {
	long := strings.Repeat("word ", 40_000)
	for format, line := range map[string]string{
		"ache-json": `{"content":"` + strings.Repeat("PHA+", 40_000) + `","url":"http://a.example/1"}`,
		"cdr":       `{"_id":"A","url":"http://a.example/1","raw_content":"` + long + `","crawler":"c"}`,
	} {
		if format == "ache-json" {
			line = `{"url":"http://a.example/1",` + line[1:]
		}
		if got := linesOf(t, format, line); len(got) != 1 || !strings.HasPrefix(got[0], "http://a.example/1 ") {
			t.Errorf("%s: %.200q", format, got)
		}
	}
	second := `{"url":"http://a.example/2","timestamp":1429167830,"team":"N","crawler":"ACHE","raw_content":"` + long +
		`","content_type":"text/html","crawl_data":{},"version":"2.0"}`
	if got := linesOf(t, "cdr", second); len(got) != 1 || !strings.HasPrefix(got[0], "http://a.example/2 2015-04-16") {
		t.Errorf("version 2 by ACHE: %.200q", got)
	}
}

// TestLines_oddTypes keeps a page of which another program has written a member as another type.
func TestLines_oddTypes(t *testing.T) {
	for format, members := range map[string][]string{
		"ache-json": {
			`"crawler_id":3`, `"response_headers":{"Content-Length":5}`, `"redirected_url":false`, `"relevance":0.5`,
			`"relevance":{"relevance":"0.5","isRelevant":"true"}`, `"content_type":["text/html"]`, `"fetch_time":"1429167830"`,
			`"content":"PHA+\r\nYQ==\r\n"`, `"response_headers":[1]`,
		},
		"ache-elastic": {
			`"retrieved":1429167830000`, `"retrieved":"1429167830"`, `"isRelevant":true`, `"relevance":"0.5"`,
			`"responseHeaders":{"Content-Length":5,"A":[1,null]}`, `"crawlerId":["c"]`, `"domain":7`,
		},
		"cdr": {
			`"crawler":1`, `"team":7`, `"objects":{}`, `"objects":""`, `"_id":5`,
			`"response_headers":{"Content-Length":115}`, `"timestamp_crawl":1429167830`,
			`"timestamp_crawl":"2015-04-16 07:03:50"`,
		},
	} {
		for _, member := range members {
			// The last of two members with the same name counts.
			document := strings.TrimSuffix(fmt.Sprintf(lineFormats[format], 1), "}") + "," + member + "}"
			got := linesOf(t, format, document+"\n")
			if want := "http://a.example/1 2015-04-16T07:03:50 <p>a"; len(got) != 1 || got[0] != want {
				t.Errorf("%s, %s: %q, want %q", format, member, got, want)
			}
		}
	}
}

// linesOf returns the captures and rejects of a file.
func linesOf(t *testing.T, format, text string) (got []string) {
	t.Helper()
	src, size := strings.NewReader(text), int64(len(text))
	f, err := archive.Detect("a.jsonl", src, size)
	if err != nil || f.Name != format {
		t.Errorf("Detect = %v, %v, want %s", f, err, format)
		return nil
	}
	r, err := archive.NewReader(src, archive.Input{Name: "a.jsonl", Size: size, End: size}, f, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for item, err := range r.All() {
		switch {
		case err != nil:
			t.Fatal(err)
		case item.Reject != nil:
			got = append(got, string(item.Reject.Kind)+" "+item.Reject.Message)
		default:
			c := item.Capture
			got = append(got, fmt.Sprint(c.URL, c.Timestamp.Format(" 2006-01-02T15:04:05 "), string(c.Body)))
			if part := text[c.Origin.Offset:][:c.Origin.Length]; !json.Valid([]byte(strings.Trim(part, "\ufeff"))) {
				t.Errorf("%s stands at %q", c.URL, part)
			}
		}
	}
	return got
}
