package archive

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// hole is a stretch of bytes that is not what it was.
type hole struct{ from, to int64 }

// holes are what a test makes: size bytes at each place, in hundredths of the file.
var holes = []struct {
	name   string
	size   int64
	places []int64
}{
	{"one of 64 bytes", 64, []int64{30}},
	{"ten of 16 bytes", 16, []int64{4, 13, 22, 31, 40, 50, 61, 72, 83, 94}},
}

// fills are the contents of a hole.
var fills = []struct {
	name string
	fill func(s surgeon, n int) []byte
}{
	{"zeros", func(_ surgeon, n int) []byte { return make([]byte, n) }},
	{"noise", surgeon.noise},
	{"nothing", func(surgeon, int) []byte { return nil }},
}

// TestReader_holes makes holes in files of a record a member. All records but those whose member has a hole must be
// delivered as from the whole file.
func TestReader_holes(t *testing.T) {
	t.Run("made", func(t *testing.T) {
		m := makeArchive(t, rand.New(rand.NewPCG(8, 8)), 0, 400, 30_000)
		checkHoles(t, m.bytes(), m.format, true)
	})
	for _, path := range benchFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := Detect("", bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			checkHoles(t, data, f, false)
		})
	}
}

// benchFiles returns the archives in the folder that GLEANER_BENCH names, none when it names none.
func benchFiles(t *testing.T) []string {
	t.Helper()
	dir := os.Getenv("GLEANER_BENCH")
	if dir == "" {
		return nil
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.warc.*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d archives in the folder that GLEANER_BENCH names, %v", len(paths), err)
	}
	return paths
}

// checkHoles makes the holes. apart tells that no two of them, and no two members, share one.
func checkHoles(t *testing.T, data []byte, f Format, apart bool) {
	t.Helper()
	size := int64(len(data))
	whole, losses := readRecords(t, bytes.NewReader(data), size, f)
	if len(whole) < 300 || len(losses) > 0 {
		t.Fatalf("%d records, losses %v", len(whole), losses)
	}
	for _, h := range holes {
		for _, fill := range fills {
			t.Run(h.name+" of "+fill.name, func(t *testing.T) {
				s := surgeon{Rand: rand.New(rand.NewPCG(uint64(h.size), 4))}
				var made []hole
				var hurt []byte
				at := int64(0)
				for _, place := range h.places {
					made = append(made, hole{size * place / 100, size*place/100 + h.size})
					hurt = append(append(hurt, data[at:size*place/100]...), fill.fill(s, int(h.size))...)
					at = size*place/100 + h.size
				}
				lost := checkHurt(t, append(hurt, data[at:]...), f, whole, made)
				if apart && lost != len(made) {
					t.Errorf("the holes are in %d members, want %d", lost, len(made))
				}
			})
		}
	}
}

// checkHurt returns in how many members a hole is.
func checkHurt(t *testing.T, hurt []byte, f Format, whole []delivery, made []hole) (lost int) {
	t.Helper()
	var want, texts []string
	for _, d := range whole {
		if d.ordinal != 0 || d.length == 0 {
			t.Fatalf("the record at %d shares its member", d.offset)
		}
		hit := false
		for _, h := range made {
			hit = hit || d.offset < h.to && h.from < d.offset+d.length
		}
		if hit {
			lost++
			continue
		}
		want = append(want, d.text)
	}
	got, losses := readRecords(t, bytes.NewReader(hurt), int64(len(hurt)), f)
	for _, d := range got {
		texts = append(texts, d.text)
	}
	if gone := missing(want, texts); len(gone) > 0 {
		t.Errorf("of %d records, %d in members with holes, these are lost: %q, losses %v", len(whole), lost, gone, losses)
	}
	t.Logf("%d records, %d members with holes, %d delivered, losses %v", len(whole), lost, len(got), losses)
	return lost
}
