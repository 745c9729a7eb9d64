package pagestore_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/pagestore"
)

// TestHash_samples: the hashes that the wiki page shows.
func TestHash_samples(t *testing.T) {
	for url, want := range map[string]string{
		"http://www.economist.com/":      "afa4d5c1593694b1af94aad132a53da7",
		"http://www.repubblica.it/":      "a34ceec55bf49d19b32ae44623cd01d8",
		" http://www.economist.com/\r\n": "afa4d5c1593694b1af94aad132a53da7",
		"\x00http://www.repubblica.it/ ": "a34ceec55bf49d19b32ae44623cd01d8",
	} {
		if got := pagestore.Hash(url); got != want {
			t.Errorf("Hash(%q) = %s, want %s", url, got, want)
		}
	}
}

func TestParseLine(t *testing.T) {
	const economist = "afa4d5c1593694b1af94aad132a53da7"
	spaced := pagestore.Hash("http://example.org/a  b.html")
	tail := pagestore.Hash("http://example.org/? 7 url en") // a URL that ends as a line does
	tests := []struct {
		name, line string
		want       pagestore.Line
		err        error
	}{
		{
			"five columns", economist + " http://www.economist.com/ 180 url en",
			pagestore.Line{economist, "http://www.economist.com/", "180", "url", "en"},
			nil,
		},
		{
			"two columns", economist + " http://www.economist.com/",
			pagestore.Line{MD5: economist, URL: "http://www.economist.com/"},
			nil,
		},
		{
			"line end", economist + " http://www.economist.com/ 180 url en\r\n",
			pagestore.Line{economist, "http://www.economist.com/", "180", "url", "en"},
			nil,
		},
		{
			"blanks in the URL", spaced + " http://example.org/a  b.html 7 url it",
			pagestore.Line{spaced, "http://example.org/a  b.html", "7", "url", "it"},
			nil,
		},
		{
			"blanks in the URL of two columns", spaced + " http://example.org/a  b.html",
			pagestore.Line{MD5: spaced, URL: "http://example.org/a  b.html"},
			nil,
		},
		{
			"a URL like columns", tail + " http://example.org/? 7 url en",
			pagestore.Line{MD5: tail, URL: "http://example.org/? 7 url en"},
			nil,
		},
		{
			"a URL like columns, and columns", tail + " http://example.org/? 7 url en 8 rss it",
			pagestore.Line{tail, "http://example.org/? 7 url en", "8", "rss", "it"},
			nil,
		},
		{
			"the hash of another URL", economist + " http://example.org/ 1 url en",
			pagestore.Line{economist, "http://example.org/", "1", "url", "en"},
			nil,
		},
		{
			"another hash, two columns", economist + " http://example.org/",
			pagestore.Line{MD5: economist, URL: "http://example.org/"},
			nil,
		},
		{
			"another kind", economist + " http://www.economist.com/ 1 podcast en",
			pagestore.Line{economist, "http://www.economist.com/", "1", "podcast", "en"},
			nil,
		},
		{"three columns", economist + " http://example.org/ 1", pagestore.Line{}, pagestore.ErrColumns},
		{
			"another hash, another kind", economist + " http://example.org/ 1 podcast en",
			pagestore.Line{},
			pagestore.ErrColumns,
		},
		{"no hash", "http://www.economist.com/ 180 url en", pagestore.Line{}, pagestore.ErrHash},
		{"a short hash", economist[1:] + " http://www.economist.com/", pagestore.Line{}, pagestore.ErrHash},
		{"upper case", strings.ToUpper(economist) + " http://www.economist.com/", pagestore.Line{}, pagestore.ErrHash},
		{"no URL", economist + " ", pagestore.Line{}, pagestore.ErrNoURL},
		{"nothing", "", pagestore.Line{}, pagestore.ErrHash},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := pagestore.ParseLine(tt.line)
			if !errors.Is(err, tt.err) || err == nil && got != tt.want {
				t.Errorf("ParseLine(%q) = %+v, %v; want %+v, %v", tt.line, got, err, tt.want, tt.err)
			}
		})
	}
}

// entries writes what Entries yields, a line each.
func entries(meta string) (list []string) {
	for e, err := range pagestore.Entries([]byte(meta)) {
		s := fmt.Sprintf("%d+%d %s", e.Offset, e.Length, e.Line)
		if e.Joined {
			s += " joined"
		}
		if err != nil {
			s = fmt.Sprintf("%d+%d %v", e.Offset, e.Length, errors.Unwrap(err))
		}
		list = append(list, s)
	}
	return list
}

func TestEntries(t *testing.T) {
	const a, b = "afa4d5c1593694b1af94aad132a53da7", "5f78881adc4b2a7106c8e9580931b942"
	tests := []struct {
		name, meta string
		want       []string
	}{
		{"empty", "", nil},
		{"blank lines", "\n \r\n\x00\n", nil},
		{"lines", a + " http://a/\n\n" + b + " http://b/ 1 url en", []string{"0+43 " + a + " http://a/", "44+51 " + b +
			" http://b/ 1 url en"}},
		{
			"line end before the URL", b + " \nhttp://b/\n" + a + " http://a/\n",
			[]string{"0+44 " + b + " http://b/ joined", "44+43 " + a + " http://a/"},
		},
		{"and with columns", b + " \nhttp://b/ 1 url en\n", []string{"0+53 " + b + " http://b/ 1 url en joined"}},
		{"a hash at the end", b + " \n", []string{"0+34 a hash without a URL"}},
		{"two hashes", b + " \n" + a + " http://a/\n", []string{"0+34 a hash without a URL", "34+43 " + a + " http://a/"}},
		{"a hash, and a blank line", b + " \n\nhttp://b/\n", []string{"0+45 " + b + " http://b/ joined"}},
		{"noise", "noise\n" + a + " x y\n", []string{"0+6 the first column is no MD5", "6+37 neither two nor five columns"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, entries(tt.meta)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// FuzzEntries: entries are in order and cover all bytes that are not blank. An entry stays the same after it is written
// and read again.
func FuzzEntries(f *testing.F) {
	for _, seed := range []string{
		"afa4d5c1593694b1af94aad132a53da7 http://www.economist.com/ 180 url en\n",
		"5f78881adc4b2a7106c8e9580931b942 \nhttp://example.net/bug\n",
		"5f78881adc4b2a7106c8e9580931b942 \nhttp://example.net/bug 1 rss en\n\n",
		"afa4d5c1593694b1af94aad132a53da7 a b c d e\nx\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, meta []byte) {
		at := int64(0)
		for e, err := range pagestore.Entries(meta) {
			if e.Offset < at || e.Length <= 0 || e.Offset+e.Length > int64(len(meta)) {
				t.Fatalf("an entry at %d+%d behind %d, of %d bytes", e.Offset, e.Length, at, len(meta))
			}
			if skipped := meta[at:e.Offset]; strings.Trim(string(skipped), "\x00\t\n\v\f\r ") != "" {
				t.Fatalf("%q was passed over", skipped)
			}
			at = e.Offset + e.Length
			if err != nil {
				continue
			}
			again, err := pagestore.ParseLine(e.String())
			if err != nil || again.String() != e.String() {
				t.Fatalf("%q is read as %q, %v", e.String(), again.String(), err)
			}
		}
		if rest := meta[at:]; strings.Trim(string(rest), "\x00\t\n\v\f\r ") != "" {
			t.Fatalf("%q was passed over at the end", rest)
		}
	})
}
