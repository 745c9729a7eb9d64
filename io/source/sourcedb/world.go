package sourcedb

import (
	"bytes"
	"math"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/source"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// sketch counts in how many sources a name stands, at least: a count-min sketch of two rows (Cormode and Muthukrishnan,
// 2005), whose size does not grow with the number of names, and whose result does not depend on their order.
type sketch [2][1 << 18]uint32

// add counts a name of a source, which has to give each once.
func (k *sketch) add(kind, text []byte) { k.count(nameHash(kind, text)) }

// addOnce counts the names with some hashes, each once. It sorts them.
func (k *sketch) addOnce(hashes []uint64) {
	slices.Sort(hashes)
	for _, h := range slices.Compact(hashes) {
		k.count(h)
	}
}

func (k *sketch) count(hash uint64) {
	// 4 billion sources would have to name it to wrap a counter round.
	for i, at := range places(hash) {
		k[i][at]++
	}
}

// nameHash is that of a type and a text. The zero byte cannot be in a type, so no two names are the same bytes.
func nameHash[T string | []byte](kind, text T) uint64 {
	var room [128]byte // both are shorter: no memory is asked for
	b := append(append(append(room[:0], kind...), 0), text...)
	return source.HashBytes(b)
}

// places are where a name is counted: one hash of 64 bits gives both, 18 bits from each half.
func places(h uint64) [2]uint32 {
	return [2]uint32{uint32(h) & (1<<18 - 1), uint32(h>>32) & (1<<18 - 1)}
}

// rarity is the logarithm of the inverse share of sources that name something: idf.
func (k *sketch) rarity(sources int) func(source.Name) float64 {
	// One is added, so that a name that every source has still counts a little.
	idf := func(count uint32) float64 { return math.Log(1 + float64(sources)/float64(max(1, count))) }
	// Most names are of few sources.
	var few [1 << 10]float64
	for count := range few {
		few[count] = idf(uint32(count))
	}
	return func(n source.Name) float64 {
		at := places(nameHash(n.Type, n.Text))
		// Each row counts too many, never too few, where names share a place: the smaller one is nearer.
		count := min(k[0][at[0]], k[1][at[1]])
		if count < uint32(len(few)) {
			return few[count]
		}
		return idf(count)
	}
}

// languages counts the words of pages, by host and language. It holds some 80 bytes a host, none of them a pointer: the
// collector of garbage would go through maps of maps again and again, which took as long as all of the merge of 600,000
// feeds does.
type languages struct {
	words map[spoken]int64
	most  map[uint64]uint32 // by the hash of a host: the language with the most words, the first of several by its code
	codes []string
	of    map[string]uint32 // the place of a code
}

// spoken is a language of a host, by its hash.
type spoken struct {
	host     uint64
	language uint32 // its place among the codes
}

func newLanguages() *languages {
	return &languages{words: map[spoken]int64{}, most: map[uint64]uint32{}, of: map[string]uint32{}}
}

// add counts words of a host.
func (l *languages) add(host uint64, code []byte, count int) {
	language, ok := l.of[string(code)]
	if !ok {
		language = uint32(len(l.codes))
		l.codes = append(l.codes, string(code))
		l.of[string(code)] = language
	}
	s := spoken{host, language}
	words := l.words[s] + int64(count)
	l.words[s] = words
	// Counts only grow, so that no other one than this can take the place of the first.
	most, known := l.most[host]
	before := l.words[spoken{host, most}]
	if !known || words > before || words == before && string(code) < l.codes[most] {
		l.most[host] = language
	}
}

// main is the language with the most words.
func (l *languages) main(host string) string {
	most, known := l.most[hostHash([]byte(urlkey.SURT("http://"+host+"/")))]
	if !known {
		return ""
	}
	return l.codes[most]
}

// hostHash is that of the host of a SURT, as it is there: turned round.
func hostHash(key []byte) uint64 {
	host, _, _ := bytes.Cut(key, []byte(")"))
	return source.HashBytes(host)
}
