package cdx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
)

func ExampleLine_AppendTo() {
	l := Line{
		SURT: "com,example)/", Timestamp: time.Date(2024, 5, 17, 12, 30, 0, 0, time.UTC), URL: "http://example.com/",
		MIME: "text/html; charset=utf-8", Status: 200, Digest: "sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A",
		Length: 1043, Offset: 333, Filename: "example.warc.gz",
	}
	fmt.Print(string(l.AppendTo(nil)))
	// Output:
	// com,example)/ 20240517123000 {"url": "http://example.com/", "mime": "text/html", "status": "200", "digest": "B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A", "length": "1043", "offset": "333", "filename": "example.warc.gz"}
}

// stamp is 2014-01-03 03:03:21 UTC.
var stamp = time.Date(2014, 1, 3, 3, 3, 21, 0, time.UTC)

func TestLine_AppendTo(t *testing.T) {
	tests := []struct {
		name string
		in   Line
		want string
	}{
		{"nothing known", Line{Offset: -1}, "- - {}\n"},
		{
			"the first record",
			Line{SURT: "a)/", Timestamp: stamp, Length: 1},
			"a)/ 20140103030321 {\"length\": \"1\", \"offset\": \"0\"}\n",
		},
		{
			"revisit",
			Line{
				SURT: "a)/", Timestamp: stamp, MIME: MIMERevisit, Digest: "md5:1B2M2Y8AsgTpgAmY7PhCfg==", Offset: 7,
				Filename: "f",
			},
			`a)/ 20140103030321 {"mime": "warc/revisit", "digest": "md5:1B2M2Y8AsgTpgAmY7PhCfg==", "offset": "7", "filename": "f"}` + "\n",
		},
		{
			"hexadecimal SHA-1",
			Line{SURT: "a)/", Digest: "sha1:37cf167c2672a4a64af901d9484e75eee0e2c98a", Offset: -1},
			`a)/ - {"digest": "sha1:37cf167c2672a4a64af901d9484e75eee0e2c98a"}` + "\n",
		},
		{
			"other zone",
			Line{SURT: "a)/", Timestamp: stamp.In(time.FixedZone("", 3600)), Offset: -1},
			"a)/ 20140103030321 {}\n",
		},
		{
			"escapes",
			Line{SURT: "a b)/\n\x7f", URL: "é\"\\\n\x01\x7f\xff😀/<", Offset: -1},
			`a%20b)/%0a%7f - {"url": "\u00e9\"\\\n\u0001\u007f\ufffd\ud83d\ude00/<"}` + "\n",
		},
		{"a URL with spaces", Line{URL: "http://a/ b c", Offset: -1}, "- - {\"url\": \"http://a/%20b%20c\"}\n"},
		{"parameters", Line{MIME: " text/html\f;charset=x", Offset: -1}, "- - {\"mime\": \"text/html\"}\n"},
		{"a year without four digits", Line{SURT: "a)/", Timestamp: stamp.AddDate(9000, 0, 0), Offset: -1}, "a)/ - {}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(tt.in.AppendTo(nil)); got != tt.want {
				t.Errorf("got  %s want %s", got, tt.want)
			}
		})
	}
}

