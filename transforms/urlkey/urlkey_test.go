package urlkey

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

func ExampleSURT() {
	fmt.Println(SURT("https://www.Example.com:443/a/../b/?y=2&x=1#top"))
	fmt.Println(SURT("http://bücher.de/?PHPSESSID=0123456789abcdef0123456789abcdef"))
	fmt.Println(SURT("dns:www.example.com"))
	// Output:
	// com,example)/b?x=1&y=2
	// de,xn--bcher-kva)/
	// dns:www.example.com
}

func ExampleRegistrableDomain() {
	fmt.Println(RegistrableDomain(Host("https://news.bbc.co.uk/1/hi/")))
	// Output: bbc.co.uk
}

// goldenCase is one line of the golden file; failed means that the Python package raises an error.
type goldenCase struct {
	url, key string
	failed   bool
}

func readGolden(t testing.TB) []goldenCase {
	t.Helper()
	f, err := os.Open("testdata/surt-0.3.1.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []goldenCase
	for lines := bufio.NewScanner(f); lines.Scan(); {
		quoted, key, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			continue // the note at the top
		}
		url, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %v", quoted, err)
		}
		cases = append(cases, goldenCase{url, key, key == "!error"})
	}
	if len(cases) < 250 {
		t.Fatalf("%d golden cases, want at least 250", len(cases))
	}
	return cases
}

// different are the golden URLs whose keys differ in this package, as its comment explains.
var different = map[string]string{
	" ":                         "-",
	"http://b%FCcher.de/":       "de,b%fccher)/",
	"http://example.com:80:90/": "com,example:80:90)/",
	"http://example.com:abc/":   "com,example:abc)/",
	"http://example.com:99999/": "com,example:99999)/",
}

func TestSURT_golden(t *testing.T) {
	for _, c := range readGolden(t) {
		want := c.key
		if d, ok := different[c.url]; ok {
			want = d
		} else if c.failed {
			t.Errorf("%q: the oracle fails and the difference is not listed", c.url)
		}
		if got := SURT(c.url); got != want {
			t.Errorf("SURT(%q) = %q, want %q", c.url, got, want)
		}
	}
}

func TestSURT_differences(t *testing.T) {
	tests := []struct{ name, url, want string }{
		{"filedesc with a space", "filedesc://a b\n", "filedesc://a%20b"},
		{"no-break space", "http://a.com/\u00a0", "com,a)/%c2%a0"},
		{"invalid UTF-8 in the host", "http://a\xffb.com/", "com,a%ffb)/"},
		{"port with a space", "http://a.com:8 0/", "com,a:8%200)/"},
		{"unbalanced bracket", "http://[::1/x", "::1)/x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := SURT(tt.url); got != tt.want {
				t.Errorf("SURT(%q) = %q, want %q", tt.url, got, tt.want)
			}
		})
	}
}

func TestHost(t *testing.T) {
	tests := []struct{ url, want string }{
		{"https://WWW.Example.com:443/a", "www.example.com"},
		{"http://user:pw@example.com/", "example.com"},
		{"example.com/a", "example.com"},
		{"http://bücher.de/", "xn--bcher-kva.de"},
		{"http://3279880203/", "195.127.0.11"},
		{"http://[2001:DB8::1]:80/", "2001:db8::1"},
		{"http://example.com./", "example.com"},
		{"mailto:a@example.com", ""},
		{"dns:example.com", ""},
		{"filedesc://foo.arc", ""},
		{"", ""},
	}
	for _, tt := range tests {
		if got := Host(tt.url); got != tt.want {
			t.Errorf("Host(%q) = %q, want %q", tt.url, got, tt.want)
		}
	}
}

func TestRegistrableDomain(t *testing.T) {
	tests := []struct{ host, want string }{
		{"www.example.com", "example.com"},
		{"example.com", "example.com"},
		{"a.b.example.co.uk", "example.co.uk"},
		{"someone.github.io", "someone.github.io"},
		{"co.uk", "co.uk"},
		{"localhost", "localhost"},
		{"192.168.1.1", "192.168.1.1"},
		{"2001:db8::1", "2001:db8::1"},
		{"", ""},
		{".", "."},
		{"a..b", "a..b"},
	}
	for _, tt := range tests {
		if got := RegistrableDomain(tt.host); got != tt.want {
			t.Errorf("RegistrableDomain(%q) = %q, want %q", tt.host, got, tt.want)
		}
	}
}

func FuzzSURT(f *testing.F) {
	for _, c := range readGolden(f) {
		f.Add(c.url)
	}
	f.Fuzz(func(t *testing.T, url string) {
		key := SURT(url)
		for i := range len(key) {
			if key[i] <= ' ' || key[i] > '~' {
				t.Fatalf("SURT(%q) = %q: byte %#x", url, key, key[i])
			}
		}
		if limit := 20*len(url) + 64; key == "" || len(key) > limit {
			t.Fatalf("SURT(%q): %d bytes, want 1 to %d", url, len(key), limit)
		}
		if again := SURT(" \n" + url + "\t\r\n"); again != key {
			t.Errorf("SURT(%q) = %q, with white space around it %q", url, key, again)
		}
		if strings.HasPrefix(key, "filedesc") || key == "-" {
			return
		}
		if again := SURT(strings.Trim(url, " \t\n\r\v\f") + "#f"); again != key {
			t.Errorf("SURT(%q) = %q, with a fragment %q", url, key, again)
		}
		RegistrableDomain(Host(url))
	})
}

