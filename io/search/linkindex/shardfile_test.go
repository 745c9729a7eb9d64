package linkindex

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestFile_place finds hashes that are spread evenly, equal, in one corner, or at the ends.
func TestFile_place(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, hash := range map[string]func(i int) uint64{
		"even":   func(int) uint64 { return r.Uint64() },
		"equal":  func(int) uint64 { return 7 },
		"corner": func(int) uint64 { return math.MaxUint64 - r.Uint64N(1000) },
		"powers": func(i int) uint64 { return 1 << (i % 64) },
		"ends":   func(i int) uint64 { return uint64(i%2) * math.MaxUint64 },
	} {
		for _, n := range []int{0, 1, windowEntries, windowEntries + 1, 20_000} {
			list := make([]uint64, n)
			for i := range list {
				list[i] = hash(i)
			}
			slices.Sort(list)
			x := entriesFile(t, list)
			asked := []uint64{0, 1, 7, 8, math.MaxUint64, math.MaxUint64 - 500, r.Uint64(), r.Uint64()}
			for range min(n, 50) {
				h := list[r.IntN(n)]
				asked = append(asked, h, h+1, h-1)
			}
			for _, h := range asked {
				want, _ := slices.BinarySearch(list, h)
				if got, err := x.place(sources, h); err != nil || got != want {
					t.Fatalf("%s, %d entries: place(%d) = %d, %v, want %d", name, n, h, got, err, want)
				}
			}
		}
	}
}

// entriesFile makes a file with only the section sources.
func entriesFile(t testing.TB, hashes []uint64) *file {
	t.Helper()
	var data []byte
	for i, h := range hashes {
		data = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(data, h), uint32(i))
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() }) // it is only read
	x := &file{f: f}
	x.header.Size[sources] = int64(len(data))
	return x
}

func BenchmarkFile_find(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	list := make([]uint64, 50_000)
	for i := range list {
		list[i] = r.Uint64()
	}
	slices.Sort(list)
	x := entriesFile(b, list)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := x.find(sources, r.Uint64()); err != nil {
			b.Fatal(err)
		}
	}
}
