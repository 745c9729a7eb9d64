package sourcedb

import (
	"math/rand/v2"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/source"
)

// TestLanguages_inAnyOrder: the language of a host is that with the most words, of equals the first by its code,
// whichever source was counted first.
func TestLanguages_inAnyOrder(t *testing.T) {
	type counted struct {
		key   string
		words source.Tongue
	}
	all := []counted{
		{"example,a)/feed", source.Tongue{Language: "fr", Words: 30}},
		{"example,a)/feed", source.Tongue{Language: "en", Words: 20}},
		{"example,a)/tag/feed", source.Tongue{Language: "en", Words: 20}},
		{"example,a)/tag/feed", source.Tongue{Language: "de", Words: 39}},
		{"example,b)/feed", source.Tongue{Language: "sv", Words: 7}},
		{"example,b)/feed", source.Tongue{Language: "nb", Words: 7}},
		{"example,c)/feed", source.Tongue{Language: "it", Words: 0}},
	}
	for seed := range uint64(50) {
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		l := newLanguages()
		for _, c := range all {
			l.add(hostHash([]byte(c.key)), []byte(c.words.Language), c.words.Words)
		}
		for host, want := range map[string]string{"a.example": "en", "b.example": "nb", "c.example": "it", "d.example": ""} {
			if got := l.main(host); got != want {
				t.Errorf("seed %d: %s is in %q, want %q", seed, host, got, want)
			}
		}
	}
}
