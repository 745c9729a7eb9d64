package table

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sum returns the key of a name, and fails if the name is not read completely.
func sum(t *testing.T, name string) uint64 {
	t.Helper()
	h, at := NewHash, 0
	for first := true; at < len(name); first = false {
		next, end, ok := Step(h, name, at, first)
		if !ok {
			t.Fatalf("Step(%q) stops at %d", name, at)
		}
		h, at = next, end
	}
	return h.Sum()
}

func TestTable_roundTrip(t *testing.T) {
	places := []Place{
		{ID: 3017382, Population: 66_987_244, Parent: NoParent, Kind: Country, Country: "FR"},
		{ID: 2988507, Population: 2_138_551, Parent: 0, Kind: City, Capital: true, Country: "FR"},
	}
	b := Builder{Places: places}
	paris := Name{Candidates: []uint16{1}, Primary: 1, Word: Bit("fr")}
	france := Name{Candidates: []uint16{0}, Primary: 1, Native: Bit("fr") | Bit("en")}
	b.Add(sum(t, "paris"), 0, &paris)
	b.Add(sum(t, "paris"), Surname, nil)
	b.Add(sum(t, "france"), 0, &france)
	b.Add(sum(t, "new"), Continues, nil)
	table, err := Open(string(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range places {
		if got := table.Place(uint16(i)); got != want {
			t.Errorf("Place(%d) = %+v, want %+v", i, got, want)
		}
	}
	value := table.Find(sum(t, "PARIS"))
	if !HasName(value) || value&Surname == 0 || value&FirstName != 0 {
		t.Fatalf("Find(PARIS) = %#x", value)
	}
	if diff := cmp.Diff(paris, table.Name(value)); diff != "" {
		t.Errorf("Name(paris) (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(france, table.Name(table.Find(sum(t, "france")))); diff != "" {
		t.Errorf("Name(france) (-want +got):\n%s", diff)
	}
	if value := table.Find(sum(t, "New")); HasName(value) || value != Continues {
		t.Errorf("Find(New) = %#x, want the beginning of a name", value)
	}
	if value := table.Find(sum(t, "Berlin")); value != 0 {
		t.Errorf("Find(Berlin) = %#x, want 0", value)
	}
}

func TestOpen_damaged(t *testing.T) {
	b := Builder{Places: []Place{{Country: "FR"}}}
	b.Add(1, 0, &Name{Candidates: []uint16{0}})
	data := string(b.Bytes())
	if _, err := Open(data); err != nil {
		t.Fatal(err)
	}
	for name, damaged := range map[string]string{
		"empty": "", "cut": data[:len(data)-1], "other version": "GAZ2" + data[4:], "counts": data[:4] + "\xff\xff\xff\x7f" +
			data[8:],
	} {
		if _, err := Open(damaged); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: Open = %v, want ErrFormat", name, err)
		}
	}
}

// Different spellings are the same name.
func TestStep_folds(t *testing.T) {
	for _, same := range [][2]string{
		{"New York", "NEW-YORK"},
		{"N'Djamena", "n’djamena"},
		{"St. Gallen", "ST GALLEN"},
		{"São Paulo", "SÃO\u00A0PAULO"},
		{"МОСКВА", "Москва"},
	} {
		if sum(t, same[0]) != sum(t, same[1]) {
			t.Errorf("%q and %q differ", same[0], same[1])
		}
	}
	if sum(t, "New York") == sum(t, "NewYork") {
		t.Error("New York and NewYork are the same")
	}
}

func TestStep_words(t *testing.T) {
	for _, tt := range []struct {
		text string
		ends []int
	}{
		{"New York", []int{3, 8}},
		{"New\nYork", []int{3}},
		{"New   York", []int{3}},
		{"東京", []int{3, 6}},
		{"A.B, C", []int{1, 3}},
		{", x", nil},
		{"", nil},
		{"\xff", nil},
	} {
		var ends []int
		for h, at := NewHash, 0; ; {
			next, end, ok := Step(h, tt.text, at, len(ends) == 0)
			if !ok {
				break
			}
			h, at, ends = next, end, append(ends, end)
		}
		if diff := cmp.Diff(tt.ends, ends); diff != "" {
			t.Errorf("Step over %q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestBit(t *testing.T) {
	seen := map[uint64]string{}
	for _, l := range Languages {
		if b := Bit(l); b == 0 || seen[b] != "" {
			t.Errorf("Bit(%q) = %#x, as %q", l, b, seen[b])
		}
		seen[Bit(l)] = l
	}
	if Bit("sr") != Bit("hr") || Bit("no") != Bit("nb") || Bit("xx") != 0 {
		t.Error("Bit does not know sr and no, or knows xx")
	}
}
