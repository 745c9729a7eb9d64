package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestSplit_lists: the index alone decides every comparison with a list.
func TestSplit_lists(t *testing.T) {
	for _, field := range []string{"authors", "tags", "entities.text", "entity", "flags"} {
		for _, filter := range []string{"%s = x", "%s != x", "%s:x", `%s = "*x"`, "%s > x", "%s:*", "NOT %s:*"} {
			where, err := query.Parse(fmt.Sprintf(filter, field))
			if err != nil {
				t.Fatal(err)
			}
			if _, rest := Split(where); rest != nil {
				t.Errorf(filter+" is left to the documents", field)
			}
		}
	}
}

// TestFacets_lists: counts of a list are those of query.By, over all captures, some and none, in one volume and in
// several.
func TestFacets_lists(t *testing.T) {
	for _, o := range []Options{{}, {VolumeRows: 20}} {
		s, r := newShelf(t), rand.New(rand.NewPCG(3, 3))
		for i := range 4 {
			s.put(t, i, made(r, 40, fmt.Sprintf("f%d", i)))
		}
		x, _ := s.open(t, o)
		for _, filter := range []string{"", "language = fr", "tags = Ann", "status = 999", "the", "description:budget"} {
			where, err := query.Parse(filter)
			if err != nil {
				t.Fatal(err)
			}
			q := query.Query{Where: where, AllVersions: true}
			for _, l := range lists[:len(lists)-1] {
				for _, top := range []int{0, 1, 3} {
					_, rest := Split(where)
					got, err := x.Facets(t.Context(), q, []string{l.field}, top, s.verify(rest))
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(countedBy(t, s.answer(q), top, l.field), got); diff != "" {
						t.Errorf("%q by %s, the first %d (-want +got):\n%s", filter, l.field, top, diff)
					}
				}
			}
		}
	}
}

