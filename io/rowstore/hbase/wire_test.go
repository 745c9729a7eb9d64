package hbase

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// TestCells: cells are read as they were written; a block that is cut or damaged ends with an error, not a panic.
func TestCells(t *testing.T) {
	at := rowstore.At(time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC).UnixMilli())
	want := []rowstore.Cell{
		{Family: "content", Qualifier: "body", Time: at, Value: []byte("text\x00\xff")},
		{Family: "f", Qualifier: "", Time: rowstore.At(0), Value: []byte{}},
		{Family: strings.Repeat("f", maxFamily), Qualifier: "é", Time: rowstore.At(1), Value: make([]byte, 5000)},
	}
	row := strings.Repeat("r", maxRow)
	var block []byte
	for _, c := range want {
		block = appendCell(block, row, typePut, c)
	}
	r := cellReader{block: block}
	got, err := r.row(uint64(len(want)))
	if err != nil || got.Key != row || len(r.block) > 0 {
		t.Fatalf("%d cells, %v, %d bytes left", len(got.Cells), err, len(r.block))
	}
	for i, c := range got.Cells {
		if c.Family != want[i].Family || c.Qualifier != want[i].Qualifier || !c.Time.Equal(want[i].Time) ||
			string(c.Value) != string(want[i].Value) {
			t.Errorf("cell %d is %s:%s of %v, want %s:%s", i, c.Family, c.Qualifier, c.Time, want[i].Family, want[i].Qualifier)
		}
	}
	one := appendCell(nil, "row", typePut, want[0])
	for n := range one {
		if _, _, err := (&cellReader{block: one[:n]}).next(); !errors.Is(err, errWire) {
			t.Errorf("cut at %d of %d: %v", n, len(one), err)
		}
		damaged := slices.Clone(one)
		for _, b := range []byte{0, 0x7f, 0xff} {
			damaged[n] = b
			if _, _, err := (&cellReader{block: damaged}).next(); err != nil && !errors.Is(err, errWire) {
				t.Errorf("byte %d is %d: %v", n, b, err)
			}
		}
	}
	two := append(slices.Clone(one), appendCell(nil, "other", typePut, want[0])...)
	for n, block := range map[uint64][]byte{2: two, 3: two, 1 << 60: one} {
		if _, err := (&cellReader{block: block}).row(n); !errors.Is(err, errWire) {
			t.Errorf("%d cells of one row: %v", n, err)
		}
	}
}

// TestEach: fields are read by number, with a later version's fields among them; a message that is cut is an error.
func TestEach(t *testing.T) {
	m := message(nil).num(1, 1<<40).text(2, "").yes(3).no(4).bytes(5, message(nil).num(1, 7))
	m = protowire.AppendFixed64(protowire.AppendTag(m, 99, protowire.Fixed64Type), 1)
	var got []string
	err := each(m, func(field protowire.Number, v uint64, b []byte) error {
		got = append(got, fmt.Sprint(field, v, b != nil))
		return nil
	})
	want := "1 1099511627776 false,2 0 true,3 1 false,4 0 false,5 0 true,99 0 false"
	if list := strings.Join(got, ","); err != nil || list != want {
		t.Errorf("%s, %v; want %s", list, err, want)
	}
	nothing := func(protowire.Number, uint64, []byte) error { return nil }
	whole := 0
	for n := range m {
		if each(m[:n], nothing) == nil {
			whole++ // between two fields
		}
	}
	if whole != 6 {
		t.Errorf("%d of the cuts leave a whole message, want 6", whole)
	}
	for _, b := range []string{"\xff", "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x00\x01", "\x0b"} {
		if err := each([]byte(b), nothing); !errors.Is(err, errWire) {
			t.Errorf("%q: %v", b, err)
		}
		if _, _, err := cut([]byte(b)[:1]); b[0] == 0xff && !errors.Is(err, errWire) {
			t.Errorf("cut %q: %v", b, err)
		}
	}
	if list, err := numbers(nil, 7, nil); err != nil || !slices.Equal(list, []uint64{7}) {
		t.Errorf("a number: %v, %v", list, err)
	}
	if list, err := numbers(nil, 0, []byte{1, 0x80, 1}); err != nil || !slices.Equal(list, []uint64{1, 128}) {
		t.Errorf("a packed list: %v, %v", list, err)
	}
	if _, err := numbers(nil, 0, []byte{0x80}); !errors.Is(err, errWire) {
		t.Errorf("a packed list that is cut: %v", err)
	}
}

// TestRegions splits, merges and drops regions. The known ones never overlap, and a key is in the region that was
// learnt last for it.
func TestRegions(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var known regions
	last := map[byte]*region{} // by the first letter of keys
	letters := "abcdefghij"
	for range 2000 {
		from, to := rnd.IntN(len(letters)), 1+rnd.IntN(len(letters))
		if from >= to {
			continue
		}
		x := &region{Span: rowstore.Span{From: letters[from : from+1]}}
		if from == 0 {
			x.From = ""
		}
		if to < len(letters) {
			x.To = letters[to : to+1]
		}
		known.add(x)
		for i := range letters {
			if old := last[letters[i]]; old != nil && !slices.Contains(known.list, old) {
				delete(last, letters[i])
			}
			if i >= from && i < to {
				last[letters[i]] = x
			}
		}
		if rnd.IntN(4) == 0 {
			gone := known.list[rnd.IntN(len(known.list))]
			known.drop(gone)
			for k, r := range last {
				if r == gone {
					delete(last, k)
				}
			}
		}
		for i := range letters {
			if got := known.find(letters[i:i+1] + "x"); got != last[letters[i]] {
				t.Fatalf("the key %c is in %+v, want %+v", letters[i], got, last[letters[i]])
			}
		}
	}
}

// TestParseRegion: a row of hbase:meta is a region with its server, unless it was split or has none.
func TestParseRegion(t *testing.T) {
	info := message(nil).num(1, 5).text(3, "b").text(4, "m")
	row := func(info []byte) rowstore.Row {
		return rowstore.Row{Key: "t,b,1.x.", Cells: []rowstore.Cell{
			{Qualifier: "server", Value: []byte("host:16020")},
			{Qualifier: "regioninfo", Value: append([]byte("PBUF"), info...)},
		}}
	}
	r, err := parseRegion(row(info))
	if err != nil || r.From != "b" || r.To != "m" || r.address != "host:16020" || string(r.name) != "t,b,1.x." {
		t.Errorf("%+v, %v", r, err)
	}
	for name, row := range map[string]rowstore.Row{
		"offline": row(info.yes(5)), "split": row(info.yes(6)),
		"no region": {Key: "t", Cells: []rowstore.Cell{{Qualifier: "server"}}},
	} {
		if r, err := parseRegion(row); r != nil || err != nil {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	if _, err := parseRegion(row(info[:len(info)-1])); !errors.Is(err, errWire) {
		t.Errorf("cut: %v", err)
	}
	for want, m := range map[string]message{
		"host:16000": message(nil).text(1, "host").num(2, 16000), "[::1]:1": message(nil).text(1, "::1").num(2, 1), ":0": nil,
	} {
		if got, err := parseServer(m); got != want || err != nil {
			t.Errorf("the server %s, %v; want %s", got, err, want)
		}
	}
}
