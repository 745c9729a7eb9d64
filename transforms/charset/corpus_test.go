package charset_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/gleaner-web/gleaner/transforms/charset"
)

// corpora is a folder beside the checkout; without it these tests are skipped.
const corpora = "../../../shared/corpora"

func open(t *testing.T, name string) io.Reader {
	t.Helper()
	f, err := os.Open(filepath.Join(corpora, name))
	if err != nil {
		t.Skip("no ../shared/corpora beside the checkout: files of others, which may not be copied into it")
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// heldOut returns the pages of each language that were not used for counting letters.
func heldOut(t *testing.T) map[string][]string {
	t.Helper()
	pages, seen := map[string][]string{}, map[string]int{}
	lines := bufio.NewScanner(open(t, "lang/ntrex_long_dev.tsv.gz"))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		language, text, _ := strings.Cut(lines.Text(), "\t")
		if seen[language]++; seen[language]%2 == 0 {
			pages[language] = append(pages[language], strings.ReplaceAll(text, `\n`, "\n"))
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return pages
}

// TestDetect_guessOnNews guesses from news texts in the usual encodings of their languages. The texts are whole, or
// cut to the length of a headline or a short page.
func TestDetect_guessOnNews(t *testing.T) {
	languages := map[string]string{
		"windows-1252": "fr de es pt it da nb sv fi is nl ca", "windows-1250": "pl cs sk hu hr sl ro",
		"iso-8859-2":   "pl cs sk hu",
		"windows-1251": "ru uk bg sr be", "koi8-r": "ru", "windows-1253": "el", "windows-1254": "tr", "windows-1255": "he",
		"windows-1256": "ar fa", "windows-1257": "lt lv", "windows-874": "th", "gb18030": "zh", "shift_jis": "ja",
		"euc-jp": "ja",
		"euc-kr": "ko", "iso-2022-jp": "ja", "koi8-u": "uk",
	}
	pages := heldOut(t)
	for _, tt := range []struct {
		name  string
		runes int
		floor float64
	}{{"60 characters", 60, 0.94}, {"300 characters", 300, 0.985}, {"page", 1 << 20, 0.99}} {
		t.Run(tt.name, func(t *testing.T) {
			right, all := 0, 0
			for name, codes := range languages {
				for code := range strings.FieldsSeq(codes) {
					r, n := guessed(t, pages[code], name, tt.runes)
					if r < n {
						t.Logf("%s in %s: %d of %d right", code, name, r, n)
					}
					right, all = right+r, all+n
				}
			}
			share := float64(right) / float64(max(all, 1))
			t.Logf("%d of %d right: %.3f", right, all, share)
			if share < tt.floor {
				t.Errorf("share of right guesses %.3f, want at least %.3f", share, tt.floor)
			}
		})
	}
}

// guessed counts for how many pages the encoding is found without a declaration. A guess is right if it decodes to the
// same text: two encodings can agree on all characters of a page.
func guessed(t *testing.T, pages []string, name string, runes int) (right, all int) {
	t.Helper()
	e, err := htmlindex.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text := []rune(oldRomanian.Replace(page))
		body, err := encoding.ReplaceUnsupported(e.NewEncoder()).Bytes([]byte(string(text[:min(len(text), runes)])))
		body = bytes.ReplaceAll(body, []byte{encoding.ASCIISub}, []byte("?"))
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := charset.Decode(body, name)
		if err != nil {
			t.Fatal(err)
		}
		r := charset.Detect(body, "", charset.Options{})
		got, _, err := charset.Decode(body, r.Name)
		if err != nil {
			t.Fatalf("Decode of what Detect returned: %v", err)
		}
		all++
		if string(got) == string(want) {
			right++
		} else if testing.Verbose() {
			t.Logf("%s taken for %s (%s): %.60q", name, r.Name, r.Basis, want)
		}
	}
	return right, all
}

// oldRomanian writes Romanian without letters with a comma below, as before Unicode had them.
var oldRomanian = strings.NewReplacer("ș", "ş", "ț", "ţ", "Ș", "Ş", "Ț", "Ţ")

var declaration = regexp.MustCompile(`(?i)charset\s*=\s*["']?\s*([a-z0-9_-]+)`)

// TestDetect_chinesePages compares with 69 pages' own declarations, and guesses with the declarations removed.
func TestDetect_chinesePages(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpora, "maintext/chinese/original/*.gz"))
	if err != nil || len(files) == 0 {
		t.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	for _, file := range files {
		body, err := io.ReadAll(open(t, strings.TrimPrefix(file, corpora)))
		if err != nil {
			t.Fatal(err)
		}
		match := declaration.FindSubmatch(body)
		if match == nil {
			continue
		}
		want := "gb18030"
		if utf8.Valid(body) { // one page declares gb2312 wrongly
			want = "utf-8"
		}
		if got := charset.Detect(body, "", charset.Options{}); got.Name != want {
			t.Errorf("%s: Detect = %v, want %s", filepath.Base(file), got, want)
		}
		bare := declaration.ReplaceAll(body, nil)
		if got := charset.Detect(bare, "", charset.Options{}); got.Name != want {
			t.Errorf("%s: Detect without declaration = %v, want %s", filepath.Base(file), got, want)
		}
	}
}
