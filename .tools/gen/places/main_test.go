package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/entity/gazetteer/table"
)

// The table in the repository is up to date. The test downloads 37 MB:
//
//	GENERATE=1 go test ./.tools/gen/places
func TestRun_isTheTableInTheRepository(t *testing.T) {
	if os.Getenv("GENERATE") == "" {
		t.Skip("set GENERATE=1 to make the table again, with pip and npm")
	}
	want, err := os.ReadFile(filepath.FromSlash("../../../transforms/entity/gazetteer/places.bin"))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "places.bin")
	if err := run(out, "", "ambiguous.txt", ""); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("places.bin is not what the generator makes: run go generate ./transforms/entity/gazetteer")
	}
}

func TestUseful(t *testing.T) {
	b := &builder{ambiguous: map[string]ambiguity{
		"hang": {languages: 15}, "paris": {languages: 5}, "wawa": {languages: 1}, "victoria": {firstName: true},
	}}
	metropolis, town := city{Name: "Hangzhou", Population: 9_000_000}, city{Name: "Escaldes", Population: 16_000}
	for _, tt := range []struct {
		name string
		c    city
		want bool
	}{
		{"Hangtschou", metropolis, true},
		{"Hang", metropolis, false},      // a word of many languages
		{"hang zhou", metropolis, false}, // a transliteration
		{"HGH", metropolis, false},       // an airport
		{"杭州", metropolis, true},
		{"Pearl of the East", metropolis, false},
		{"Hangzhou 2", metropolis, false},
		{"Escaldes-Engordany", town, true},
		{"Lynn Village", town, false}, // nothing like its name
		{"Wawa", city{Name: "Wawaw", Population: 40_000}, false},
		{"Victoria", city{Name: "Viktoria", Population: 40_000}, false},
		{"埃斯", town, false},
		{"ちば", city{Name: "Chiba", Population: 900_000}, false},
		{"Hà Nội", city{Name: "Hanoi", Population: 8_000_000}, true},
	} {
		if got := b.useful(tt.name, tt.c, false); got != tt.want {
			t.Errorf("useful(%q of %s) = %v, want %v", tt.name, tt.c.Name, got, tt.want)
		}
	}
}

func TestWithoutSuffix(t *testing.T) {
	for name, want := range map[string]string{"京都市": "京都", "北京": "北京", "津市": "津市"} {
		if got := withoutSuffix(name); got != want {
			t.Errorf("withoutSuffix(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestWrite_leavesBeginnings(t *testing.T) {
	b := &builder{claims: map[string][]claim{}}
	b.addPlace(table.Place{ID: 1, Country: "US"})
	b.claim("New York City", claim{place: 0, primary: true})
	b.claim("March", claim{place: 0})
	b.claim("a (b)", claim{place: 0})
	for name := range b.claims {
		b.write(name)
	}
	data, err := b.table.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	got, err := table.Open(string(data))
	if err != nil {
		t.Fatal(err)
	}
	h, _, _ := table.Step(table.NewHash, "new york city", 0, true)
	if entry := got.Find(h.Sum()); entry.HasName() || entry.Flags != table.Continues {
		t.Errorf("the entry of New is %+v, want a beginning", entry)
	}
	for _, name := range []string{"march", "a"} {
		h, _, _ := table.Step(table.NewHash, name, 0, true)
		if entry := got.Find(h.Sum()); entry.Flags != 0 {
			t.Errorf("the entry of %s is %+v, want nothing", name, entry)
		}
	}
}
