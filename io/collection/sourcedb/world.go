package sourcedb

import (
	"math"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/source"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// sketch counts in how many sources a name stands, at least: a count-min sketch of two rows (Cormode and Muthukrishnan,
// 2005), whose size does not grow with the number of names, and whose result does not depend on their order.
type sketch [2][1 << 18]uint32

func (k *sketch) add(pages []source.Page) {
	// Each name counts once for a source.
	for n := range source.Names(pages) {
		for i, at := range places(n) {
			// 4 billion sources would have to name it to wrap a counter round.
			k[i][at]++
		}
	}
}

// The zero byte cannot be in a type, so no two names have the same text.
func places(n source.Name) [2]uint32 {
	// One hash of 64 bits gives both places: 18 bits from each half.
	h := source.Hash(n.Type + "\x00" + n.Text)
	return [2]uint32{uint32(h) & (1<<18 - 1), uint32(h>>32) & (1<<18 - 1)}
}

// rarity is the logarithm of the inverse share of sources that name something: idf.
func (k *sketch) rarity(sources int) func(source.Name) float64 {
	return func(n source.Name) float64 {
		at := places(n)
		// Each row counts too many, never too few, where names share a place: the smaller one is nearer.
		count := min(k[0][at[0]], k[1][at[1]])
		// One is added, so that a name that every source has still counts a little.
		return math.Log(1 + float64(sources)/float64(max(1, count)))
	}
}

// languages counts the words of pages, by host and language. It holds some hundred bytes a host.
type languages map[string]map[string]int

func (l languages) add(key string, pages []source.Page) {
	host := hostOfKey(key)
	for _, p := range pages {
		if p.Language == "" {
			continue
		}
		if l[host] == nil {
			l[host] = map[string]int{}
		}
		// By words and not by pages: a page of ten words says little.
		l[host][p.Language] += int(p.Words)
	}
}

// of is the language with the most words, the first of several by name.
func (l languages) of(host string) (best string) {
	count := l[hostOfKey(urlkey.SURT("http://"+host+"/"))]
	for code, n := range count {
		if best == "" || n > count[best] || n == count[best] && code < best {
			best = code
		}
	}
	return best
}

// hostOfKey is the host of a SURT, as it stands there: turned round.
func hostOfKey(key string) string {
	host, _, _ := strings.Cut(key, ")")
	return host
}
