package ngram

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func header() Header {
	return Header{
		Source: "test", Step: 0.5, Alphabets: []string{"abcdé", "абв"},
		Languages: []Language{{Code: "xa"}, {Code: "xb", Bias: 0.25}, {Code: "xc", Script: 1}},
	}
}

// key returns the n-gram of letters.
func key(t *Table, letters string) Key {
	k := Key(0)
	for _, r := range letters {
		k = k.Append(t.Letter(r))
	}
	return k
}

func mustOpen(t testing.TB, h Header, postings []Posting) *Table {
	t.Helper()
	data, err := Encode(h, postings)
	if err != nil {
		t.Fatal(err)
	}
	table, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestTable_Add(t *testing.T) {
	empty := mustOpen(t, header(), nil)
	postings := []Posting{
		{key(empty, "ab"), 1, -7},
		{key(empty, "ab"), 0, 5},
		{key(empty, "abc"), 0, 3},
		{key(empty, "abcd"), 1, 4},
		{key(empty, "аб"), 2, 9}, // the same letter numbers as ab
	}
	table := mustOpen(t, header(), postings)
	if diff := cmp.Diff(header(), table.Header); diff != "" {
		t.Errorf("Header (-want +got):\n%s", diff)
	}
	tests := []struct {
		letters string
		script  int
		want    [3]int32
	}{
		{"ab", 0, [3]int32{10, -14, 0}},
		{"AB", 0, [3]int32{10, -14, 0}},
		{"abc", 0, [3]int32{6, 0, 0}},
		{"abcd", 0, [3]int32{0, 8, 0}},
		{"аб", 1, [3]int32{0, 0, 18}},
		{"а", 1, [3]int32{}},
		{"ba", 0, [3]int32{}},
		{"abcc", 0, [3]int32{}},
	}
	for _, tt := range tests {
		var scores Scores
		k := key(table, tt.letters)
		table.Add(&scores, tt.script, []Key{k, k})
		if got := [3]int32(scores[:3]); got != tt.want {
			t.Errorf("Add(%q) twice = %v, want %v", tt.letters, got, tt.want)
		}
	}
}

// Every n-gram of a dense set is found with its own weight, and none is confused with another.
func TestTable_keepsNgramsApart(t *testing.T) {
	var postings []Posting
	for first := range Key(40) {
		for rest := range Key(40) {
			postings = append(postings, Posting{(first+1)<<8*3&(1<<32-1) | 0x010100 | (rest + 1), 0, int8(first - rest)})
			postings = append(postings, Posting{(first+1)<<8 | (rest + 1), 1, int8(rest + 1)})
		}
	}
	want := append([]Posting{}, postings...)
	table := mustOpen(t, header(), postings)
	for _, p := range want {
		var scores Scores
		if table.Add(&scores, 0, []Key{p.Key}); scores[p.Language] != int32(p.Weight) {
			t.Fatalf("Add(%#x) = %d, want %d", p.Key, scores[p.Language], p.Weight)
		}
	}
}

// The sum of weights is the same if many languages have an n-gram or few, and for any number of n-grams.
func TestTable_Add_rowsAndLists(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	h := Header{Step: 1, Alphabets: []string{"abc", "абв"}}
	for i := range 27 {
		h.Languages = append(h.Languages, Language{Code: fmt.Sprint(i), Script: i % 5 / 4})
	}
	var postings []Posting
	weights := map[Key]map[uint8]int8{}
	for k := Key(1); k <= 60; k++ {
		weights[k] = map[uint8]int8{}
		for l, language := range h.Languages {
			if language.Script == 0 && random.IntN(60) < int(k) {
				weights[k][uint8(l)] = int8(random.IntN(256) - 128)
				postings = append(postings, Posting{k, uint8(l), weights[k][uint8(l)]})
			}
		}
	}
	table := mustOpen(t, h, postings)
	for _, n := range []int{0, 1, batch, batch + 1, maxRows, maxRows + 1, 5000} {
		var keys []Key
		var got, want Scores
		for range n {
			k := Key(1 + random.IntN(61)) // one of them is in no language
			keys = append(keys, k)
			for l, weight := range weights[k] {
				want[l] += int32(weight)
			}
		}
		if table.Add(&got, 0, keys); got != want {
			t.Errorf("Add of %d n-grams (-want +got):\n%s", n, cmp.Diff(want, got))
		}
	}
	if _, err := Encode(Header{Languages: []Language{{Script: 1}}}, nil); !errors.Is(err, ErrFormat) {
		t.Errorf("Encode of a language of no script: %v, want ErrFormat", err)
	}
}

func TestMix_isOneToOne(t *testing.T) {
	seen := make([]uint64, 1<<groupBits/64)
	for group := range uint32(1 << groupBits) {
		m := mix(group)
		if m >= 1<<groupBits || seen[m/64]&(1<<(m%64)) != 0 {
			t.Fatalf("mix(%#x) = %#x, too large or met before", group, m)
		}
		seen[m/64] |= 1 << (m % 64)
	}
}

func TestKey_Last(t *testing.T) {
	k := Key(0).Append(1).Append(2).Append(3).Append(4).Append(5)
	for n, want := range map[int]Key{1: 0x05, 2: 0x0405, 3: 0x030405, 4: 0x02030405} {
		if got := k.Last(n); got != want {
			t.Errorf("Last(%d) = %#x, want %#x", n, got, want)
		}
	}
}

func TestEncode_twoWeightsForOne(t *testing.T) {
	if _, err := Encode(header(), []Posting{{1, 0, 1}, {1, 0, 2}}); err == nil {
		t.Error("Encode: no error for two weights of one n-gram")
	}
}

func TestOpen_notATable(t *testing.T) {
	good, err := Encode(header(), []Posting{{1, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	huge := append([]byte(magic), 0xFF, 0xFF, 0xFF, 0x7F, '{')
	script := bytes.Replace(good, []byte(`"Script":1`), []byte(`"Script":7`), 1)
	for name, data := range map[string][]byte{
		"empty": nil, "magic alone": good[:len(magic)], "other magic": append([]byte("N"), good[1:]...),
		"header too long": huge,
		"no JSON":         append(binary.LittleEndian.AppendUint32([]byte(magic), 1), '!'), "cut": good[:len(good)-1],
		"more": append(good[:len(good):len(good)], 0), "script of a language": script,
	} {
		if _, err := Open(data); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: Open: %v, want ErrFormat", name, err)
		}
	}
}
