package table

import (
	"errors"
	"math/rand/v2"
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
	table := mustOpen(t, &b)
	for i, want := range places {
		if got := table.Place(uint16(i)); got != want {
			t.Errorf("Place(%d) = %+v, want %+v", i, got, want)
		}
	}
	entry := table.Find(sum(t, "PARIS"))
	if !entry.HasName() || entry.Flags&Surname == 0 || entry.Flags&FirstName != 0 {
		t.Fatalf("Find(PARIS) = %+v", entry)
	}
	if diff := cmp.Diff(paris, table.Name(entry)); diff != "" {
		t.Errorf("Name(paris) (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(france, table.Name(table.Find(sum(t, "france")))); diff != "" {
		t.Errorf("Name(france) (-want +got):\n%s", diff)
	}
	if entry := table.Find(sum(t, "New")); entry.HasName() || entry.Flags != Continues {
		t.Errorf("Find(New) = %+v, want the beginning of a name", entry)
	}
	if entry := table.Find(sum(t, "Berlin")); entry.Flags != 0 {
		t.Errorf("Find(Berlin) = %+v, want nothing", entry)
	}
}

// mustBytes returns the file of a builder.
func mustBytes(t testing.TB, b *Builder) string {
	t.Helper()
	data, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func mustOpen(t testing.TB, b *Builder) *Table {
	t.Helper()
	table, err := Open(mustBytes(t, b))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Every key of a full table has its own flags and candidates, also after others in its bucket.
func TestTable_manyKeys(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	b := Builder{Places: make([]Place, 1000)}
	for i := range b.Places {
		b.Places[i] = Place{ID: uint32(i), Country: "FR"}
	}
	want := map[uint64]Name{}
	flags := map[uint64]uint8{}
	for range 50_000 {
		key := random.Uint64() >> 3 // buckets with some 25 keys
		flags[key] = uint8(random.IntN(8))
		if random.IntN(4) == 0 {
			b.Add(key, flags[key], nil)
			continue
		}
		n := Name{Primary: uint8(random.IntN(4)), Word: uint64(random.IntN(3)), Native: uint64(random.IntN(3))}
		for range 1 + random.IntN(8) {
			n.Candidates = append(n.Candidates, uint16(random.IntN(1000)))
		}
		want[key] = n
		b.Add(key, flags[key], &n)
	}
	table := mustOpen(t, &b)
	for key, f := range flags {
		e := table.Find(key)
		if _, has := want[key]; e.Flags&^isName != f || e.HasName() != has {
			t.Fatalf("Find(%#x) = %+v, want the flags %#x and a name: %v", key, e, f, has)
		}
		if e.HasName() && !cmp.Equal(table.Name(e), want[key]) {
			t.Fatalf("Name(%#x): %s", key, cmp.Diff(want[key], table.Name(e)))
		}
		if e := table.Find(key ^ 1<<20); e.Flags != 0 {
			t.Fatalf("Find(%#x) = %+v, want nothing", key^1<<20, e)
		}
	}
}

func TestBuilder_sameKey(t *testing.T) {
	b := Builder{}
	b.Add(1<<40, 0, nil)
	b.Add(1<<40|1, 0, nil)
	if _, err := b.Bytes(); err == nil {
		t.Error("Bytes: no error for two hashes that look-ups cannot distinguish")
	}
}

// A damaged table is an error, or look-ups find something else or nothing.
func FuzzOpen(f *testing.F) {
	b := Builder{Places: []Place{{Country: "FR"}, {Country: "DE"}}}
	for i := range uint64(40) {
		b.Add(i<<38, Surname, &Name{Candidates: []uint16{0, 1}, Word: i})
	}
	good := mustBytes(f, &b)
	for at := range headerSize / 4 {
		f.Add(uint32(4*at), []byte{1})
	}
	for at := headerSize + 2*bucketSize; at < len(good); at += 16 {
		f.Add(uint32(at), []byte{0xFF, 0xFF})
	}
	f.Fuzz(func(t *testing.T, at uint32, damage []byte) {
		data := []byte(good)
		copy(data[int(at)%len(data):], damage)
		table, err := Open(string(data))
		if err != nil {
			return
		}
		for i := range uint64(40) {
			if e := table.Find(i << 38); e.HasName() {
				for _, c := range table.Name(e).Candidates {
					table.Place(c)
				}
			}
		}
	})
}

func TestOpen_damaged(t *testing.T) {
	b := Builder{Places: []Place{{Country: "FR"}}}
	b.Add(1, 0, &Name{Candidates: []uint16{0}})
	data := mustBytes(t, &b)
	if _, err := Open(data); err != nil {
		t.Fatal(err)
	}
	bucket := headerSize + 4*100
	for name, damaged := range map[string]string{
		"empty": "", "cut": data[:len(data)-1], "more": data + "x", "other version": "GAZ1" + data[4:],
		"counts": data[:4] + "\xff\xff\xff\x7f" + data[8:],
		"bucket": data[:bucket] + "\x09" + data[bucket+1:],
		"mask":   data[:len(data)-placeSize-16+4] + "\x09" + data[len(data)-placeSize-16+5:],
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
