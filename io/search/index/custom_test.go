package index

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// shop are documents with values of custom columns, typed and as texts.
func shop(t *testing.T, r *rand.Rand, n int, file string) []*schemas.Document {
	t.Helper()
	docs := made(r, n, file)
	for _, d := range docs {
		for range r.IntN(3) {
			if of := schemas.ValueTypes()[r.IntN(5)]; r.IntN(4) > 0 {
				values := map[schemas.ValueType][]string{
					schemas.TypeText: {"9", "0.5", "true", "2026-03-04", "zqx"}, schemas.TypeInteger: {"9", "-9", "0"},
					schemas.TypeFloat: {"9", "-0.5", "0"}, schemas.TypeBoolean: {"true", "false"},
					schemas.TypeTime: {"2026-03-04", "2026-03-04T10:30:00.5Z", "1969-12-31T23:59:59Z"},
				}[of]
				r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
				if err := d.SetCustom([]string{"k", "j"}[r.IntN(2)], of, values[:1+r.IntN(len(values))]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return docs
}

// TestFind_custom: filters of values with types are decided by the index alone, whether an extractor wrote them with
// their type or as texts.
func TestFind_custom(t *testing.T) {
	for _, o := range []Options{{}, {VolumeRows: 20}} {
		s, r := newShelf(t), rand.New(rand.NewPCG(9, 9))
		for i := range 3 {
			docs := shop(t, r, 16, fmt.Sprintf("f%d", i))
			docs[0].Timestamp = fmt.Sprintf("2025-0%d-01T00:00:00Z", 1+i%3) // the volume's
			s.put(t, i, docs)
		}
		x, _ := s.open(t, o)
		for _, filter := range []string{
			"custom_integers.k > 0", "custom_integers.k = 9", "custom_integers.k != 9", "custom_integers.k <= -9",
			"custom_integers.k:*",
			"custom_floats.k >= .5", "custom_floats.j < 0", "custom_floats.k != *", "custom_booleans.k = false",
			"custom_times.k = 2026-03", "custom_times.k > 2026-03-04T10:30:00Z", "custom_times.j < 1970",
			"custom.k:*", "custom:j",
			"custom.none:*", "NOT (custom_integers.k > 0 OR custom_floats.j:*)", "custom_integers.k > 0 language = fr",
			"custom_times.k:* OR language = fr", "custom_integers.none != 1",
		} {
			where, err := query.Parse(filter)
			if err != nil {
				t.Fatal(err)
			}
			if _, rest := Split(where); rest != nil {
				t.Errorf("%s leaves %s to the documents", filter, rest)
			}
			s.compare(t, x, filter)
		}
		s.compare(t, x, "custom.k = 9 OR custom_integers.k = 9") // without types, by the documents
	}
}

// TestUpdate_custom: values go with their shard, leave no byte, and are checked.
func TestUpdate_custom(t *testing.T) {
	s, r := newShelf(t), rand.New(rand.NewPCG(10, 10))
	s.put(t, 0, shop(t, r, 60, "f0"))
	secret := shop(t, r, 20, "f1")
	for _, d := range secret {
		d.CustomIntegers = map[string][]int64{"zqxkey": {1}}
	}
	s.put(t, 1, secret)
	x, _ := s.open(t, Options{})
	s.compare(t, x, "custom_integers.zqxkey = 1")
	delete(s.shards, shardName(1))
	if _, err := x.Update(t.Context(), s.part(t)); err != nil {
		t.Fatal(err)
	}
	if err := x.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.compare(t, x, "custom_integers.zqxkey = 1")
	dir, _ := x.Dir()
	if data, err := os.ReadFile(filepath.Join(dir, "index.db")); err != nil || bytes.Contains(data, []byte("zqx")) {
		t.Errorf("a key of a shard that is gone is left, or %v", err)
	}
	if c, err := x.Check(t.Context(), s.part(t)); err != nil || len(c.Problems) > 0 {
		t.Errorf("Check = %+v, %v", c, err)
	}
	for change, want := range map[string]string{
		"update custom set data = substr(data, 13)": "the values of the custom column",
		"update custom set name = name || 'x'":      "that no capture has",
		"delete from custom where type = 1":         "the values of the custom column",
		"insert into custom values(1, 9, 'x', x'')": "that no capture has",
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
	// A row that is another shard's is damage, and no answer.
	const short = "pragma query_only(off); update shard set rows = 1; pragma query_only(on)"
	if _, err := x.volumes[0].index.db.Exec(short); err != nil {
		t.Fatal(err)
	}
	where, _ := query.Parse("custom_integers.k:*")
	if n, err := x.Count(t.Context(), query.Query{Where: where, AllVersions: true}, nil); err == nil {
		t.Errorf("Count = %d of a damaged index", n)
	}
}

// TestCustomRows_bounded: a shard with too many values is an error, and not all of memory.
func TestCustomRows_bounded(t *testing.T) {
	c := customRows{limit: 1}
	if err := c.add(&schemas.Document{CustomIntegers: map[string][]int64{"k": {1, 2, 3}}}, 0); err == nil {
		t.Error("more than the limit were taken")
	}
}
