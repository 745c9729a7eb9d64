package gazetteer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// found returns the results of Find, as "text country".
func found(text string, c Context) []string {
	var lines []string
	for _, m := range Find(text, c, nil) {
		lines = append(lines, text[m.Start:m.End]+" "+m.Place.Country)
	}
	return lines
}

func TestFind(t *testing.T) {
	tests := []struct {
		name, text, language, country string
		want                          []string
	}{
		{name: "nothing", text: "The train arrived late, as it often does."},
		{
			name: "longest name", text: "She went to Rio de Janeiro and to New York City.", language: "en",
			want: []string{"Rio de Janeiro BR", "New York City US"},
		},
		{name: "capital letters", text: "paris, a reading, nice; Paris", language: "en", want: []string{"Paris FR"}},
		{name: "languages", text: "Kopenhagen, Varsovie, Mailand, Киев, Θεσσαλονίκη", language: "de", want: []string{
			"Kopenhagen DK", "Varsovie PL", "Mailand IT", "Киев UA", "Θεσσαλονίκη GR",
		}},
		{name: "no spaces", text: "我从北京到东京，再到巴黎。", language: "zh", want: []string{"北京 CN", "东京 JP", "巴黎 FR"}},
		{name: "katakana", text: "パリとローマ、パリコレ、ネオローマ", language: "ja", want: []string{"パリ FR", "ローマ IT"}},
		{name: "Korean particles", text: "서울에서 부산까지, 서울특별", language: "ko", want: []string{"서울 KR", "부산 KR"}},
		{name: "Arabic and", text: "فرنسا والمغرب", language: "ar", want: []string{"فرنسا FR", "المغرب MA"}},
		{name: "country of the language", text: "Island liegt im Norden.", language: "de", want: []string{"Island IS"}},
		{name: "not of this language", text: "The Island lies in the north.", language: "en"},
		{name: "state behind a comma", text: "Paris, Texas", language: "en", want: []string{"Paris US", "Texas US"}},
		{name: "code behind a comma", text: "Portland, ME 04101", language: "en", want: []string{"Portland US"}},
		{
			name: "country behind a comma", text: "Tbilisi, Georgia", language: "en",
			want: []string{"Tbilisi GE", "Georgia GE"},
		},
		{
			name: "country behind brackets", text: "Birmingham (United Kingdom)", language: "en",
			want: []string{"Birmingham GB", "United Kingdom GB"},
		},
		{
			name: "page's country", text: "Trains from Newcastle", language: "en", country: "AU",
			want: []string{"Newcastle AU"},
		},
		{name: "preposition", text: "We live in Reading.", language: "en", want: []string{"Reading GB"}},
		{
			name: "people", text: "Jack London met Charlotte Lyon. Mr Lincoln and Dr. Ferrara left. London wrote.",
			language: "en",
		},
		{
			name: "parts of names", text: "the University of Oxford, Chicago Bulls, Hamburg-Xanten, the Boston, Barnes & Noble",
			language: "en",
		},
		{name: "compounds that are none", text: "a London-based company", language: "en", want: []string{"London GB"}},
		{
			name: "abbreviations", text: "the U.S. and the UK, HCM, RX, A's, IT", language: "en",
			want: []string{"U.S. US", "UK GB"},
		},
		{
			name: "German nouns", text: "Essen und Trinken in der Halle. Hier gibt es Essen. Er kam aus Essen.", language: "de",
			want: []string{"Essen DE"},
		},
		{name: "line ends", text: "New\nYork, Rio\nde Janeiro", language: "en"},
		{name: "addresses", text: "@Paris #Berlin london@example.org Paris@example.org x_Berlin", language: "en"},
		{name: "damaged", text: "\xffParis\xff \xe6\x9d Berlin", language: "en", want: []string{"Paris FR", "Berlin DE"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, found(tt.text, Context{Language: tt.language, Country: tt.country})); diff != "" {
				t.Errorf("Find(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestFind_least(t *testing.T) {
	text := "Concordia is a game."
	if got := found(text, Context{Language: "en", Least: 0.99}); got != nil {
		t.Errorf("Find(%q) with Least .99 = %q", text, got)
	}
	if got := found(text, Context{Language: "en", Least: 0.01}); len(got) != 1 {
		t.Errorf("Find(%q) with Least .01 = %q, want one", text, got)
	}
}

func TestFind_appends(t *testing.T) {
	first := Find("Paris", Context{}, nil)
	if got := Find("in Berlin", Context{Language: "en"}, first); len(got) != 2 || got[0] != first[0] {
		t.Errorf("Find appended to %v: %v", first, got)
	}
}

// These texts could take much time or memory.
func TestFind_hostile(t *testing.T) {
	for _, unit := range []string{
		"Paris ", "Paris, ", "P", "New ", "San ", "Saint-", "北", "東京", "서울", "و", "والمغرب ", "A.", "A'", "É", "\xff",
		"Paris, Texas, ", " ", "(",
		"Paris & ", "in Paris's ",
	} {
		text := strings.Repeat(unit, (1<<20)/len(unit))
		check(t, text, Find(text, Context{Language: "en"}, nil))
	}
}

// check reports mentions that are wrong or overlap.
func check(t *testing.T, text string, mentions []Mention) {
	t.Helper()
	end := 0
	if len(mentions) > maxMatches {
		t.Errorf("%d mentions, want %d at most", len(mentions), maxMatches)
	}
	for _, m := range mentions {
		if m.Start < end || m.End <= m.Start || m.End > len(text) || strings.Contains(text[m.Start:m.End], "\n") {
			t.Fatalf("the mention %+v is wrong, or overlaps what ends at %d", m, end)
		}
		if m.Confidence < 0 || m.Confidence > 1 || m.Place.ID == 0 || len(m.Place.Country) != 2 {
			t.Fatalf("%+v is not complete", m)
		}
		end = m.End
	}
}

func FuzzFind(f *testing.F) {
	for _, text := range []string{
		"Paris, Texas and 東京から大阪まで, 서울은 Москва", "Mr. London of N'Djamena, U.S.",
		"Saint\u2019Denis l\u2019Aquila \xff\xe6\x9d",
		"Washington, D.C. (USA) والمغرب", "São Paulo – Łódź\nNew\nYork",
	} {
		f.Add(text, "en", "US")
		f.Add(text, "", "")
	}
	f.Fuzz(func(t *testing.T, text, language, country string) {
		check(t, text, Find(text, Context{Language: language, Country: country}, nil))
	})
}

func TestPlaces(t *testing.T) {
	if _, err := fmt.Sscanf(Place{ID: 2950159}.URL(), "https://sws.geonames.org/%d/", new(int)); err != nil {
		t.Errorf("URL is of another form: %v", err)
	}
	kinds := map[Kind]int{}
	for _, m := range Find("France, Texas, Lyon", Context{Language: "en"}, nil) {
		kinds[m.Place.Kind]++
	}
	if want := map[Kind]int{Country: 1, State: 1, City: 1}; !cmp.Equal(kinds, want) {
		t.Errorf("kinds = %v, want %v", kinds, want)
	}
}

func BenchmarkFind(b *testing.B) {
	prose := "The committee met again in Hamburg to hear what the harbour had cost: about as much as the bridges of " +
		"Lisbon, " +
		"and twice what Denmark had spent. Nobody from the Ministry had come; Mr Porter had sent a letter from Geneva. "
	for _, text := range []struct{ name, text string }{
		{"english", strings.Repeat(prose, 50)},
		{"chinese", strings.Repeat("委员会在汉堡再次开会，听取港口的费用。丹麦没有人来，波特先生从日内瓦寄来一封信。", 100)},
	} {
		b.Run(text.name, func(b *testing.B) {
			b.SetBytes(int64(len(text.text)))
			b.ReportAllocs()
			var dst []Mention
			for b.Loop() {
				dst = Find(text.text, Context{Language: "en"}, dst[:0])
			}
		})
	}
}

func TestIdentify(t *testing.T) {
	for name, want := range map[string]int{
		"US": 6252001, "USA": 6252001, "U.S.": 6252001, "United States": 6252001, "California": 5332921, "UK": 2635167,
		"us": 0, "California Dreaming": 0, "the California": 0, "Nowhere": 0, "": 0,
	} {
		if got, ok := Identify(name, Context{Language: "en"}); got.ID != want || ok != (want != 0) {
			t.Errorf("Identify(%q) = %+v, %v, want %d", name, got, ok, want)
		}
	}
	if got, ok := Identify("Georgia", Context{Language: "en"}); ok {
		t.Errorf("Identify(Georgia) = %+v, want nothing clear: it is a country and a state", got)
	}
}
