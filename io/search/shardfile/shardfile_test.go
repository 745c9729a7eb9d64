package shardfile

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

var (
	kind   = Kind{Magic: "TEST\x01", Suffix: ".test", Key: "model"}
	shardA = schemas.Shard{Name: "documents-a.parquet", SHA256: "aa", Bytes: 1}
	shardB = schemas.Shard{Name: "documents-b.parquet", SHA256: "bb", Bytes: 2}
)

// open opens the files of shards, whose content is a shard's name, and returns the names of those that it had to make.
func open(t *testing.T, dir string, canWrite bool, k Kind, shards ...schemas.Shard) (built []string) {
	t.Helper()
	contents, err := Open(dir, canWrite, k, shards, Codec[string]{
		Build:  func(s schemas.Shard) (string, error) { built = append(built, s.Name); return s.Name, nil },
		Encode: func(p string) []byte { return []byte(p) },
		Decode: func(b []byte) (string, bool) { return string(b), len(b) > 0 },
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range shards {
		if contents[i] != s.Name {
			t.Errorf("content %q, want %q", contents[i], s.Name)
		}
	}
	return built
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestOpen(t *testing.T) {
	changed, other, newer := shardB, kind, kind
	changed.SHA256 = "cc"
	other.Key, newer.Magic = "another", "TEST\x02"
	damage := func(change func([]byte) []byte) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			data, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, change(data), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	flip := func(b []byte) []byte { b[len(b)-1] ^= 1; return b }
	cut := func(b []byte) []byte { return b[:len(b)-1] }
	empty := func([]byte) []byte { return nil }
	onlyA := []schemas.Shard{shardA}
	again := []string{shardA.Name}
	for name, tt := range map[string]struct {
		k      Kind
		shards []schemas.Shard
		damage func(t *testing.T, path string)
		built  []string
	}{
		"as before":          {k: kind, shards: []schemas.Shard{shardA, shardB}},
		"a shard less":       {k: kind, shards: []schemas.Shard{shardA}},
		"a changed shard":    {k: kind, shards: []schemas.Shard{shardA, changed}, built: []string{shardB.Name}},
		"another key":        {k: other, shards: []schemas.Shard{shardA}, built: []string{shardA.Name}},
		"another version":    {k: newer, shards: []schemas.Shard{shardA}, built: []string{shardA.Name}},
		"a byte is changed":  {kind, onlyA, damage(flip), again},
		"the end is missing": {kind, onlyA, damage(cut), again},
		"it is empty":        {kind, onlyA, damage(empty), again},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "new")
			open(t, dir, true, kind, shardA, shardB)
			if tt.damage != nil {
				tt.damage(t, filepath.Join(dir, "documents-a.test"))
			}
			if built := open(t, dir, true, tt.k, tt.shards...); !slices.Equal(built, tt.built) {
				t.Errorf("built %q, want %q", built, tt.built)
			}
			if built := open(t, dir, true, tt.k, tt.shards...); built != nil {
				t.Errorf("built %q again", built)
			}
			if left := names(t, dir); len(left) != len(tt.shards) {
				t.Errorf("files %q", left)
			}
		})
	}
}

// Without the right to write, nothing is written and nothing is removed.
func TestOpen_readOnly(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, true, kind, shardA)
	if built := open(t, dir, false, kind, shardB); len(built) != 1 {
		t.Errorf("built %q", built)
	}
	if left := names(t, dir); !slices.Equal(left, []string{"documents-a.test"}) {
		t.Errorf("files %q", left)
	}
}

// A folder that is a file cannot be written to; the contents are in memory.
func TestOpen_noRoom(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	contents, _ := Open(filepath.Join(file, "in"), true, kind, []schemas.Shard{shardA}, Codec[string]{
		Build:  func(s schemas.Shard) (string, error) { return s.Name, nil },
		Encode: func(p string) []byte { return []byte(p) },
		Decode: func(b []byte) (string, bool) { return string(b), true },
	})
	if !slices.Equal(contents, []string{shardA.Name}) {
		t.Errorf("contents %q", contents)
	}
}

func TestCreate_fails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.test")
	full := errors.New("disk full")
	if err := Create(path, func(*os.File) error { return full }); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
	if left := names(t, dir); left != nil {
		t.Errorf("files %q", left)
	}
}

// Temporary files that were left by a killed process are removed a day later.
func TestSweep_left(t *testing.T) {
	dir := t.TempDir()
	ages := map[string]time.Duration{".new-1": time.Hour, ".new-2": 48 * time.Hour, "a.other": 48 * time.Hour}
	for name, age := range ages {
		path, at := filepath.Join(dir, name), time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(path, nil, 0o644), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if removed, err := Sweep(dir, ".test", nil); removed != 1 || err != nil {
		t.Errorf("Sweep = %d, %v", removed, err)
	}
	if left := names(t, dir); !slices.Equal(left, []string{".new-1", "a.other"}) {
		t.Errorf("files %q", left)
	}
}

// TestOpen_variants: there may be files of several variants. If a shard changes or goes, the files of all of them go.
func TestOpen_variants(t *testing.T) {
	dir := t.TempDir()
	one, other := kind, kind
	one.Key, one.Variant, other.Key, other.Variant = "one", "1f", "other", "2e"
	for _, k := range []Kind{kind, one, other} {
		open(t, dir, true, k, shardA, shardB)
	}
	for _, k := range []Kind{kind, one, other} {
		if built := open(t, dir, true, k, shardA, shardB); built != nil {
			t.Errorf("variant %q built %q again", k.Variant, built)
		}
	}
	if left := names(t, dir); len(left) != 6 {
		t.Errorf("files %q", left)
	}
	changed := shardA
	changed.SHA256 = "cc"
	if built := open(t, dir, true, one, changed); !slices.Equal(built, []string{shardA.Name}) {
		t.Errorf("built %q", built)
	}
	if left := names(t, dir); !slices.Equal(left, []string{"documents-a.1f.test"}) {
		t.Errorf("after a change and a removal, files %q", left)
	}
}
