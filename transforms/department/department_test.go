package department_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/department"
)

func TestOf(t *testing.T) {
	for text, want := range map[string]string{
		"Política": "politics", "Middle East": "world", "Aus aller Welt": "society", "sport": "sport", "SPORTS": "sport",
		"Österreich": "nation", "world": "world", "": "", "recipes": "", "Poli\u0301tica": "politics", "Świat": "world",
		"Łódź": "", strings.Repeat("sport", 13): "",
		// These are other scripts, and letters with accents.
		"Спорт": "sport", "здоровье": "science", "Πολιτική": "politics", "国际": "world", "정치": "politics", "खेल": "sport",
		"Thế giới": "world", "رياضة": "sport", "כלכלה": "economy",
		// These are combinations.
		"Arts & Culture": "culture", "Crime and Weather": "crime weather", "Nation/World": "world nation",
		"U.S. & World": "world nation", "Wetter, Verkehr": "weather", "政治・経済": "politics economy",
		"science-and-health":     "science",
		"Politik und Wirtschaft": "politics economy", "candy and sand": "", "real-estate/politics": "politics",
		"Bonn en Sport": "sport",
		// These have words beside the name.
		"Politics News": "politics", "› Sport": "sport", "Sports!": "sport", "Politics of the day": "", "news": "latest",
		"Tennis": "game", "today’s weather": "", "国内新闻": "nation", "社會新聞": "society", "体育频道": "sport", "經濟 頻道": "economy",
		"国際ニュース": "world", "정치뉴스": "politics", "新闻": "latest", "ニュース": "latest", "新闻新闻": "latest", "频道": "",
	} {
		var got []string
		for d := range department.Of(text).All() {
			got = append(got, d.String())
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("Of(%q) = %q, want %q", text, got, want)
		}
	}
	// The English name of each is one of its names, since documents contain it.
	for d := range department.Count {
		if got := department.Of(d.String()); got != 1<<d {
			t.Errorf("Of(%q) = %b", d, got)
		}
	}
}

// TestOf_names: each name is found in its own spelling, and belongs to one department.
func TestOf_names(t *testing.T) {
	data, err := os.ReadFile("names.txt")
	if err != nil {
		t.Fatal(err)
	}
	head, n := "", 0
	for _, word := range strings.Fields(string(data)) {
		if name, ok := strings.CutSuffix(word, ":"); ok {
			head = name
			continue
		}
		n++
		if got := slices.Collect(department.Of(word).All()); len(got) != 1 || got[0].String() != head {
			t.Errorf("Of(%q) = %v, want %s", word, got, head)
		}
	}
	if n < 1000 {
		t.Errorf("%d names", n)
	}
}

func TestSet_topics(t *testing.T) {
	all, general := department.Of("Politics, Crime, Tennis, Weather, Latest").Topics()
	if all != 3 || general != 2 {
		t.Errorf("%d topics, %d of general news, want 3 and 2", all, general)
	}
}

func BenchmarkOf(b *testing.B) {
	texts := []string{
		"Subscribe", "Politics", "Arts & Culture", "Sign in to your account", "The council votes on the new bridge tonight",
		"Five things to know about the storm that is coming to the coast this week", "Суспільство",
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			department.Of(text)
		}
	}
}