// hostile are inputs on which a canonicaliser that backtracks or repeats takes quadratic time.
var hostile = map[string]string{
	"nested escapes":   "http://a.com/%" + strings.Repeat("25", 1<<19) + "41",
	"escaped escapes":  "http://a.com/" + strings.Repeat("%25", 1<<18),
	"cold fusion":      "http://a.com/?" + strings.Repeat("cfid=", 1<<18),
	"cold fusion pair": "http://a.com/?" + strings.Repeat("cfid=1&cftoken=", 1<<16),
	"session names":    "http://a.com/?" + strings.Repeat("jsessionid=", 1<<16),
	"session segments": "http://a.com" + strings.Repeat("/(0123456789abcdefghijklmn)", 1<<15) + "/?.aspx",
	"pages":            "http://a.com" + strings.Repeat("/(0123456789abcdefghijklmn)/?.aspx", 1<<15),
	"lettered":         "http://a.com/(" + strings.Repeat("s(0123456789abcdefghijklmn)", 1<<15) + "/.aspx",
	"dot segments":     "http://a.com" + strings.Repeat("/..", 1<<18),
	"schemes":          strings.Repeat("http://", 1<<17),
	"dots in the host": "http://" + strings.Repeat(".", 1<<20),
	"labels":           "http://" + strings.Repeat("é.", 1<<15),
	"parameters":       "http://a.com/?" + strings.Repeat("b&a&", 1<<16),
}

func TestSURT_hostileInputTakesLinearTime(t *testing.T) {
	for name, url := range hostile {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			if key := SURT(url); key == "" {
				t.Error("no key")
			}
			// Each has about 1 MB: a linear pass takes some milliseconds, a quadratic one minutes.
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("%d bytes took %v", len(url), d)
			}
		})
	}
}

func TestSURT_bytesThatNoStringOfPythonHolds(t *testing.T) {
	if got, want := SURT("http://a.com/\xff?\xfe"), "com,a)/%ff?%fe"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func BenchmarkSURT(b *testing.B) {
	urls := []string{
		"https://www.example.com/2024/05/17/some-article-about-things.html",
		"http://example.com/index.php?id=42&page=3&lang=en",
		"https://en.wikipedia.org/wiki/Caf%C3%A9",
		"http://www.example.co.uk:80/a/b/../c/?PHPSESSID=0123456789abcdef0123456789abcdef",
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		SURT(urls[i&3])
		i++
	}
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "urls/s")
}

// TestAttack16_siteIsHostAndDomain: the columns that records are grouped by.
func TestAttack16_siteIsHostAndDomain(t *testing.T) {
	for url, want := range map[string][2]string{
		"https://WWW.Example.co.uk:8443/a?b":                 {"www.example.co.uk", "example.co.uk"},
		"http://user:pw@shop.example.com./":                  {"shop.example.com", "example.com"},
		"https://ada.github.io/":                             {"ada.github.io", "ada.github.io"},
		"https://co.uk/":                                     {"co.uk", "co.uk"},
		"http://localhost:8080/":                             {"localhost", "localhost"},
		"http://bücher.example/":                             {"xn--bcher-kva.example", "xn--bcher-kva.example"},
		"http://www.食狮.公司.cn/":                               {"www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"},
		"http://192.0.2.1/":                                  {"192.0.2.1", "192.0.2.1"},
		"http://3221225985/":                                 {"192.0.2.1", "192.0.2.1"},
		"http://[2001:DB8::1]:80/":                           {"2001:db8::1", "2001:db8::1"},
		"http://a_b.example.org/":                            {"a_b.example.org", "example.org"},
		"ftp://files.example.net/x":                          {"files.example.net", "example.net"},
		"urn:uuid:1-2":                                       {},
		"dns:example.com":                                    {},
		"file:///etc/passwd":                                 {},
		"metadata://gnu.org/software/wget/warc/MANIFEST.txt": {},
		"METADATA://netarchive.example/crawl/":               {},
		"whois://whois.example/?q=a.example":                 {},
		"filedesc://IA-1.arc":                                {},
		"warcinfo://a.example/x":                             {},
		"dns://e.example/f.example":                          {},
		"urn://h.example/":                                   {},
		"screenshot://k.example/":                            {},
		"no URL":                                             {},
		"HTTP://A.example/":                                  {"a.example", "a.example"},
		"example.com/a":                                      {"example.com", "example.com"},
		"gemini://a.example/x":                               {"a.example", "a.example"},
		"":                                                   {},
		"http://" + strings.Repeat("a.", 200) + "example/":   {},
	} {
		if host, domain := Site(url); host != want[0] || domain != want[1] {
			t.Errorf("Site(%q) = %q, %q, want %q", url, host, domain, want)
		}
	}
}

func TestRawHost(t *testing.T) {
	for in, want := range map[string]string{
		"http://WWW.Example.com:8080/a": "WWW.Example.com", "https://user:pw@a.example?q@b": "a.example",
		"http://[::1]:80/":            "[::1]",
		"http://shop.example/50%-off": "shop.example", "http://a.example/%u4E2D.htm": "a.example",
		"dns:a.example": "", "http:///path": "", "http://a.example#x/y": "a.example",
	} {
		if got := RawHost(in); got != want {
			t.Errorf("RawHost(%q) = %q, want %q", in, got, want)
		}
	}
}
