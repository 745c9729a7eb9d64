package collection

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// unitsOf makes a plan of one unit a file.
func unitsOf(files ...string) ([]schemas.Unit, []string) {
	var units []schemas.Unit
	var keys []string
	for i, f := range files {
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{{File: f, Start: 10, End: 20}}}
		units = append(units, u)
		keys = append(keys, ledger.Key(u, "options", "versions"))
	}
	return units, keys
}

// Shard is the name of a shard of the unit of a file, in such a plan.
func shardName(file, kind, ext string) string {
	_, keys := unitsOf(file)
	return holdings.FileType{Kind: kind, Ext: ext}.Name(ledger.UnitOfKey(keys[0])).String()
}

func open(t *testing.T, dir string, o OpenOptions) *Collection {
	t.Helper()
	c, err := Open(local(dir), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shut(t, c) })
	return c
}

func shut(t *testing.T, c *Collection) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

var both = shard.Options{Formats: []string{holdings.FormatJSONL, holdings.FormatParquet}}

// fill writes what the unit's file would give: one document, one reject, one line of the index.
func fill(t testing.TB, w *shard.Writer, u schemas.Unit) {
	t.Helper()
	name := u.Inputs[0].File
	url := "http://" + name + "/"
	err := errors.Join(
		w.Document(&schemas.Document{
			URL: url, SURT: name + ")/", Filename: name, RecordType: schemas.TypeResponse,
			Text: strings.Repeat(name, 50),
		}),
		w.Reject(schemas.Reject{File: name, Stage: "read", Kind: schemas.KindGarbage}),
		w.CDX(cdx.Line{SURT: name + ")/", URL: url, Filename: name}),
	)
	if err != nil {
		t.Fatal(err)
	}
	w.SetInput(0, "sha256:"+name, 0)
}

var oneOfEach = schemas.Counts{
	Records: 2, Captures: 1, Documents: 1, Rejects: 1,
	ByType: map[string]int64{"response": 1},
}

func do(t testing.TB, dir string, u schemas.Unit, key string, o shard.Options) schemas.UnitResult {
	t.Helper()
	r, err := doIn(t, local(dir), u, key, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func doIn(t testing.TB, f folder.Folder, u schemas.Unit, key string, o shard.Options) (schemas.UnitResult, error) {
	t.Helper()
	w, err := shard.NewWriter(f, u, key, o)
	if err != nil {
		return schemas.UnitResult{}, err
	}
	defer w.Abort()
	fill(t, w, u)
	return w.Commit(oneOfEach, ledger.Note{Stamps: map[string]string{"size": "10"}})
}

// run does everything that is to be done in dir for these files, and says which of them it did.
func run(t *testing.T, dir string, files ...string) (m schemas.Manifest, did []string) {
	t.Helper()
	m, did, err := runIn(t, local(dir), both, files...)
	if err != nil {
		t.Fatal(err)
	}
	return m, did
}

func runIn(t *testing.T, f folder.Folder, o shard.Options, files ...string) (m schemas.Manifest, did []string,
	err error,
) {
	t.Helper()
	c, err := Open(f, OpenOptions{})
	if err != nil {
		return m, nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	units, keys := unitsOf(files...)
	todo, done, err := c.Resume(units, keys, nil)
	if err != nil {
		return m, nil, err
	}
	for _, u := range todo {
		did = append(did, u.Inputs[0].File)
		r, err := doIn(t, f, u, keys[u.ID], o)
		if err != nil {
			return m, did, err
		}
		done = append(done, r)
	}
	m, err = c.Finish(done, runOf(len(units)))
	return m, did, err
}

// runOf is what run tells Finish.
func runOf(units int) Run {
	return Run{
		Units: units, Options: map[string]any{"b": 1, "a": "<&>"}, Versions: map[string]string{"langid": "1"},
		Index: true,
	}
}

// hiddenFiles lists the hidden folder, apart from marker, lock and generation.
func hiddenFiles(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, holdings.HiddenDir))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if !slices.Contains([]string{holdings.MarkerFile, "lock"}, e.Name()) && !strings.HasPrefix(e.Name(), "generation-") {
			names = append(names, e.Name())
		}
	}
	return names
}

// cleanRuns are what clean returned, by files: a run takes a while where the disk is slow to sync.
var cleanRuns = map[string]map[string]string{}

