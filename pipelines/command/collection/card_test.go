package collection

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestCardFiles: one format has to have the documents of all units.
func TestCardFiles(t *testing.T) {
	const a, b, c = "00000000000000000001", "00000000000000000002", "00000000000000000003"
	for _, tt := range []struct {
		name  string
		units [][]string // shards of each unit
		ext   string
		want  []string
		err   string
	}{
		{"nothing", nil, "", nil, "no documents"},
		{"content", [][]string{{"captures-" + a + ".cdxj.gz"}}, "", nil, "no documents"},
		{
			"both formats",
			[][]string{{"documents-" + a + ".jsonl.zst", "documents-" + a + ".parquet"}},
			".parquet",
			[]string{"documents-" + a + ".parquet"},
			"",
		},
		{
			"some without documents",
			[][]string{{"documents-" + a + ".jsonl"}, {"captures-" + b + ".cdxj.gz"}},
			".jsonl",
			[]string{"documents-" + a + ".jsonl"},
			"",
		},
		{
			"lines of all",
			[][]string{
				{"documents-" + a + ".jsonl.gz", "documents-" + a + ".parquet"}, {"documents-" + b + ".jsonl.gz"},
			},
			".jsonl.gz",
			[]string{"documents-" + a + ".jsonl.gz", "documents-" + b + ".jsonl.gz"},
			"",
		},
		{
			"merged", [][]string{{"documents-" + a + ".parquet"}, {"documents-" + b + ".jsonl.zst"}}, "", nil, "no format",
		},
		{
			"compressed otherwise",
			[][]string{{"documents-" + a + ".jsonl"}, {"documents-" + c + ".jsonl.zst"}},
			"", nil,
			"no format",
		},
	} {
		var m schemas.Manifest
		for _, shards := range tt.units {
			var u schemas.UnitResult
			for _, name := range shards {
				u.Shards = append(u.Shards, schemas.Shard{Name: name})
			}
			m.Units = append(m.Units, u)
		}
		ext, files, err := cardFiles(m)
		if tt.err == "" && (err != nil || ext != tt.ext || !slices.Equal(files, tt.want)) ||
			tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%s: %s, %q, %v, want %s, %q, %q", tt.name, ext, files, err, tt.ext, tt.want, tt.err)
		}
	}
}

// TestCard_compacted: the card names the files of the manifest. Until they expire, the folder also has the shards of
// the documents that were moved.
func TestCard_compacted(t *testing.T) {
	root := t.TempDir()
	out, other := filepath.Join(root, "out"), filepath.Join(root, "other")
	at := "--collection=" + out
	must(t, "ingest", "--output="+out, "--format=parquet", month(t, root, 0))
	must(t, "collection", "compact", at)
	card := func() (names []string) {
		must(t, "collection", "card", at)
		data, err := os.ReadFile(filepath.Join(out, cardFile))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if name, is := strings.CutPrefix(strings.TrimSpace(line), "- \"documents-"); is {
				names = append(names, "documents-"+strings.Trim(name, `"`))
			}
		}
		return names
	}
	named := func() (names []string) {
		all, _, err := holdings.Whole(folder.Open(t.Context(), out, nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all.DocumentShards() {
			names = append(names, s.Name)
		}
		return names
	}
	if got, want := card(), named(); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("the card names %q, want %q", got, want)
	}
	must(t, "ingest", "--output="+other, "--format=jsonl", month(t, root, 1))
	must(t, "collection", "merge", at, other)
	if code, text := command(t, "collection", "card", at); code != cli.ExitFailed || !strings.Contains(text, "compact") {
		t.Errorf("with units in JSON lines: exit code %d, %s", code, text)
	}
	must(t, "collection", "compact", at)
	if got, want := card(), named(); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("compacted, the card names %q, want %q", got, want)
	}
}
