package query

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// replaced returns a collection in the middle of a takedown and at its end. In the middle, the shards are replaced,
// but not the manifest.
func replaced(t *testing.T, format string) (middle, end string) {
	t.Helper()
	var docs []*schemas.Document
	for i := range 40 {
		host := []string{"gone.example", "stays.example"}[i%2]
		docs = append(docs, &schemas.Document{
			URL: fmt.Sprintf("http://%s/%d", host, i), SURT: fmt.Sprintf("%s)/%d", host, i), Host: host,
			Text: strings.Repeat("words of a page ", i), Filename: "a.warc", Offset: int64(i), RecordType: schemas.TypeResponse,
		})
	}
	end = shelve(t, docs, format)
	middle = t.TempDir()
	if err := os.CopyFS(middle, os.DirFS(end)); err != nil {
		t.Fatal(err)
	}
	c, err := collection.Open(folder.Open(t.Context(), end, nil), collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	gone, err := takedown.Parse("gone.example")
	if err == nil {
		_, err = care.TakeDown(t.Context(), c, []takedown.Entry{gone}, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	shards, err := filepath.Glob(filepath.Join(end, "*-*"))
	if err != nil || len(shards) == 0 {
		t.Fatal(shards, err)
	}
	for _, name := range append(shards, filepath.Join(end, ".gleaner", "takedowns.json")) {
		copyFile(t, name, filepath.Join(middle, strings.TrimPrefix(name, end)))
	}
	return middle, end
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to+".new", data, 0o644)
	}
	if err == nil {
		err = os.Rename(to+".new", to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestAsk_whileShardsAreReplaced: a query during a takedown returns the results of after it.
func TestAsk_whileShardsAreReplaced(t *testing.T) {
	for _, args := range [][]string{
		{"--format=jsonl"},
		{"--format=jsonl", "--no_index"},
		{"--format=count", "--where=words"},
		{"--by=host", "--no_index"},
		{"--sql=select count(*), max(length(text)) from documents"},
		{"--format=csv", "--output=answer.csv"},
		{"--format=jsonl", "--runner=direct"},
		{"--format=jsonl", "--all_versions", "--runner=direct", "--where=words"},
	} {
		format := []string{"parquet", "jsonl"}[len(args)%2]
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			middle, end := replaced(t, format)
			args = append([]string{"--collection=" + middle}, args...)
			for i, a := range args {
				if name, is := strings.CutPrefix(a, "--output="); is {
					args[i] = "--output=" + filepath.Join(t.TempDir(), name)
				}
			}
			var later sync.WaitGroup
			defer later.Wait()
			later.Go(func() {
				time.Sleep(2 * time.Second)
				copyFile(t, filepath.Join(end, "manifest.json"), filepath.Join(middle, "manifest.json"))
			})
			code, got, errs := command(t, args...)
			if code != cli.ExitDone {
				t.Fatalf("exit code %d\n%s", code, errs)
			}
			args[0] = "--collection=" + end
			if _, want, _ := command(t, args...); got != want {
				t.Errorf("answer:\n%.300s\nwant:\n%.300s", got, want)
			}
		})
	}
}

// TestAsk_shardsReplacedForGood: a change that does not end is an error, and gives no partial result.
func TestAsk_shardsReplacedForGood(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits as long as a question does")
	}
	t.Parallel()
	middle, _ := replaced(t, "parquet")
	code, got, errs := command(t, "--collection="+middle, "--no_index", "--format=jsonl")
	if code != cli.ExitFailed || got != "" || !strings.Contains(errs, "a shard was changed since it was written") {
		t.Errorf("exit code %d\n%.300s\n%s", code, got, errs)
	}
}
