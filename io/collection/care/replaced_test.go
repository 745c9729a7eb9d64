package care_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
)

// TestExpire_sameShardAgain: shared shards are named by their bytes. A shard that an earlier compaction replaced may
// come back, and then it stays.
func TestExpire_sameShardAgain(t *testing.T) {
	const gone = "gone.example"
	for _, tt := range []struct {
		name   string
		steps  [][]string // files that each run adds; a compaction follows
		table  bool
		remove func(t *testing.T, c *collection.Collection)
	}{
		{"taken down", [][]string{{"a.example"}, {gone}}, false, nil},
		{"of two steps", [][]string{{"a.example"}, {"b.example"}, {gone}}, false, nil},
		{"with a table", [][]string{{"a.example"}, {gone}}, true, nil},
		{"the first step", [][]string{{gone}, {"a.example", "b.example"}}, false, nil},
		{"merged takedown", [][]string{{"a.example"}, {gone}}, false, func(t *testing.T, c *collection.Collection) {
			from := built(t, []source{{"z", "", []string{"z.example", gone}}}, gone)
			if _, err := care.Merge(t.Context(), c, local(from), nil); err != nil {
				t.Fatal(err)
			}
			// The merged unit is not of the files that check knows.
			takeDown(t, c, "z.example")
		}},
		{
			"noted by an earlier version",
			[][]string{{"a.example"}, {gone}},
			false,
			func(t *testing.T, c *collection.Collection) {
				takeDown(t, c, gone)
				k, err := c.Compaction()
				if err != nil {
					t.Fatal(err)
				}
				k.Replaced = append(k.Replaced, k.Shards[0].Shard, k.Shards[2].Shard)
				if err := c.SaveCompaction(k); err != nil {
					t.Fatal(err)
				}
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := &monthly{t: t, dir: t.TempDir(), text: map[string]string{}}
			var stay []string
			for _, files := range tt.steps {
				g.files = append(g.files, files...)
				g.run()
				g.compact(care.CompactOptions{})
			}
			for _, f := range g.files {
				if f != gone {
					stay = append(stay, f)
				}
			}
			if tt.table {
				name := filepath.Join(g.dir, "metadata", "v1.metadata.json")
				if err := os.Mkdir(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte("{}"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			c := open(t, g.dir, collection.OpenOptions{})
			if tt.remove == nil {
				takeDown(t, c, gone)
			} else {
				tt.remove(t, c)
			}
			shut(t, c)
			g.files = stay
			for _, when := range []string{"removed", "expired", "expired again"} {
				g.check(when)
				g.expire()
			}
			k, err := ledger.ReadCompaction(local(g.dir))
			if err != nil || len(k.Replaced) > 0 {
				t.Errorf("replaced shards: %v, %v, want none", k.Replaced, err)
			}
			if problems, err := care.Verify(t.Context(), local(g.dir)); err != nil || len(problems) > 0 {
				t.Errorf("Verify = %v, %v", problems, err)
			}
			if _, err := holdings.ReadManifest(local(g.dir)); err != nil {
				t.Error(err)
			}
		})
	}
}
