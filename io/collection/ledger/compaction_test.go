package ledger

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// shardOf is a shard of the unit whose name has this digit.
func shardOf(kind, digit, ext, sum string) schemas.Shard {
	return schemas.Shard{Name: kind + "-" + strings.Repeat(digit, 20) + ext, SHA256: sum}
}

func TestCompaction_apply(t *testing.T) {
	a, b := shardOf("documents", "a", ".parquet", "1"), shardOf("documents", "b", ".parquet", "2")
	index, shared := shardOf("captures", "a", ".cdxj.gz", "3"), shardOf("documents", "c", ".parquet", "4")
	again := shardOf("documents", "b", ".parquet", "5") // the unit was done again
	k := Compaction{
		Shards:  []CompactShard{{Shard: shared, Sources: []int{0}}},
		Sources: []Source{{Unit: UnitOfName(a.Name), Shards: []schemas.Shard{a}}, {Shards: []schemas.Shard{b}}},
	}
	units := []schemas.UnitResult{{Shards: []schemas.Shard{a, index}}, {Shards: []schemas.Shard{again}}}
	var got [][]schemas.Shard
	for _, u := range k.Apply(units) {
		got = append(got, u.Shards)
	}
	if diff := cmp.Diff([][]schemas.Shard{{index}, {again}, {shared}}, got); diff != "" {
		t.Errorf("units, -want +got:\n%s", diff)
	}
	if !slices.Equal(units[0].Shards, []schemas.Shard{a, index}) {
		t.Errorf("the caller's units have changed: %v", units[0].Shards)
	}
}

func TestSource_current(t *testing.T) {
	columns, lines := shardOf("documents", "a", ".parquet", "1"), shardOf("documents", "a", ".jsonl", "2")
	retired := shardOf("documents", "b", ".parquet", "1")
	for _, tt := range []struct {
		name string
		s    Source
		now  []schemas.Shard
		want bool
	}{
		{"the same", Source{Shards: []schemas.Shard{columns, lines}}, []schemas.Shard{lines, columns}, true},
		{"one format is gone", Source{Shards: []schemas.Shard{columns, lines}}, []schemas.Shard{lines}, false},
		{
			"done again",
			Source{Shards: []schemas.Shard{lines}},
			[]schemas.Shard{shardOf("documents", "a", ".jsonl", "3")},
			false,
		},
		{
			"retired",
			Source{Shards: []schemas.Shard{columns}, Retired: []schemas.Shard{retired}},
			[]schemas.Shard{retired},
			true,
		},
		{"another is retired", Source{Shards: []schemas.Shard{columns}}, []schemas.Shard{retired}, false},
	} {
		now := map[string]string{}
		for _, s := range tt.now {
			now[s.Name] = s.SHA256
		}
		if got := tt.s.Current(now); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestReadCompaction_refuses: the files that a note names are removed, so it must name shards only.
func TestReadCompaction_refuses(t *testing.T) {
	f := folder.Open(t.Context(), t.TempDir(), nil)
	if err := f.Make(".gleaner"); err != nil {
		t.Fatal(err)
	}
	unit := strings.Repeat("a", 20)
	for _, note := range []string{
		`{"shards":[{"name":"../x"}]}`,
		`{"shards":[{"name":"captures-` + unit + `.cdxj.gz"}]}`,
		`{"shards":[{"name":"documents-` + unit + `.parquet","sources":[0]}]}`,
		`{"sources":[{"unit":"x","shards":[]}]}`,
		`{"sources":[{"shards":[{"name":"documents-` + unit + `.parquet"}],"retired":[{"name":"/etc/passwd"}]}]}`,
		`{`,
	} {
		if err := f.Write(".gleaner/compacted.json", []byte(note)); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadCompaction(f); !errors.Is(err, ErrContent) {
			t.Errorf("%s: %v, want %v", note, err, ErrContent)
		}
	}
}
