package neardup

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// article returns n words drawn from a vocabulary; the same seed gives the same words.
func article(seed uint64, n int) []string {
	random := rand.New(rand.NewPCG(seed, 1))
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("word%d", random.IntN(3000))
	}
	return words
}

func TestSimhash_nearCopies(t *testing.T) {
	base := article(1, 600)
	text := strings.Join(base, " ")
	edited := append([]string(nil), base...)
	edited[100], edited[400] = "changed", "altered"
	han := strings.Repeat("天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏", 3) + "闰余成岁律吕调阳云腾致雨露结为霜金生丽水玉出昆冈"
	tests := []struct {
		name, a, b string
		max        int
	}{
		{"case and punctuation", text, strings.ToUpper(strings.ReplaceAll(text, " ", ", ")), 0},
		{"white space", text, strings.ReplaceAll(text, " ", "\n\t "), 0},
		{"two words of 600", text, strings.Join(edited, " "), 6},
		{"a line added", text, text + " printed from the archive of our newspaper", 6},
		{"Han, one character", han, strings.Replace(han, "露", "雪", 1), 8},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, aok := Simhash(tt.a)
			b, bok := Simhash(tt.b)
			if d := Distance(a, b); !aok || !bok || d > tt.max {
				t.Errorf("distance = %d (%v, %v), want at most %d", d, aok, bok, tt.max)
			}
		})
	}
}

func TestSimhash_unrelated(t *testing.T) {
	for seed := range uint64(50) {
		a, _ := Simhash(strings.Join(article(2*seed+10, 300), " "))
		b, _ := Simhash(strings.Join(article(2*seed+11, 300), " "))
		if d := Distance(a, b); d <= 15 {
			t.Errorf("unrelated texts %d: distance = %d, want more than 15", seed, d)
		}
	}
}

func TestSimhash_orderOfWordsCounts(t *testing.T) {
	words := article(3, 300)
	a, _ := Simhash(strings.Join(words, " "))
	rand.New(rand.NewPCG(4, 1)).Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	if b, _ := Simhash(strings.Join(words, " ")); Distance(a, b) <= 15 {
		t.Errorf("shuffled words: distance = %d, want more than 15", Distance(a, b))
	}
}

func TestSimhash_fewWords(t *testing.T) {
	seen := map[uint64]string{}
	for _, text := range []string{"one", "two", "one two", "two one", "one two three", "水", "ไทย"} {
		h, ok := Simhash(text)
		if !ok {
			t.Errorf("Simhash(%q) says that there is no text", text)
		}
		if other, dup := seen[h]; dup {
			t.Errorf("Simhash(%q) = Simhash(%q)", text, other)
		}
		seen[h] = text
	}
	for _, text := range []string{"", " \n", "…!? — ", "\xff\xfe"} {
		if h, ok := Simhash(text); ok || h != 0 {
			t.Errorf("Simhash(%q) = %x, true, want none", text, h)
		}
	}
}

// The fingerprint is stored, so it must not change without a new Version.
func TestSimhash_isStable(t *testing.T) {
	h, _ := Simhash("The quick brown fox jumps over the lazy dog. Ein Würfel, 42 Äpfel; 東京は日本の首都です。")
	if got, want := Hex(h), "a9d5d8ff5f6479db"; got != want {
		t.Errorf("fingerprint = %s, want %s: a new fingerprint needs a new Version", got, want)
	}
}

// The narrow counters are moved every 255 shingles. A plain count must agree at each length around that.
func TestSimhash_countersAgreeWithPlainCount(t *testing.T) {
	for _, n := range []int{1, 254, 255, 256, 511, 1000} {
		random := rand.New(rand.NewPCG(uint64(n), 7))
		var a accumulator
		var plain [64]int
		for range n {
			h := random.Uint64()
			a.shingle(h)
			for bit := range plain {
				plain[bit] += int(h >> bit & 1)
			}
		}
		a.flush()
		if a.counts != plain {
			t.Errorf("%d shingles: counters differ from a plain count", n)
		}
	}
}

func TestSimhash_doesNotAllocate(t *testing.T) {
	text := strings.Join(article(5, 1000), " ") + " 東京は日本の首都です"
	if n := testing.AllocsPerRun(10, func() { Simhash(text) }); n != 0 {
		t.Errorf("Simhash allocates %v times", n)
	}
}

func TestHex(t *testing.T) {
	tests := []struct {
		h    uint64
		want string
	}{{0, "0000000000000000"}, {0xABC, "0000000000000abc"}, {1 << 63, "8000000000000000"}}
	for _, tt := range tests {
		if got := Hex(tt.h); got != tt.want || got != fmt.Sprintf("%016x", tt.h) {
			t.Errorf("Hex(%#x) = %q, want %q", tt.h, got, tt.want)
		}
	}
}

func FuzzSimhash(f *testing.F) {
	for _, s := range []string{"", "a", "a b c d", "水 ไทย ok", "\xff\x80", "e\u0301le\u0300ve"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, ok := Simhash(text)
		again, _ := Simhash(text + " .\n")
		if h != again {
			t.Errorf("Simhash(%q) changes with punctuation at the end", text)
		}
		if !ok && h != 0 {
			t.Errorf("Simhash(%q) = %x without text", text, h)
		}
	})
}

func BenchmarkSimhash(b *testing.B) {
	texts := map[string]string{
		"latin": strings.Join(article(6, 2000), " "),
		"han":   strings.Repeat("天地玄黄宇宙洪荒日月盈昃辰宿列张，寒来暑往秋收冬藏。", 200),
	}
	for _, name := range []string{"latin", "han"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(texts[name])))
			b.ReportAllocs()
			for b.Loop() {
				Simhash(texts[name])
			}
		})
	}
}