// TestFacets_besideLists: combinations of a list and other fields are those of query.By, unless there are too many.
func TestFacets_besideLists(t *testing.T) {
	for _, o := range []Options{{}, {VolumeRows: 20}} {
		s, r := newShelf(t), rand.New(rand.NewPCG(3, 3))
		for i := range 3 {
			s.put(t, i, made(r, 40, fmt.Sprintf("f%d", i)))
		}
		x, _ := s.open(t, o)
		q := query.Query{AllVersions: true}
		for _, by := range [][]string{
			{"filename", "flags"},
			{"flags", "filename"},
			{"tags", "language", "month"},
			{"status", "entities.text", "page_type"},
		} {
			got, err := x.Facets(t.Context(), q, by, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(countedBy(t, s.answer(q), 0, by...), got); diff != "" {
				t.Errorf("by %v (-want +got):\n%s", by, diff)
			}
		}
		docs := made(r, maxBeside+1, "f9")
		for i, d := range docs {
			d.Tags = []string{fmt.Sprint("tag ", i)}
		}
		s.put(t, 9, docs)
		x, _ = s.open(t, o)
		if _, err := x.Facets(t.Context(), q, []string{"tags", "status"}, 0, nil); !errors.Is(err, ErrManyFacets) {
			t.Errorf("many tags beside a status: %v, want ErrManyFacets", err)
		}
	}
}

// countedBy counts documents one by one.
func countedBy(t *testing.T, docs []*schemas.Document, top int, fields ...string) []Facet {
	t.Helper()
	by, err := query.NewBy(fields)
	if err != nil {
		t.Fatal(err)
	}
	counts := tally{}
	for _, d := range docs {
		err := by.Each(d, func(values []string) error { return counts.note(slices.Clone(values), 1) })
		if err != nil {
			t.Fatal(err)
		}
	}
	return counts.top(top)
}

// TestFacets_manyNames: where names are read in one statement, and not one by one, the answer is the same.
func TestFacets_manyNames(t *testing.T) {
	s := newShelf(t)
	var docs []*schemas.Document
	for i := range 3 * singly {
		d := &schemas.Document{URL: fmt.Sprintf("http://a.example/%d", i), SURT: fmt.Sprintf("example,a)/%d", i)}
		d.Filename, d.Offset, d.RecordType = "f", int64(i), "response"
		for j := range i % 4 {
			d.Tags = append(d.Tags, fmt.Sprint("tag ", (i*7+j)%(2*singly)))
		}
		docs = append(docs, d)
	}
	s.put(t, 0, docs)
	x, _ := s.open(t, Options{})
	for _, top := range []int{0, 1, 10, singly, singly + 200, 3 * singly} {
		got, err := x.Facets(t.Context(), query.Query{AllVersions: true}, []string{"tags"}, top, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(countedBy(t, docs, top, "tags"), got); diff != "" {
			t.Fatalf("the first %d (-want +got):\n%s", top, diff)
		}
	}
}

// TestUpdate_lists: values go with their shard, leave no byte, and are checked.
func TestUpdate_lists(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(10, 10))
	s.put(t, 0, made(r, 60, "f0"))
	secret := made(r, 20, "f1")
	for _, d := range secret {
		d.Tags = append(d.Tags, "zqxtag")
		d.Entities = append(d.Entities, schemas.Entity{Type: "person", Text: "zqxname"})
	}
	s.put(t, 1, secret)
	x, _ := s.open(t, Options{})
	s.compare(t, x, "tags = zqxtag")
	delete(s.shards, shardName(1))
	if _, err := x.Update(t.Context(), s.part(t)); err != nil {
		t.Fatal(err)
	}
	if err := x.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, filter := range []string{"tags = zqxtag", "tags = Ann", "entities.text = zqxname"} {
		s.compare(t, x, filter)
	}
	dir, _ := x.Dir()
	if data, err := os.ReadFile(filepath.Join(dir, indexFile)); err != nil || bytes.Contains(data, []byte("zqx")) {
		t.Errorf("a value of a shard that is gone is left, or %v", err)
	}
	if c, err := x.Check(t.Context(), s.part(t)); err != nil || len(c.Problems) > 0 {
		t.Errorf("Check = %+v, %v", c, err)
	}
	for change, want := range map[string]string{
		"update list set data = substr(data, 2)":                    "other values in a list",
		"update list set ids = x'' where kind = 12":                 "other values in a list",
		"delete from list where kind = 12":                          "lists of its values are missing",
		"insert into list values(1, 13, 77, 1, x'0101', x'00')":     "other values in a list",
		"update name set value = value || 'x' where value = 'Ödön'": "lacks the name",
	} {
		if _, err := x.volumes[0].index.db.Exec("pragma query_only(off); " + change + "; pragma query_only(on)"); err != nil {
			t.Fatal(change, err)
		}
		c, err := x.Check(t.Context(), s.part(t))
		if err != nil || !slices.ContainsFunc(c.Problems, func(p string) bool { return strings.Contains(p, want) }) {
			t.Errorf("%s: %+v, %v, want %q", change, c, err, want)
		}
		if _, err := x.Rebuild(t.Context(), s.part(t)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestListRows_blocks: blocks end after maxBlockRows rows or maxBlockPairs values, and hold all values.
func TestListRows_blocks(t *testing.T) {
	for _, tags := range []int{0, 1, 20} {
		r, want, got := listRows{}, map[uint64]bool{}, map[uint64]bool{}
		keep := func(k kind, b block) error {
			if k != kindTag || b.rows > maxBlockRows {
				return fmt.Errorf("a block of kind %d with %d rows", k, b.rows)
			}
			return b.values(func(id int64, rows []byte) error {
				if !b.rowsOf(rows, func(row uint32) { got[uint64(id)<<32|uint64(b.first+row)] = true }) {
					return errBlock
				}
				return nil
			})
		}
		const rows = maxBlockRows + 1000
		for i := range rows {
			d := &schemas.Document{}
			for j := range tags {
				d.Tags = append(d.Tags, fmt.Sprint(1+(i*31+j*j)%5000))
			}
			err := r.add(d, func(_ kind, text string) (id int64, err error) {
				_, err = fmt.Sscan(text, &id)
				want[uint64(id)<<32|uint64(i)] = true
				return id, err
			})
			if err == nil && r.full() {
				err = r.write(keep)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := r.write(keep); err != nil {
			t.Fatal(err)
		}
		if r.first != rows {
			t.Errorf("%d tags: the next block begins at %d, want %d", tags, r.first, rows)
		}
		if !maps.Equal(want, got) { // cmp takes minutes for a million
			t.Errorf("%d tags: blocks hold others", tags)
		}
	}
}

// TestBlock_damage: bytes that no block has are ErrDamaged, or rows of the block, and never more.
func TestBlock_damage(t *testing.T) {
	big := binary.AppendUvarint(nil, 1<<63)
	for name, b := range map[string]block{
		"an unfinished number":     {rows: 9, ids: []byte{0x80}, data: []byte{0}},
		"no size":                  {rows: 9, ids: []byte{1}, data: []byte{0}},
		"no rows":                  {rows: 9, ids: []byte{1, 0}},
		"the number before":        {rows: 9, ids: []byte{1, 1, 0, 1}, data: []byte{0, 0}},
		"a number too large":       {rows: 9, ids: append(big, 1), data: []byte{0}},
		"more bytes than there is": {rows: 9, ids: []byte{1, 3}, data: []byte{0}},
		"bytes of no value":        {rows: 9, ids: []byte{1, 1}, data: []byte{0, 1}},
		"a row beyond the block":   {rows: 9, ids: []byte{1, 2}, data: []byte{8, 1}},
		"a row too large":          {rows: 9, ids: []byte{1, byte(len(big))}, data: big},
		"an unfinished row":        {rows: 9, ids: []byte{1, 1}, data: []byte{0xff}},
	} {
		var wanted, some [maxBlockRows / 64]uint64
		err := b.values(func(_ int64, rows []byte) error {
			_, valid := b.countRows(rows, &wanted, &some)
			if read := b.rowsOf(rows, func(uint32) {}); read != valid {
				t.Errorf("%s: counted %v, read %v", name, valid, read)
			}
			if !b.rowsOf(rows, func(row uint32) {
				if row >= b.rows {
					t.Errorf("%s: row %d", name, row)
				}
			}) {
				return errBlock
			}
			return nil
		})
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, want ErrDamaged", name, err)
		}
	}
}

// TestBlock_countRows: it counts and marks the rows that rowsOf reads.
func TestBlock_countRows(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 300 {
		b, n := block{rows: uint32(1 + r.IntN(maxBlockRows))}, uint64(0)
		var data []byte
		for range r.IntN(40) {
			data = binary.AppendUvarint(data, uint64(r.IntN(1+r.IntN(3000))))
		}
		var wanted, want, some [maxBlockRows / 64]uint64
		for i := range wanted {
			wanted[i] = r.Uint64()
		}
		valid := b.rowsOf(data, func(row uint32) {
			want[row>>6] |= 1 << (row & 63)
			n += wanted[row>>6] >> (row & 63) & 1
		})
		got, ok := b.countRows(data, &wanted, &some)
		if ok != valid || ok && (got != n || some != want) {
			t.Errorf("%v of %d rows: %d, %v, want %d, %v", data, b.rows, got, ok, n, valid)
		}
	}
}
