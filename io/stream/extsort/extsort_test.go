package extsort

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

type record struct{ key, value string }

// shuffled are n records, three to a key, whose values number them.
func shuffled(n int) []record {
	rnd := rand.New(rand.NewPCG(1, 2))
	all := make([]record, n)
	for i := range all {
		all[i] = record{fmt.Sprintf("key %d", rnd.IntN(n/3+1)), fmt.Sprintf("%d %s", i, strings.Repeat("v", rnd.IntN(100)))}
	}
	return all
}

func sorted(t testing.TB, o Options, in []record) []record {
	t.Helper()
	s := New(o)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, r := range in {
		if err := s.Add([]byte(r.key), []byte(r.value)); err != nil {
			t.Fatal(err)
		}
	}
	out := make([]record, 0, len(in))
	err := s.Merge(func(key, value []byte) error {
		out = append(out, record{string(key), string(value)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSorter(t *testing.T) {
	in := shuffled(5_000)
	want := slices.Clone(in)
	slices.SortStableFunc(want, func(a, b record) int { return strings.Compare(a.key, b.key) })
	tests := []struct {
		name   string
		memory int
	}{
		{"in memory", 0},
		{"some runs", 200_000},
		{"runs of runs", 4_000},
		{"a run a record or two", 150},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if got := sorted(t, Options{MemoryBytes: tt.memory, TempDir: dir}, in); !slices.Equal(got, want) {
				t.Error("not the stable order")
			}
			empty(t, dir)
		})
	}
}

func empty(t testing.TB, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) > 0 {
		t.Errorf("%s is left behind", left[0].Name())
	}
}

func TestSorter_oddRecords(t *testing.T) {
	in := []record{{"\x00", "a"}, {"", ""}, {"\xff\n", strings.Repeat("x", 3*chunkBytes)}, {"", "b"}}
	want := []record{in[1], in[3], in[0], in[2]}
	for _, memory := range []int{0, 1} {
		if got := sorted(t, Options{MemoryBytes: memory, TempDir: t.TempDir()}, in); !slices.Equal(got, want) {
			t.Errorf("memory %d: wrong order", memory)
		}
	}
	if got := sorted(t, Options{}, nil); len(got) != 0 {
		t.Errorf("nothing sorted is %v", got)
	}
}

// TestSorter_likeKeys: keys that begin alike, of any length, and with zeros, which a prefix is filled up with.
func TestSorter_likeKeys(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	beginnings := []string{"", "org,example,", strings.Repeat("com,example)/", 12), strings.Repeat("\x00", 150)}
	in := make([]record, 20_000)
	for i := range in {
		key := []byte(beginnings[rnd.IntN(len(beginnings))])
		key = key[:len(key)-rnd.IntN(min(len(key), 20)+1)]
		for range rnd.IntN(12) {
			key = append(key, "\x00\x00\x01a,\xff"[rnd.IntN(6)])
		}
		in[i] = record{string(key), fmt.Sprint(i)}
	}
	want := slices.Clone(in)
	slices.SortStableFunc(want, func(a, b record) int { return strings.Compare(a.key, b.key) })
	for _, memory := range []int{0, 500_000} {
		if got := sorted(t, Options{MemoryBytes: memory, TempDir: t.TempDir()}, in); !slices.Equal(got, want) {
			t.Errorf("memory %d: not the stable order", memory)
		}
	}
}

func TestSorter_errorOfEmitEndsMerge(t *testing.T) {
	for _, memory := range []int{0, 1000} {
		s := New(Options{MemoryBytes: memory, TempDir: t.TempDir()})
		for _, r := range shuffled(100) {
			if err := s.Add([]byte(r.key), []byte(r.value)); err != nil {
				t.Fatal(err)
			}
		}
		full := errors.New("disk full")
		if err := s.Merge(func(_, _ []byte) error { return full }); !errors.Is(err, full) {
			t.Errorf("Merge: %v", err)
		}
		if err := s.Add(nil, nil); !errors.Is(err, ErrMerged) {
			t.Errorf("Add after Merge: %v", err)
		}
		if err := s.Merge(nil); !errors.Is(err, ErrMerged) {
			t.Errorf("second Merge: %v", err)
		}
	}
}

// TestSpill_levels: as many runs as the memory can read are merged at once, so that each record is written once.
func TestSpill_levels(t *testing.T) {
	for _, tt := range []struct{ memory, record, runs, want int }{
		{16 << 20, 5, leastFanIn - 1, leastFanIn - 1},
		{16 << 20, 5, leastFanIn, 1},
		{256 << 20, 5, 300, 300},
		{256 << 20, 5, 328, 2},        // a run of all but the last
		{256 << 20, 1 << 20, 100, 37}, // more long records at once would take more memory
	} {
		s := New(Options{MemoryBytes: tt.memory, TempDir: t.TempDir()}).spill
		for i := range tt.runs {
			err := s.write(func(add func(key, value []byte) error) error {
				return add([]byte{byte(i)}, make([]byte, tt.record))
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := len(s.runs); got != tt.want {
			t.Errorf("%d MiB, %d runs are merged to %d, want %d", tt.memory>>20, tt.runs, got, tt.want)
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
	}
}

func TestSorter_closeRemovesTheFile(t *testing.T) {
	dir := t.TempDir()
	s := New(Options{MemoryBytes: 1, TempDir: dir})
	for range 3 {
		if err := s.Add([]byte("k"), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	empty(t, dir)
}

func TestSorter_noFolder(t *testing.T) {
	s := New(Options{MemoryBytes: 1, TempDir: t.TempDir() + "/missing"})
	err := errors.Join(s.Add([]byte("a"), nil), s.Add([]byte("b"), nil))
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Add: %v", err)
	}
}

func FuzzSorter(f *testing.F) {
	f.Add([]byte("b,a,,c"), 50)
	f.Fuzz(func(t *testing.T, in []byte, memory int) {
		var want []record
		for i, key := range bytes.Split(in, []byte(",")) {
			want = append(want, record{string(key), fmt.Sprint(i)})
		}
		got := sorted(t, Options{MemoryBytes: max(1, memory), TempDir: t.TempDir()}, want)
		slices.SortStableFunc(want, func(a, b record) int { return strings.Compare(a.key, b.key) })
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func BenchmarkSorter(b *testing.B) {
	in := shuffled(100_000)
	for _, memory := range []int{64 << 20, 1 << 20} {
		b.Run(fmt.Sprintf("memory=%dMiB", memory>>20), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sorted(b, Options{MemoryBytes: memory, TempDir: b.TempDir()}, in)
			}
			b.ReportMetric(float64(len(in)*b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}

// BenchmarkSort is what a batch in memory takes: keys that are hashes, and SURTs, which begin alike.
func BenchmarkSort(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for name, key := range map[string]func() []byte{
		"hashes": func() []byte { return binary.BigEndian.AppendUint64(nil, rnd.Uint64()) },
		"SURTs":  func() []byte { return fmt.Appendf(nil, "org,example,site%d)/feed", rnd.IntN(400_000)) },
	} {
		b.Run(name, func(b *testing.B) {
			entries := make([]entry, 400_000)
			for i := range entries {
				k := key()
				entries[i] = entry{Prefix(k), k, int32(len(k)), int32(i)}
			}
			for b.Loop() {
				b.StopTimer()
				list := batch{entries: slices.Clone(entries)}
				b.StartTimer()
				list.sort()
			}
		})
	}
}
