package sitetemplate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func open(t testing.TB, b []byte) *Table {
	t.Helper()
	table, err := OpenTable(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestTable_findsWhatWasEncoded(t *testing.T) {
	var rows []Row
	for i := range 100 {
		rows = append(rows, Row{Host: fmt.Sprint("example,h", i), Template: Template(full(i, 1)[:i%MaxBlocks])})
	}
	b := EncodeTable(rows)
	slices.Reverse(rows)
	if !bytes.Equal(EncodeTable(append(rows, rows[5])), b) {
		t.Error("the table depends on the order of the rows, or on what is there twice")
	}
	table := open(t, b)
	if table.Hosts() != 98 {
		t.Errorf("%d hosts, want 98: two templates are empty", table.Hosts())
	}
	for _, r := range append(rows, Row{Host: "example,other"}, Row{}) {
		got, err := table.Find(r.Host)
		if err != nil || len(r.Template)+len(got) > 0 && cmp.Diff(r.Template, got) != "" {
			t.Errorf("Find(%q) = %d hashes, %v; want %d", r.Host, len(got), err, len(r.Template))
		}
	}
}

func TestTable_empty(t *testing.T) {
	if got, err := open(t, EncodeTable(nil)).Find("a"); got != nil || err != nil {
		t.Errorf("Find in an empty table = %v, %v", got, err)
	}
}

func TestTable_malformed(t *testing.T) {
	good := EncodeTable([]Row{{"a", Template{1, 2}}, {"b", Template{3, 4}}})
	damaged := func(at int, to byte) []byte {
		b := slices.Clone(good)
		b[at] = to
		return b
	}
	long := make(Template, maxTemplate+1)
	for i := range long {
		long[i] = Hash(i)
	}
	second := headSize + entrySize + 8 // start of the second host's hashes
	for name, b := range map[string][]byte{
		"empty":                    {},
		"cut":                      good[:len(good)-1],
		"longer":                   append(slices.Clone(good), 0),
		"other magic":              damaged(0, 'X'),
		"more hosts than there is": damaged(8, 200),
		"hosts beyond all bounds":  damaged(15, 255),
		"end beyond all bounds":    damaged(headSize+2*entrySize+15, 255),
		"hashes end before":        damaged(second, 0),
		"hashes begin behind":      damaged(second, 5),
		"hashes do not ascend":     damaged(len(good)-8, 9),
		"no hashes":                damaged(second, 4),
		"too many hashes":          EncodeTable([]Row{{"a", long}}),
	} {
		table, err := OpenTable(bytes.NewReader(b), int64(len(b)))
		for _, host := range []string{"a", "b"} {
			if err == nil {
				_, err = table.Find(host)
			}
		}
		if !errors.Is(err, ErrFormat) {
			t.Errorf("%s: error %v, want ErrFormat", name, err)
		}
	}
}

func FuzzTable(f *testing.F) {
	f.Add(EncodeTable([]Row{{"a", Template{1, 2}}, {"b", Template{3}}}), "a")
	f.Add(EncodeTable(nil), "")
	f.Fuzz(func(t *testing.T, b []byte, host string) {
		table, err := OpenTable(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		got, err := table.Find(host)
		if err == nil && (len(got) > maxTemplate || !slices.IsSorted(got)) {
			t.Errorf("Find gave %d hashes", len(got))
		}
	})
}

func BenchmarkTable_Find(b *testing.B) {
	var rows []Row
	for i := range 10_000 {
		rows = append(rows, Row{Host: fmt.Sprint("example,h", i), Template: Template(full(i, 1))})
	}
	table := open(b, EncodeTable(rows))
	b.SetBytes(MaxBlocks * hashSize)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := table.Find("example,h77"); err != nil {
			b.Fatal(err)
		}
	}
}
