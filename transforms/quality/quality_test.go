package quality

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/google/go-cmp/cmp"
)

func TestOf(t *testing.T) {
	tests := []struct {
		name, text, language string
		want                 schemas.Quality
	}{
		{name: "empty"},
		{name: "white space", text: " \n\t\u00a0\n"},
		{
			name: "words", text: "The cat, and 12 mice!", language: "en",
			want: schemas.Quality{
				Words: 5, Characters: 17, MeanWordLength: 3.4, AlphabeticWords: 0.8, StopWords: 2,
			},
		},
		{
			name: "symbols", text: "#one two... three…\nfour .....", language: "xx",
			want: schemas.Quality{
				Words: 5, Characters: 25, MeanWordLength: 5, SymbolRatio: 0.8, EllipsisLines: 1, AlphabeticWords: 0.8,
			},
		},
		{
			name: "bullets", text: "• one\n- two\n-3\n* four\n**five**\n\n▪six",
			want: schemas.Quality{
				Words: 9, Characters: 27, MeanWordLength: 3, BulletLines: 0.6667, AlphabeticWords: 0.5556,
			},
		},
		{
			name: "repeated lines", text: "go on\n\ngo  on\r\nstay\ngo on",
			want: schemas.Quality{
				Words: 7, Characters: 16, MeanWordLength: 2.2857, AlphabeticWords: 1,
				DuplicateLines: 0.5, DuplicateChars: 0.5, TopBigram: 0.75, TopTrigram: 0,
			},
		},
		{
			name: "repeated n-grams", text: "A b c. a B c d a b c",
			want: schemas.Quality{
				Words: 10, Characters: 11, MeanWordLength: 1.1, AlphabeticWords: 1,
				TopBigram: 0.6364, TopTrigram: 0.9091,
			},
		},
		{
			name: "Chinese", text: "我的书，在这里。\nGo 语言", language: "zh",
			want: schemas.Quality{
				Words: 9, Characters: 12, MeanWordLength: 1.1111, AlphabeticWords: 1, StopWords: 3,
			},
		},
		{
			name: "Thai", text: "แมวและหมา", language: "th",
			want: schemas.Quality{Words: 9, Characters: 9, MeanWordLength: 1, AlphabeticWords: 1, StopWords: 1},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Of(tt.text, tt.language)); diff != "" {
				t.Errorf("Of(%q, %q) (-want +got):\n%s", tt.text, tt.language, diff)
			}
		})
	}
}

// prose returns n sentences that the filter keeps.
func prose(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "The keeper of lighthouse %c%c wrote to the harbour that ships have passed with %d lamps.\n",
			'a'+i%26, 'a'+i/26%26, i)
	}
	return b.String()
}

func TestOf_gopherPass(t *testing.T) {
	han := strings.Repeat("山川异域，风月同天。这是我们的城市。", 10)
	tests := []struct {
		name, text, language string
		want                 bool
	}{
		{"prose", prose(10), "en", true},
		{"too short", prose(3), "en", false},
		{"too long", strings.Repeat("the worm and that ", 30_000), "en", false},
		{"short words", strings.Repeat("a be to of ", 30), "en", false},
		{"long words", strings.Repeat("the incomprehensibilities of internationalisation ", 30), "en", false},
		{"hash signs", strings.Repeat("the tags #of #and #that have ", 30), "en", false},
		{"bullets", strings.Repeat("- the list of things that have\n", 30), "en", false},
		{"ellipses", strings.Repeat("the story of those that have been forgotten by everyone…\n", 30), "en", false},
		{"numbers", strings.Repeat("the 1234 of 5678 and 9012 have 3456 ", 30), "en", false},
		{"no stop words", strings.Repeat("cheap watches, luxury handbags, buy online ", 30), "en", false},
		{"no stop words, no list", strings.Repeat("cheap watches, luxury handbags, buy online ", 30), "xx", true},
		{"stop words of another language", prose(10), "de", false},
		{"Chinese", han, "zh", true},
		{"Chinese without function words", strings.Repeat("山川异域风月同天", 20), "zh", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if q := Of(tt.text, tt.language); q.GopherPass != tt.want {
				t.Errorf("GopherPass = %v, want %v: %+v", q.GopherPass, tt.want, q)
			}
		})
	}
}

func TestOf_cutsAtMaxBytes(t *testing.T) {
	text := strings.Repeat("é", MaxBytes/2-1) + "xé"
	if got, want := Of(text+text, "").Characters, MaxBytes/2; got != want {
		t.Errorf("Characters = %d, want %d: what fits in MaxBytes without splitting a character", got, want)
	}
}

func TestStopLists(t *testing.T) {
	if len(stopLists)+len(unspacedStopWords) < 20 {
		t.Errorf("%d languages, want 20", len(stopLists)+len(unspacedStopWords))
	}
	for language, list := range stopLists {
		words := strings.Fields(list)
		if len(spacedStopWords[language].bits) != len(words) || len(words) > 64 {
			t.Errorf("%s: %d words of which %d differ", language, len(words), len(spacedStopWords[language].bits))
		}
		if q := Of(list, language); q.StopWords != len(words) {
			t.Errorf("%s: %d of %d stop words are found in the list itself", language, q.StopWords, len(words))
		}
	}
	for language, list := range unspacedStopWords {
		if q := Of(strings.Join(list, ""), language); q.StopWords != len(list) {
			t.Errorf("%s: %d of %d stop words are found in the list itself", language, q.StopWords, len(list))
		}
	}
}

func TestTable_isBounded(t *testing.T) {
	var small table
	small.reset(1 << 30)
	for i := range 200_000 {
		small.add(mix(uint64(i)), 1)
	}
	if len(small.slots) != maxSlots || small.free != 0 {
		t.Errorf("%d slots, %d free, want %d and 0", len(small.slots), small.free, maxSlots)
	}
	if n := small.add(mix(0), 1); n != 2 {
		t.Errorf("a full table counts %d for a key that it holds, want 2", n)
	}
	var colliding table
	colliding.reset(1000)
	for i := range uint64(1000) {
		colliding.add(i<<32, 1)
	}
	if used := len(colliding.slots)*3/4 - colliding.free; used != maxProbes {
		t.Errorf("%d keys that collide were taken, want %d", used, maxProbes)
	}
}

func FuzzOf(f *testing.F) {
	f.Add("The cat\n- and…\n", "en")
	f.Add("山川。a\xff", "zh")
	f.Add("#..... ไทย a a a a", "th")
	f.Fuzz(func(t *testing.T, text, language string) {
		q := Of(text, language)
		shares := []schemas.Float{
			q.BulletLines, q.EllipsisLines, q.AlphabeticWords, q.DuplicateLines, q.DuplicateChars, q.TopBigram, q.TopTrigram,
		}
		for i, share := range shares {
			if math.IsNaN(float64(share)) || share < 0 || share > 1 {
				t.Errorf("Of(%q): share %d = %v", text, i, share)
			}
		}
		if q.Words > q.Characters || q.Characters > len(text) {
			t.Errorf("Of(%q): %d words, %d characters, %d bytes", text, q.Words, q.Characters, len(text))
		}
	})
}

func BenchmarkOf(b *testing.B) {
	for _, size := range []int{50, 5000} {
		text := prose(size)
		b.Run(fmt.Sprintf("%dkB", len(text)/1000), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var c Counter
			for b.Loop() {
				c.Of(text, "en")
			}
		})
	}
}
