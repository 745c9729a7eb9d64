package cdx

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestFilter(t *testing.T) {
	l := Line{
		SURT: "com,example)/a.pdf", Timestamp: time.Date(2014, 12, 31, 23, 59, 59, 0, time.UTC),
		URL:  "https://example.com/a.pdf",
		MIME: "Application/PDF; x=1", Status: 200, Digest: "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", Filename: "a.warc.gz",
		Languages: "eng,fra",
	}
	tests := []struct {
		filter string
		want   bool
	}{
		{"", true},
		{"mime=application/pdf status=200 2014..2015", true},
		{"mime=text/html", false},
		{"mime=text/html,application/*", true},
		{"mime!=application/pdf", false},
		{"mime!=text/*", true},
		{"status=20", false},
		{"status=20*", true},
		{"status!=404 status!=200", false},
		{`url~\.pdf$`, true},
		{`url!~\.pdf$`, false},
		{`url~^a`, false},
		{"..2013", false},
		{"..2014", true},
		{"..201412", true},
		{"..20141231235958", false},
		{"20141231235959..", true},
		{"2015..", false},
		{"..", true},
		{"https://example.com/", true},
		{"https://example.org/", false},
		{"http://example.com/", false},
		{"language=fra", true},
		{"language=deu", false},
		{"language!=fra", false},
		{"digest=3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", true},
		{"digest=sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", true},
		{"surt=com,example)*", false}, // a comma parts values: a regular expression has to be used
		{"surt~^com,example\\)", true},
		{"filename=a.warc.gz timestamp=201412*", true},
	}
	for _, tt := range tests {
		f, err := ParseFilter(tt.filter)
		if err != nil {
			t.Errorf("ParseFilter(%q): %v", tt.filter, err)
			continue
		}
		if got := f.Match(l); got != tt.want {
			t.Errorf("%q: Match = %v, want %v", tt.filter, got, tt.want)
		}
	}
	unknown, err := ParseFilter("2000..")
	if err != nil || unknown.Match(Line{}) {
		t.Errorf("a line without a time is in a range of dates, error %v", err)
	}
}

func TestParseFilter_errors(t *testing.T) {
	for _, bad := range []string{
		"pdf", "colour=red", "url~(", "=x", "20145..", "2014...2015", "mime",
		"ftp://example.com/",
	} {
		if _, err := ParseFilter(bad); !errors.Is(err, ErrFilter) {
			t.Errorf("ParseFilter(%q) = %v, want %v", bad, err, ErrFilter)
		}
	}
}

func FuzzParseFilter(f *testing.F) {
	f.Add("mime=application/pdf status=200 2014..2015", "text/html", "eng")
	f.Add("language!=eng url~a+ https://x", "", "")
	f.Fuzz(func(_ *testing.T, filter, mime, language string) {
		parsed, err := ParseFilter(filter)
		if err == nil {
			parsed.Match(Line{MIME: mime, URL: mime, Languages: language, Timestamp: time.Unix(int64(len(mime)), 0)})
		}
	})
}

func ExampleParseFilter() {
	f, err := ParseFilter("mime=application/pdf status=200 2014..2015")
	if err != nil {
		fmt.Println(err)
		return
	}
	when := time.Date(2015, 6, 1, 0, 0, 0, 0, time.UTC)
	fmt.Println(f.Match(Line{MIME: "application/pdf", Status: 200, Timestamp: when}))
	fmt.Println(f.Match(Line{MIME: "application/pdf", Status: 404, Timestamp: when}))
	// Output:
	// true
	// false
}

// TestAttack22_filterIgnoresCaseWhereTheFieldDoes: media types, digests and languages, which have several codes
// besides.
func TestAttack22_filterIgnoresCaseWhereTheFieldDoes(t *testing.T) {
	l := Line{
		URL: "https://example.com/A.pdf", MIME: "application/PDF", Filename: "A.warc.gz", Languages: "eng,fra,Deu,zho",
		Digest: "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", Status: 200,
	}
	for filter, want := range map[string]bool{
		"mime=Application/PDF": true, "mime=APPLICATION/*": true, "mime!=Application/Pdf": false, "mime~^Application/": true,
		"language=ENG": true, "language=en": true, "language=EN": true, "language=fr": true,
		"language=de,it": true, "language=deu": true, "language=zh": true, "language=it": false,
		"language!=en": false, "language~^ENG$": true, "language=e*": true,
		"digest=3i42h3s6nnfq2msvx7xzkyayscx5qbyj": true, "digest=sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ": true,
		"filename=a.warc.gz": false, "url~a\\.pdf": false, "https://example.com/a": false,
	} {
		f, err := ParseFilter(filter)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Match(l); got != want {
			t.Errorf("%q: Match = %v, want %v", filter, got, want)
		}
	}
}