// clean returns what one clean run over these files writes.
func clean(t *testing.T, files ...string) map[string]string {
	t.Helper()
	key := strings.Join(files, " ")
	if cleanRuns[key] == nil {
		dir := t.TempDir()
		run(t, dir, files...)
		cleanRuns[key] = shelftest.Contents(t, dir)
	}
	return cleanRuns[key]
}

// same fails unless dir is as after one clean run over files, inside and out.
func same(t *testing.T, dir string, files ...string) {
	t.Helper()
	want := clean(t, files...)
	if got := shelftest.Contents(t, dir); !maps.Equal(got, want) {
		t.Errorf("files = %q, want %q (or their bytes differ)", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	_, keys := unitsOf(files...)
	var rows []string
	for _, k := range keys {
		rows = append(rows, ledger.RowFile(k))
	}
	slices.Sort(rows)
	if got := hiddenFiles(t, dir); !slices.Equal(got, rows) {
		t.Errorf("hidden files = %q, want the rows %q", got, rows)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestRun_layout(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "out")
	m, _ := run(t, dir, "a", "b")
	want := []string{holdings.ManifestFile, ledger.IndexFile}
	for _, file := range []string{"a", "b"} {
		want = append(want, shardName(file, holdings.KindCaptures, holdings.ExtCDXJ),
			shardName(file, holdings.KindDocuments, ".jsonl.zst"),
			shardName(file, holdings.KindDocuments, holdings.ExtParquet), shardName(file, holdings.KindRejects, ".jsonl.zst"))
	}
	slices.Sort(want)
	files := shelftest.Contents(t, dir)
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, want) {
		t.Errorf("files = %q, want %q", got, want)
	}
	for _, u := range m.Units {
		for _, s := range u.Shards {
			sum := sha256.Sum256([]byte(files[s.Name]))
			if int64(len(files[s.Name])) != s.Bytes || hex.EncodeToString(sum[:]) != s.SHA256 {
				t.Errorf("shard %v is not what is on the disk", s)
			}
		}
	}
	if m.Totals.Documents != 2 || m.Totals.ByType["response"] != 2 || m.Units[1].Inputs[0].Fingerprint != "sha256:b" {
		t.Errorf("manifest = %+v, want the sums and the fingerprints", m)
	}
	read, err := holdings.ReadManifest(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.Units, read.Units); diff != "" {
		t.Errorf("the manifest's units, returned and read (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(files[holdings.ManifestFile], "{\n  \"schema_version\": \"1\",\n  \"options\": {\n    \"a\": "+
		"\"<&>\",\n    \"b\": 1\n  },") {
		t.Errorf("manifest begins %.120q", files[holdings.ManifestFile])
	}
}

func TestFinish_rangesMustMeet(t *testing.T) {
	tests := []struct {
		name    string
		arrived int64 // by the first range, which ends at 100
		start   int64 // of the second range
		want    error
	}{
		{"they meet", 100, 100, nil},
		{"a gap", 100, 120, ledger.ErrRanges},
		{"an overlap", 130, 100, ledger.ErrRanges},
		{"nobody said", 0, 100, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			c := open(t, dir, OpenOptions{})
			defer shut(t, c)
			var done []schemas.UnitResult
			for i, in := range []schemas.Range{
				{File: "a", End: 100, Next: tt.arrived},
				{File: "a", Start: tt.start, End: 200, Next: 200},
			} {
				w, err := shard.NewWriter(local(dir), schemas.Unit{ID: i, Inputs: []schemas.Range{in}},
					strings.Repeat(fmt.Sprint(i), 64),
					shard.Options{})
				if err != nil {
					t.Fatal(err)
				}
				w.SetInput(0, "", in.Next)
				r, err := w.Commit(schemas.Counts{}, ledger.Note{})
				if err != nil {
					t.Fatal(err)
				}
				done = append(done, r)
			}
			_, err := c.Finish([]schemas.UnitResult{done[1], done[0]}, runOf(2))
			if !errors.Is(err, tt.want) {
				t.Errorf("Finish: %v, want %v", err, tt.want)
			}
			if _, err := holdings.ReadManifest(local(dir)); (err == nil) != (tt.want == nil) {
				t.Errorf("manifest: %v", err)
			}
		})
	}
}

// local is the folder at a path.
func local(dir string) folder.Folder { return folder.Open(context.Background(), dir, nil) }
