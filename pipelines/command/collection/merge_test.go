package collection

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestMerge_takedowns: after a merge, no file has anything of the pages that the other collection has taken down. The
// index, the table, its snapshots and compacted shards are included. A host that is nowhere removes nothing.
func TestMerge_takedowns(t *testing.T) {
	root := t.TempDir()
	from, base := filepath.Join(root, "from"), filepath.Join(root, "base")
	must(t, "ingest", "--output="+from, "--format=parquet", month(t, root, 1))
	must(t, "ingest", "--output="+base, "--format=parquet,jsonl,wet,content,links", month(t, root, 0))
	for _, task := range []string{"lake", "compact", "lake", "index"} {
		must(t, "collection", task, "--collection="+base)
	}
	for _, tt := range []struct {
		name    string
		what    []string
		texts   []string // that are gone
		expired bool
	}{
		{"a host that is nowhere", []string{"nowhere.example"}, nil, false},
		{"a page", []string{secretURL}, []string{marker}, true},
		{"a host", []string{secretHost}, []string{hostMarker, secretHost}, true},
		{"both", []string{secretURL, secretHost}, []string{marker, hostMarker, secretHost}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, other := t.TempDir(), t.TempDir()
			err := errors.Join(os.CopyFS(dir, os.DirFS(base)), os.CopyFS(other, os.DirFS(from)))
			if err != nil {
				t.Fatal(err)
			}
			must(t, "collection", append([]string{"takedown", "--collection=" + other}, tt.what...)...)
			text := must(t, "collection", "merge", "--collection="+dir, other)
			if strings.Contains(text, "snapshots") != tt.expired {
				t.Errorf("snapshots are removed, want %t:\n%s", tt.expired, text)
			}
			for _, text := range tt.texts {
				if list := found(t, dir, text); len(list) > 0 {
					t.Errorf("%s is in %v", text, list)
				}
			}
			must(t, "collection", "check", "--collection="+dir)
		})
	}
}

// TestMerge_failure: if a folder cannot be taken in, the table follows those before it.
func TestMerge_failure(t *testing.T) {
	root := t.TempDir()
	out, one, two := filepath.Join(root, "out"), filepath.Join(root, "one"), filepath.Join(root, "two")
	for dir, n := range map[string]int{out: 0, one: 1, two: 2} {
		must(t, "ingest", "--output="+dir, "--format=parquet", month(t, root, n))
	}
	must(t, "collection", "takedown", "--collection="+one, secretURL)
	must(t, "collection", "lake", "--collection="+out)
	must(t, "collection", "compact", "--collection="+two)
	if code, text := command(t, "collection", "merge", "--collection="+out, one, two); code != cli.ExitUsage {
		t.Errorf("exit code %d\n%s", code, text)
	}
	// The list notes that the command did not end, although the page is gone.
	if code, text := command(t, "collection", "check", "--collection="+out); code != cli.ExitLosses ||
		!strings.Contains(text, "has not ended") || !strings.Contains(text, "\n1 problem found") {
		t.Errorf("check: exit code %d\n%s", code, text)
	}
	must(t, "collection", "merge", "--collection="+out, one)
	must(t, "collection", "check", "--collection="+out)
}

// TestCheck_unfinishedTakedown: check reports a takedown that was killed after its list was saved, and the same
// command ends it.
func TestCheck_unfinishedTakedown(t *testing.T) {
	root := t.TempDir()
	out := filepath.Join(root, "out")
	at := "--collection=" + out
	must(t, "ingest", "--output="+out, month(t, root, 0))
	e, err := takedown.Parse("nowhere.example")
	if err != nil {
		t.Fatal(err)
	}
	e.Unfinished, e.Reason, e.Time = true, "request 9", "2026-01-02T03:04:05Z"
	list := takedown.List{}
	list.Add([]takedown.Entry{e})
	if err := list.Save(folder.Open(t.Context(), out, nil)); err != nil {
		t.Fatal(err)
	}
	if code, text := command(t, "collection", "check", at); code != cli.ExitLosses ||
		!strings.Contains(text, "takedown of 2026-01-02T03:04:05Z (request 9) has not ended") {
		t.Errorf("exit code %d\n%s", code, text)
	}
	must(t, "collection", "takedown", at, "nowhere.example")
	must(t, "collection", "check", at)
	data, err := os.ReadFile(filepath.Join(out, ".gleaner", "takedowns.json"))
	if err == nil {
		list = takedown.List{}
		err = json.Unmarshal(data, &list)
	}
	if err != nil || list.Unfinished() || list.Entries[0].Reason != "request 9" {
		t.Errorf("%s, %v", data, err)
	}
}

// TestMerge_noCollection: a folder without a collection is a mistake of the command, and missing files are damage.
func TestMerge_noCollection(t *testing.T) {
	root := t.TempDir()
	out := filepath.Join(root, "out")
	must(t, "ingest", "--output="+out, "--format=jsonl", month(t, root, 0))
	gap := filepath.Join(root, "copy-of-manifest.json")
	must(t, "ingest", "--output="+gap, "--format=jsonl", month(t, root, 1))
	shards, err := filepath.Glob(filepath.Join(gap, "documents-*"))
	if err != nil || len(shards) == 0 {
		t.Fatal(shards, err)
	}
	if err := os.Remove(shards[0]); err != nil {
		t.Fatal(err)
	}
	empty, converted := filepath.Join(root, "empty"), filepath.Join(root, "converted")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	must(t, "convert", "--to=warc", "--output="+converted, month(t, root, 2))
	for _, tt := range []struct {
		name, from string
		code       int
	}{
		{"an empty folder", empty, cli.ExitUsage},
		{"no folder", filepath.Join(root, "nowhere"), cli.ExitUsage},
		{"a conversion", converted, cli.ExitUsage},
		{"a file is missing", gap, cli.ExitFailed},
	} {
		if code, text := command(t, "collection", "merge", "--collection="+out, tt.from); code != tt.code {
			t.Errorf("%s: exit code %d, want %d\n%s", tt.name, code, tt.code, text)
		}
	}
}
