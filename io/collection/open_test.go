package collection

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

func TestOpen_foreign(t *testing.T) {
	for _, tt := range []struct{ name, file string }{
		{"somebody's file", "notes.txt"},
		{"a file like ours", "documents-00000-of-00001.jsonl.zst"},
		{"a hidden folder of somebody else", ".gleaner/notes.txt"},
		{"the hidden name and more", ".gleanerx"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, tt.file), "precious")
			for _, fresh := range []bool{false, true} {
				_, err := Open(local(dir), OpenOptions{Fresh: fresh})
				if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), dir) {
					t.Errorf("Open = %v, want %v with the folder", err, ErrForeign)
				}
			}
			var names []string
			err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
				if !d.IsDir() {
					names = append(names, path)
				}
				return err
			})
			if err != nil || len(names) != 1 {
				t.Errorf("the folder was touched: %q", names)
			}
		})
	}
}

func TestOpen_aFileIsNoFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	write(t, path, "precious")
	if _, err := Open(local(path), OpenOptions{Fresh: true}); err == nil {
		t.Error("Open took a file")
	}
}

func TestOpen_anotherLayout(t *testing.T) {
	dir := t.TempDir()
	shut(t, open(t, dir, OpenOptions{}))
	write(t, filepath.Join(dir, holdings.HiddenDir, holdings.MarkerFile),
		"This folder is written by Gleaner, layout 99.\n")
	if _, err := Open(local(dir), OpenOptions{}); err == nil || !strings.Contains(err.Error(), "another version") {
		t.Errorf("Open = %v, want an error about the version", err)
	}
}

func TestOpen_killedWhileClaiming(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, holdings.HiddenDir, "lock"), "")
	write(t, filepath.Join(dir, holdings.HiddenDir, "."+holdings.MarkerFile+".tmp-"+folder.Unique()), "This")
	run(t, dir, "a")
	same(t, dir, "a")
}

func TestOpen_busy(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir, OpenOptions{})
	if _, err := Open(local(dir), OpenOptions{}); !errors.Is(err, claim.ErrBusy) || !strings.Contains(err.Error(), dir) {
		t.Errorf("second Open = %v, want %v with the folder", err, claim.ErrBusy)
	}
	if err := errors.Join(c.Close(), c.Close()); err != nil {
		t.Fatal(err)
	}
	open(t, dir, OpenOptions{})
}

func TestOpen_fresh(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, "a", "b")
	if err := Attach(local(dir)).SaveReport(map[string]string{"a": "<&>"}); err != nil {
		t.Fatal(err)
	}
	report, err := os.ReadFile(filepath.Join(dir, holdings.ReportFile))
	if want := "{\n  \"a\": \"<&>\"\n}\n"; string(report) != want || err != nil {
		t.Errorf("report = %q, %v, want %q", report, err, want)
	}
	write(t, filepath.Join(dir, ledger.TempName(holdings.ReportFile, folder.Unique())), "half")
	write(t, filepath.Join(dir, "notes.txt"), "precious")
	write(t, filepath.Join(dir, "documents-00007-of-00009.jsonl.zst"), "precious, and not listed")
	shut(t, open(t, dir, OpenOptions{Fresh: true}))
	got := slices.Sorted(maps.Keys(shelftest.Contents(t, dir)))
	want := []string{"documents-00007-of-00009.jsonl.zst", "notes.txt"}
	if !slices.Equal(got, want) || len(hiddenFiles(t, dir)) != 0 {
		t.Errorf("left are %q and %q, want %q", got, hiddenFiles(t, dir), want)
	}
}

func TestOpen_freshNeverFollowsOddNames(t *testing.T) {
	for _, name := range []string{
		"../x", "/etc/x", "notes.txt", "", ".", "..", "a/../x", ".gleaner/lock", "manifest.json",
		"documents-aaaaaaaaaaaaaaaaaaaa.jsonl.zst/../../x", "documents-aaaaaaaaaaaaaaaaaaaa.jsonl.zst\x00",
		"documents-a.jsonl",
		"documents-000000-of-000001.jsonl", "documents-00001-of-00001.jsonl", "documents-99999999999-of-999999999999.jsonl",
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			dir := filepath.Join(parent, "out")
			run(t, dir, "a")
			_, keys := unitsOf("a")
			write(t, filepath.Join(parent, "x"), "precious")
			write(t, filepath.Join(dir, "notes.txt"), "precious")
			for _, path := range []string{
				filepath.Join(dir, holdings.HiddenDir, ledger.RowFile(keys[0])),
				filepath.Join(dir, holdings.ManifestFile),
			} {
				tamper(t, path, shardName("a", holdings.KindDocuments, holdings.ExtParquet), name)
			}
			open(t, dir, OpenOptions{Fresh: true})
			for _, path := range []string{filepath.Join(parent, "x"), filepath.Join(dir, "notes.txt")} {
				if _, err := os.Stat(path); err != nil {
					t.Errorf("%s was removed", path)
				}
			}
			if _, err := os.Stat(filepath.Join(dir, shardName("a", holdings.KindDocuments, ".jsonl.zst"))); err == nil {
				t.Error("the shard with an honest name is still there: the manifest lists it")
			}
		})
	}
}

// tamper replaces one text in a JSON file by another.
func tamper(t *testing.T, path, old, text string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.ReplaceAll(data, []byte(`"`+old+`"`), quoted)
	if bytes.Equal(changed, data) {
		t.Fatalf("%s has no %q", path, old)
	}
	write(t, path, string(changed))
}
