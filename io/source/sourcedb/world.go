package sourcedb

import (
	"bytes"
	"math"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/source"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// sketch estimates from above in how many sources a name occurs: a count-min sketch of two rows (Cormode and
// Muthukrishnan, 2005). Its size does not grow with the number of names, and the order does not matter.
type sketch [2][1 << 18]uint32

// add counts a name of a source, which must add each name once.
func (k *sketch) add(kind, text []byte) { k.count(nameHash(kind, text)) }

// addOnce counts the names with these hashes, each once. It sorts them.
func (k *sketch) addOnce(hashes []uint64) {
	slices.Sort(hashes)
	for _, h := range slices.Compact(hashes) {
		k.count(h)
	}
}

func (k *sketch) count(hash uint64) {
	// It would take 4 billion sources to overflow a counter.
	for i, at := range places(hash) {
		k[i][at]++
	}
}

// nameHash hashes a type and a text. Types contain no zero byte, so different names differ.
func nameHash[T string | []byte](kind, text T) uint64 {
	var room [128]byte // both are shorter: avoids an allocation
	b := append(append(append(room[:0], kind...), 0), text...)
	return source.HashBytes(b)
}

// places returns a name's counters: 18 bits from each half of its hash.
func places(h uint64) [2]uint32 {
	return [2]uint32{uint32(h) & (1<<18 - 1), uint32(h>>32) & (1<<18 - 1)}
}

// rarity returns the logarithm of the inverse share of sources with a name: idf.
func (k *sketch) rarity(sources int) func(source.Name) float64 {
	// Plus one, so that a name in every source still counts a little.
	idf := func(count uint32) float64 { return math.Log(1 + float64(sources)/float64(max(1, count))) }
	// Most names are in few sources.
	var few [1 << 10]float64
	for count := range few {
		few[count] = idf(uint32(count))
	}
	return func(n source.Name) float64 {
		at := places(nameHash(n.Type, n.Text))
		// Collisions only increase counters, so the smaller one is better.
		count := min(k[0][at[0]], k[1][at[1]])
		if count < uint32(len(few)) {
			return few[count]
		}
		return idf(count)
	}
}

// languages counts the words of pages, by host and language. It takes about 80 bytes a host, without pointers: with
// maps of maps, garbage collection took as long as the whole merge of 600,000 feeds.
type languages struct {
	words map[spoken]int64
	most  map[uint64]uint32 // by host hash: the language with the most words, the smallest code among equals
	codes []string
	of    map[string]uint32 // index of a code
}

// spoken is a language of a host, by its hash.
type spoken struct {
	host     uint64
	language uint32 // index into codes
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
	// Counts only grow, so only this language can become the first.
	most, known := l.most[host]
	before := l.words[spoken{host, most}]
	if !known || words > before || words == before && string(code) < l.codes[most] {
		l.most[host] = language
	}
}

// main returns the language with the most words.
func (l *languages) main(host string) string {
	most, known := l.most[hostHash([]byte(urlkey.SURT("http://"+host+"/")))]
	if !known {
		return ""
	}
	return l.codes[most]
}

// hostHash hashes the reversed host of a SURT.
func hostHash(key []byte) uint64 {
	host, _, _ := bytes.Cut(key, []byte(")"))
	return source.HashBytes(host)
}
