package cfb_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/cfb"
)

func TestFile(t *testing.T) {
	long := bytes.Repeat([]byte("0123456789"), 10_000)
	body := officetest.CFB(officetest.Stream{Name: "WordDocument", Body: long},
		officetest.Stream{Name: "\x05Info", Body: []byte("small")}, officetest.Stream{Name: "Empty"})
	f, err := cfb.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"worddocument": string(long), "\x05Info": "small", "Empty": "", "none": ""} {
		if got := string(f.Stream(name)); got != want {
			t.Errorf("Stream(%q) has %d bytes, want %d", name, len(got), len(want))
		}
	}
	if !f.Has("Empty") || f.Has("none") || f.Damaged() {
		t.Errorf("Has(Empty) %v, Has(none) %v, Damaged %v", f.Has("Empty"), f.Has("none"), f.Damaged())
	}
}

// Small streams are within a stream of their own, in sectors of 64 bytes.
func TestFile_small(t *testing.T) {
	mini := []byte(strings.Repeat("a", 64) + strings.Repeat("b", 64) + strings.Repeat("c", 64))
	body := officetest.CFB(officetest.Stream{Name: "Small", Body: mini},
		officetest.Stream{Name: "table", Body: []byte{2, 0, 0, 0, 0, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF}})
	put := binary.LittleEndian.PutUint32
	dir := 512 + 2*512
	put(body[56:], 4096)        // the cutoff
	put(body[60:], 1)           // the table of small sectors is the second stream
	put(body[dir+116:], 0)      // the root holds the small sectors: the first stream
	put(body[dir+128+116:], 0)  // the first stream begins at small sector 0
	put(body[dir+128+120:], 70) // and continues at 2
	f, err := cfb.Open(body)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(f.Stream("Small")), strings.Repeat("a", 64)+"cccccc"; got != want || f.Damaged() {
		t.Errorf("Stream = %q, want %q; damaged %v", got, want, f.Damaged())
	}
}

func TestFile_damaged(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 5000)
	body := officetest.CFB(officetest.Stream{Name: "A", Body: long})
	fat := len(body) - 512
	circle := bytes.Clone(body)
	binary.LittleEndian.PutUint32(circle[fat+4*3:], 1)
	outside := bytes.Clone(body)
	binary.LittleEndian.PutUint32(outside[fat+4*3:], 100_000)
	for name, src := range map[string][]byte{"circle": circle, "outside": outside} {
		f, err := cfb.Open(src)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Stream("A"); len(got) < 2048 || len(got) > len(src) || !f.Damaged() {
			t.Errorf("%s: %d bytes, damaged %v", name, len(got), f.Damaged())
		}
	}
}

func TestOpen_notCompound(t *testing.T) {
	sound := officetest.CFB(officetest.Stream{Name: "A", Body: []byte("x")})
	shift := bytes.Clone(sound)
	shift[30] = 40
	for name, body := range map[string][]byte{
		"empty": nil, "cut": sound[:511], "sector of 2^40": shift,
		"no directory": sound[:512], "other": make([]byte, 1000),
	} {
		if _, err := cfb.Open(body); !errors.Is(err, cfb.ErrFormat) {
			t.Errorf("%s: %v, want ErrFormat", name, err)
		}
	}
}

func FuzzFile(f *testing.F) {
	f.Add(officetest.Doc())
	f.Add(officetest.Xls())
	f.Fuzz(func(t *testing.T, body []byte) {
		const limit, perSector = 50, 32
		if names, _ := cfb.List(body, limit); len(names) > limit+perSector {
			t.Errorf("%d names, want %d and those of a sector at most", len(names), limit)
		}
		file, err := cfb.Open(body)
		if err != nil {
			return
		}
		for _, name := range []string{"WordDocument", "Workbook", "1Table", "\x05SummaryInformation"} {
			if got := file.Stream(name); len(got) > len(body)+1<<16 {
				t.Errorf("stream of %d bytes in a file of %d", len(got), len(body))
			}
		}
	})
}
