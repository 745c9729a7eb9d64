package datastreamer_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/archivetest"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// specSample is the example of the specification.
const specSample = `{
  "bucket" : 0,
  "permalink" : "http://cnn.com",
  "index_method" : "PERMALINK_TASK",
  "html" : "<html><body><p>Full HTML of the content</p></body></html>",
  "html_length" : 57,
  "source_hashcode" : "COH0cFU4G1sMlRHd9gEvS-n3FFI",
  "source_resource" : "http://cnn.com",
  "source_link" : "http://cnn.com",
  "source_publisher_type" : "MAINSTREAM_NEWS",
  "source_date_found" : "2014-06-22T01:08:52Z",
  "source_update_interval" : 900000,
  "main" : "<p>Full HTML of the content</p>",
  "title" : "CNN example post.",
  "section" : "Technology",
  "description" : "This is the description"
}`

func TestFormats(t *testing.T) {
	for _, compress := range []dump.Switch{dump.On, dump.Off} {
		t.Run(fmt.Sprint("compress=", compress), func(t *testing.T) {
			archivetest.TestFormat(t, archivetest.Format{
				Name: "content", Reads: "content",
				Options: dump.WriteOptions{Compress: compress},
			})
		})
	}
}

const vectors = "../../../testdata/seeds/datastreamer/"

func TestTokenize_vectors(t *testing.T) {
	data, err := os.ReadFile(vectors + "tokenize4_vectors.tsv")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		in, want, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			t.Fatalf("%q has no tab", line)
		}
		n++
		in = strings.TrimSuffix(strings.TrimPrefix(in, "'"), "'")
		if got := datastreamer.Tokenize(in); got != want {
			t.Errorf("Tokenize(%q) = %q, want %q", in, got, want)
		}
	}
	if n != 17 {
		t.Errorf("%d vectors, want 17", n)
	}
}