func TestTrimDir(t *testing.T) {
	tests := []struct{ name, file, digest, dir, want string }{
		{"a folder", "shelf/2024/a.warc.gz", "", "shelf/", "2024/a.warc.gz"},
		{"none", "a.warc.gz", "", "", "a.warc.gz"},
		{"another", "shelf/a.warc.gz", "", "crawl/", "shelf/a.warc.gz"},
		{"with escapes", `Bücher "neu"/a.warc`, "", `Bücher "neu"/`, "a.warc"},
		{"a value like the field", "b/a.warc", `x", "filename": "b/c`, "b/", "a.warc"},
		{"no filename", "", "b/", "b/", ""},
		{"all of it", "b/", "", "b/", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := Line{SURT: "a)/", Digest: tt.digest, Filename: tt.file}
			got, err := Parse(TrimDir(l.AppendTo(nil), tt.dir))
			l.Filename = tt.want
			if diff := cmp.Diff(l, got); diff != "" || err != nil {
				t.Errorf("-want +got:\n%s%v", diff, err)
			}
		})
	}
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, in string
		want     Line
	}{
		{
			"pywb", `com,example)/?example=1 20140103030321 {"url": "http://example.com?example=1", "mime": "text/html", "status": "200", "digest": "B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A", "length": "1043", "offset": "333", "filename": "example.warc.gz"}` + "\n",
			Line{
				"com,example)/?example=1", stamp, "http://example.com?example=1", "text/html", 200,
				"sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A", 1043, 333, "example.warc.gz", "", 0, false,
			},
		},
		{
			"numbers, null, unknown fields", `a)/ 2014 {"status": 404, "length": 12, "offset": null, "languages": ["eng"], "url": "-"}`,
			Line{
				SURT: "a)/", Timestamp: time.Date(2014, 1, 1, 0, 0, 0, 0, time.UTC), Status: 404, Length: 12, Offset: -1,
				Digits: 4,
			},
		},
		{"milliseconds", `a)/ 20140103030321123 {"offset":"0"}`, Line{SURT: "a)/", Timestamp: stamp}},
		{"twelve digits", `a)/ 201401030303 {"offset":"0"}`, Line{
			SURT: "a)/", Timestamp: stamp.Add(-21 * time.Second),
			Digits: 12,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestParse_refuses(t *testing.T) {
	for _, in := range []string{
		"", "a)/", "a)/ 20140103030321", "a)/ 20140103030321 ", "a)/ 20140103030321 x", "a)/ 20140103030321 []",
		`a)/ 20140103030321 {"status": "x"}`, `a)/ 20140103030321 {"length": "-1"}`, `a)/ 20140103030321 {"offset": 1.5}`,
		`a)/ 20140103030321 {"offset": "99999999999999999999"}`, `a)/ 20140103030321 {"url": []}`,
		`a)/ 20140103030321 {"url": "x"`,
		`a)/ 20141303030321 {}`, `a)/ x {}`, `a)/ 201 {}`, `a)/ 2014010303032112x {}`, ` 20140103030321 {}`,
	} {
		if l, err := Parse([]byte(in)); !errors.Is(err, ErrFormat) {
			t.Errorf("Parse(%q) = %+v, %v, want ErrFormat", in, l, err)
		}
	}
}

// readAll returns what r reads, errors as text.
func readAll(r *Reader) (got []string) {
	for l, err := range r.All() {
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, strings.TrimSuffix(string(l.AppendTo(nil)), "\n"))
	}
	return got
}

func TestReader(t *testing.T) {
	const digest = "B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A"
	const whole = `a)/ 20140103030321 {"url": "http://a/", "mime": "text/html", "status": "200", "digest": "` + digest +
		`", "length": "9", "offset": "7", "filename": "f"}`
	tests := []struct {
		name, in string
		want     []string
	}{
		{
			"11 columns", " CDX N b a m s k r M S V g\na)/ 20140103030321 http://a/ text/html 200 " + digest + " - - 9 7 f\n",
			[]string{whole},
		},
		{
			"11 columns without legend", "a)/ 20140103030321 http://a/ text/html 200 " + digest + " - - 9 7 f\n",
			[]string{whole},
		},
		{
			"9 columns", " CDX N b a m s k r V g\na)/ 20140103030321 http://a/ warc/revisit - " + digest + " - 7 f\r\n",
			[]string{`a)/ 20140103030321 {"url": "http://a/", "mime": "warc/revisit", "digest": "` + digest +
				`", "offset": "7", "filename": "f"}`},
		},
		{
			"7 columns", "a)/ 20140103030321 http://a/ text/html 200 " + digest + " 9",
			[]string{strings.Replace(whole, `, "offset": "7", "filename": "f"`, "", 1)},
		},
		{
			"tabs", "\tCDX\tN\tb\ta\na)/\t20140103030321\thttp://a/ b\n",
			[]string{`a)/ 20140103030321 {"url": "http://a/%20b"}`},
		},
		{
			"Alexa", "CDX A b e a m s c k r V v D d g M n\na/b 20010424210551 1.2.3.4 a:80/b text/html 200 " +
				"58670fbe7432c5bed6f3dcd7ea32b221 a725a64ad6bb7112c55ed26c9e4cef63 - 17130110 59129865 1 2 f - 5750\n",
			[]string{`a/b 20010424210551 {"url": "a:80/b", "mime": "text/html", "status": "200", "digest": "a725a64ad6bb7112c55ed26c9e4cef63", "offset": "17130110", "filename": "f"}`},
		},
		{"headers and comments", "!OpenWayback-CDXJ 1.0\n!meta {\"a\": 1}\n# comment\n\n@x\n \n" + whole, []string{whole}},
		{
			"bad lines", "x\n" + whole + "\na)/ 2014 {\n" + strings.Repeat("y", 2000) + "\n" + whole,
			[]string{
				"cdx: line 1 at byte 0: not an index line: 1 columns", whole,
				fmt.Sprintf("cdx: line 3 at byte %d: not an index line: unexpected end of JSON input", len(whole)+3),
				fmt.Sprintf("cdx: not an index line: line 4 at byte %d: line too long", len(whole)+14), whole,
			},
		},
		{"nothing", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := readAll(NewReader(strings.NewReader(tt.in), Options{MaxLineBytes: 1000}))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestReader_errorsOfTheStreamAreFinal(t *testing.T) {
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	for i := range 10_000 {
		fmt.Fprintf(zw, "a)/%d 20140103030321 {}\n", i*7919%10_007)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	r := NewReader(bytes.NewReader(buf.Bytes()[:buf.Len()/2]), Options{})
	n, err := 0, error(nil)
	for err == nil {
		_, err = r.Next()
		n++
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) || n < 100 {
		t.Errorf("after %d lines: %v", n, err)
	}
	if _, err := r.Next(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("then: %v", err)
	}
}

// corpus is the folder of real archives; it is not part of the project.
const corpus = "../../../../shared/corpora/warc/raw/webrecorder+pywb/sample_archive"

// TestReader_corpus reads indexes that pywb wrote and writes them again, byte by byte.
func TestReader_corpus(t *testing.T) {
	files, err := filepath.Glob(corpus + "/cdxj/*.cdxj")
	if err != nil || len(files) == 0 {
		t.Skip("no ../shared/corpora/warc beside the checkout: archives of others, which may not be copied into it")
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var got []byte
			for l, err := range NewReader(bytes.NewReader(want), Options{}).All() {
				if err != nil {
					t.Fatal(err)
				}
				got = l.AppendTo(got)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`com,example)/ 20140103030321 {"url": "http://example.com", "mime": "warc/revisit", "status": 200, "digest": "B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A", "offset": "333"}`))
	f.Add([]byte(" CDX N b a m s k r V g\na)/ 20140103030321 http://a/ - - - - 7 f\n"))
	f.Add([]byte("a)/ 2014 {\"url\": \"\\ud800\xff\"}"))
	f.Fuzz(func(t *testing.T, in []byte) {
		for l, err := range NewReader(bytes.NewReader(in), Options{MaxLineBytes: 1 << 10}).All() {
			if err == nil {
				checkRoundTrip(t, l)
			} else if !errors.Is(err, ErrFormat) && err.Error() == "" {
				t.Error("an error without text")
			}
		}
		if l, err := Parse(in); err == nil {
			checkRoundTrip(t, l)
		}
	})
}

// checkRoundTrip writes l, reads the line and writes it again: both lines are the same.
func checkRoundTrip(t *testing.T, l Line) {
	t.Helper()
	once := l.AppendTo(nil)
	if bytes.Count(once, []byte("\n")) != 1 {
		t.Fatalf("%q is not one line", once)
	}
	again, err := Parse(once)
	if err != nil {
		t.Fatalf("%q: %v", once, err)
	}
	if twice := again.AppendTo(nil); !bytes.Equal(once, twice) {
		t.Fatalf("%q is read as %q", once, twice)
	}
}

func BenchmarkParse(b *testing.B) {
	line := Line{
		"com,example)/?example=1", stamp, "http://example.com?example=1", "text/html", 200,
		"sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A", 1043, 333, "example.warc.gz", "", 0, false,
	}.AppendTo(nil)
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(line); err != nil {
			b.Fatal(err)
		}
	}
}