func TestTokenize(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"www", "http://www.cnn.com/", "http://cnn.com"},
		{"no scheme, upper case", "www.CNN.com", "http://cnn.com"},
		{"index with query", "http://www.cnn.com/index.html?x=1#f", "http://cnn.com?x=1"},
		{"default.aspx", "http://a.org/b/default.aspx", "http://a.org/b"},
		{"other port", "http://a.com:8080/x", "http://a.com:8080/x"},
		{"port 80", "http://a.com:80", "http://a.com"},
		{"a host that begins with index", "http://index.com/", "http://index.com"},
		{"session at the end", "http://s.com/a?phpsessid=1", "http://s.com/a"},
		{"session and more", "http://s.com/a;jsessionid=1?b", "http://s.com/a?b"},
		{"javascript", "javascript:void(0)", "javascript:void(0)"},
		{"blank", " \t", ""},
		{"path keeps its case", "https://A.com/B?C=D", "https://a.com/B?C=D"},
		{"last fragment only", "http://a.com/#!/x#y", "http://a.com/#!/x"},
		{"upper-case scheme", "HTTP://WWW.A.COM/X", "HTTP://WWW.A.COM/X"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := datastreamer.Tokenize(tt.in); got != tt.want {
				t.Errorf("Tokenize(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestDomain(t *testing.T) {
	for url, want := range map[string][2]string{
		"http://www.cnn.com/x":          {"www.cnn.com", "cnn.com"},
		"https://News.BBC.co.uk:443/":   {"news.bbc.co.uk", "bbc.co.uk"},
		"http://10.0.0.1:80/":           {"10.0.0.1", "10.0.0.1"},
		"http://u:p@[2001:db8::1]:1/#a": {"[2001:db8::1]", "[2001:db8::1]"},
		"http://localhost?x":            {"localhost", "localhost"},
		"":                              {"", ""},
	} {
		site := datastreamer.Site(url)
		if got := [2]string{site, datastreamer.Domain(site)}; got != want {
			t.Errorf("site and domain of %q = %q, want %q", url, got, want)
		}
	}
}

func TestSequence(t *testing.T) {
	found := time.Date(2016, 4, 26, 0, 8, 48, 999, time.UTC)
	a, ok := datastreamer.Sequence(found, "a")
	b, _ := datastreamer.Sequence(found, "b")
	again, _ := datastreamer.Sequence(found, "a")
	if !ok || a == b || a != again {
		t.Errorf("sequences of a, b, a = %d, %d, %d", a, b, again)
	}
	for _, n := range []int64{a, b, 1461629328629600000} { // the last is one of the original's
		if got := datastreamer.SequenceTime(n); !got.Equal(found.Truncate(time.Second)) {
			t.Errorf("SequenceTime(%d) = %v, want %v", n, got, found)
		}
	}
	for _, odd := range []time.Time{{}, time.Unix(0, 0), time.Date(2263, 1, 1, 0, 0, 0, 0, time.UTC)} {
		if n, ok := datastreamer.Sequence(odd, "a"); ok {
			t.Errorf("Sequence(%v) = %d, want none", odd, n)
		}
	}
	if got := datastreamer.Bucket(found, "COH0cFU4G1sMlRHd9gEvS-n3FFI"); got != 406008*100+73 { // 0x08e1 is 2273
		t.Errorf("Bucket = %d", got)
	}
}

func TestDecode_specification(t *testing.T) {
	c, issues, err := datastreamer.Decode([]byte(specSample))
	if err != nil || len(issues) > 0 {
		t.Fatalf("Decode: %v, %v", issues, err)
	}
	page := datastreamer.Capture(c, payload.Options{})
	if page.URL != "http://cnn.com" || string(page.Body) != c.HTML || !page.Timestamp.IsZero() {
		t.Errorf("Capture = %+v", page)
	}
	back := datastreamer.FromCapture(page)
	if back.Hashcode != "COH0cFU4G1sMlRHd9gEvS-n3FFI" || *back.HTMLLength != 57 || *back.SourceUpdateInterval != 900000 ||
		*back.Bucket != 0 {
		t.Errorf("the specification's sample comes back as %+v", back)
	}
	// The result has all original values, and those derived from the permalink and the page.
	back.Hashcode, back.Resource, back.Domain, back.Site, back.HTMLChecksum = "", "", "", "", ""
	if diff := cmp.Diff(c, back); diff != "" {
		t.Errorf("(-read +back):\n%s", diff)
	}
}

// TestDecode_everyField: a record with a value in every field comes back from a capture as it was.
func TestDecode_everyField(t *testing.T) {
	full := everyField(t)
	for _, take := range []func(*datastreamer.Content){
		func(*datastreamer.Content) {},
		func(c *datastreamer.Content) { c.HTML, c.HTMLBlob = "", nil },
		func(c *datastreamer.Content) { c.HTML, c.HTMLBlob, c.Main = "", nil, "" },
		func(c *datastreamer.Content) { c.PermalinkRedirect = "" },
		func(c *datastreamer.Content) { c.DateFound = "yesterday" },
	} {
		want := *full
		take(&want)
		line, err := datastreamer.Append(nil, &want)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := datastreamer.Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Errorf("JSON (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(&want, datastreamer.FromCapture(datastreamer.Capture(got, payload.Options{}))); diff != "" {
			t.Errorf("capture (-want +got):\n%s", diff)
		}
	}
}

// everyField returns a record without a field that is zero.
func everyField(t *testing.T) *datastreamer.Content {
	t.Helper()
	c := &datastreamer.Content{}
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		name := strings.ToLower(v.Type().Field(i).Name)
		switch f := v.Field(i).Addr().Interface().(type) {
		case *string:
			*f = name
		case **int64:
			*f = new(int64(i))
		case **schemas.Float:
			*f = new(schemas.Float(0.5))
		case **bool:
			*f = new(false)
		case *[]string:
			*f = []string{name, "b"}
		case *[]byte:
			*f = []byte(name)
		case *map[string]schemas.Float:
			*f = map[string]schemas.Float{"7": 0.25}
		case *map[string]string:
			*f = map[string]string{"a": "b"}
		default:
			t.Fatalf("%s is of type %T", name, f)
		}
	}
	c.Permalink, c.PermalinkRedirect, c.DateFound = "http://a.com/1", "http://a.com/2", "2014-06-22T01:08:52Z"
	return c
}

func TestDecode_issues(t *testing.T) {
	tests := []struct {
		name, in string
		want     []datastreamer.Issue
	}{
		{
			"none", `{"title":"a","lang":null,"type":null,"published":"2014-06-22T01:08:52Z","source_publisher_type":4096}`,
			nil,
		},
		{
			"unknown key", `{"title":"a","wizard":{"x":[1]},"Title":"b"}`,
			[]datastreamer.Issue{{"unknown", "Title"}, {"unknown", "wizard"}},
		},
		{"type", `{"title":7,"likes":"many","tags":["a",{}],"lang":"en","html_blob":"?","type":[1]}`, []datastreamer.Issue{
			{"type", "html_blob"}, {"type", "likes"}, {"type", "tags"}, {"type", "title"}, {"type", "type"},
		}},
		{
			"enumeration", `{"type":"POEM","sentiment":17,"card":"PHOTO","index_method":2}`,
			[]datastreamer.Issue{{"enum", "sentiment"}, {"enum", "type"}},
		},
		{
			"time", `{"published":"soon","modified":"2014-06-22T01:08:52.5+02:00"}`,
			[]datastreamer.Issue{{"time", "published"}},
		},
		{
			"length and checksum", `{"html":"ab","html_length":3,"main":"é","main_length":2,"main_checksum":"x"}`,
			[]datastreamer.Issue{{"length", "html"}, {"checksum", "main"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, got, err := datastreamer.Decode([]byte(tt.in))
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("Decode: %v (-want +got):\n%s", err, diff)
			}
		})
	}
	c, _, _ := datastreamer.Decode([]byte(`{"type":1,"sentiment":17,"index_method":"SOURCE_TASK","source_publisher_type":600000}`))
	if c.Type != "COMMENT" || c.Sentiment != "17" || c.IndexMethod != "SOURCE_TASK" || c.SourcePublisherType != "VIDEO" {
		t.Errorf("enumerations are %q %q %q %q", c.Type, c.Sentiment, c.IndexMethod, c.SourcePublisherType)
	}
	for _, bad := range []string{"", "{", "[]", "7", "null", "{}", `{"url":"http://a.com"}`} {
		if _, _, err := datastreamer.Decode([]byte(bad)); !errors.Is(err, datastreamer.ErrFormat) {
			t.Errorf("Decode(%q): error %v, want ErrFormat", bad, err)
		}
	}
}

// TestContent_fields: the record has the fields of the original's client, and no others.
func TestContent_fields(t *testing.T) {
	data, err := os.ReadFile(vectors + "content_v5_fields.tsv")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]any{
		"bigint": new(int64), "int": new(int64), "varint": new(int64), "text": "", "ascii": "", "timestamp": "",
		"geo_point": "", "enum": "",
		"boolean": new(bool), "float": new(schemas.Float), "blob": []byte{}, "set<text>": []string{},
		"map<ascii,double>":  map[string]schemas.Float{},
		"map<bigint,double>": map[string]schemas.Float{}, "map<text,text>": map[string]string{},
	}
	want := map[string]string{}
	for line := range strings.Lines(string(data)) {
		name, kind, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if name != "name" {
			want[name] = fmt.Sprintf("%T", kinds[kind])
		}
	}
	got := map[string]string{}
	for f := range reflect.TypeFor[datastreamer.Content]().Fields() {
		name, omit, _ := strings.Cut(f.Tag.Get("json"), ",")
		got[name] = f.Type.String()
		if omit != "omitempty" {
			t.Errorf("%s is not left out when it is not known", name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 209 {
		t.Errorf("%d fields (-list +Content):\n%s", len(got), diff)
	}
}

func TestFromCapture_charsets(t *testing.T) {
	latin := []byte("<html><meta charset=iso-8859-1><p>Caf\xe9 au lait</p></html>")
	r := datastreamer.FromCapture(&schemas.Capture{URL: "http://a.com/", Body: latin, RecordType: schemas.TypeResponse})
	if !strings.Contains(r.HTML, "Café") || *r.HTMLLength != int64(len(latin)+1) || r.HTMLBlob != nil {
		t.Errorf("html = %q, %d bytes", r.HTML, *r.HTMLLength)
	}
	png := []byte("\x89PNG\r\n\x1a\n\xff\x00")
	r = datastreamer.FromCapture(&schemas.Capture{URL: "http://a.com/", Body: png, RecordType: schemas.TypeResponse})
	if got := datastreamer.Capture(r, payload.Options{}); r.HTML != "" || !bytes.Equal(got.Body, png) {
		t.Errorf("a picture comes back as %q", got.Body)
	}
	if got := datastreamer.Capture(r, payload.Options{MaxBody: 4}); len(got.Body) != 4 || !got.HasFlag(schemas.FlagBody) {
		t.Errorf("with a limit of 4 bytes: %q, flags %v", got.Body, got.Flags)
	}
}

// TestContent_documented: the page about the format has every field.
func TestContent_documented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/formats/datastreamer.md")
	if err != nil {
		t.Fatal(err)
	}
	for f := range reflect.TypeFor[datastreamer.Content]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !bytes.Contains(page, []byte("\n| `"+name+"` | ")) {
			t.Errorf("docs/formats/datastreamer.md has no %s", name)
		}
	}
}

func TestWriter(t *testing.T) {
	m := &archivetest.Memory{}
	w := datastreamer.NewWriter(m, dump.WriteOptions{Compress: dump.Off, MaxFileBytes: 1000})
	for i := range 5 {
		c := &schemas.Capture{
			URL: fmt.Sprintf("http://a.com/%d", i), RecordType: schemas.TypeResponse, Status: 200,
			Body: []byte("caf\xe9 au lait"), Crawl: map[string]string{
				"content.likes": "7", "content.none": "x", "depth": "3",
			},
		}
		if err := w.Write(c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Write(&schemas.Capture{}); !errors.Is(err, dump.ErrRefused) {
		t.Errorf("a capture without a URL: error %v, want ErrRefused", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int64{"status": 5, "body": 5, "crawl.content.none": 5, "crawl.depth": 5},
		w.Drops()); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"content-00000.jsonl", "content-00001.jsonl"}, m.Names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	for name, b := range m.Files {
		if len(b) > 1000 || !bytes.Contains(b, []byte(`"likes":7`)) || !bytes.Contains(b, []byte("café")) {
			t.Errorf("%s holds %q", name, b)
		}
	}
}
