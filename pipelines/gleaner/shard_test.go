package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/shelftest"
)

// TestShards: seven commands do the parts of a shelf, two of them are killed and run again, and their folders are
// joined. The result has the files of one command for all, also where a record is in archives of two parts.
func TestShards(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := func(name string) string { return filepath.Join(dir, name) }
	args := func(folder string, more ...string) []string {
		return append(append([]string{"ingest", "--output=" + out(folder)}, more...), "--extract=mime,language",
			"--unit_size=64KiB", "testdata/archives", "testdata/segmented")
	}
	ingest := func(folder string, more ...string) {
		t.Helper()
		if code, _, errs := gleaner(t, args(folder, more...)...); code != 0 && code != 3 { // an archive is damaged
			t.Fatalf("exit code %d: %s", code, errs)
		}
	}
	ingest("one")
	merge := []string{"collection", "merge", "--collection=" + out("all")}
	for i := 1; i <= 7; i++ {
		part, shard := fmt.Sprint("part-", i), fmt.Sprintf("--shard=%d/7", i)
		if i%3 == 0 {
			killed(t, time.Duration(100*i)*time.Millisecond, args(part, shard))
		}
		ingest(part, shard)
		merge = append(merge, out(part))
	}
	if code, _, errs := gleaner(t, merge...); code != 0 {
		t.Fatalf("merge: exit code %d: %s", code, errs)
	}
	ingest("all")
	shelftest.SameFiles(t, shelftest.Contents(t, out("one")), shelftest.Contents(t, out("all")))
}

func TestShards_refused(t *testing.T) {
	for _, s := range []string{"0/7", "8/7", "1", "1/", "1/7x", "-1/7", "01/7"} {
		code, _, errs := gleaner(t, "ingest", "--shard="+s, "--output="+filepath.Join(t.TempDir(), "out"),
			"testdata/archives")
		if code != 2 || errs == "" {
			t.Errorf("%s: exit code %d, %s", s, code, errs)
		}
	}
}

// TestShards_corpus: seven commands filter the documents of a collection, two of them are killed and run again, and
// their folders are joined. The corpus has the files of one command for all.
func TestShards_corpus(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := func(name string) string { return filepath.Join(dir, name) }
	code, _, errs := gleaner(t, "ingest", "--output="+out("in"), "--extract=text,language,quality", "--unit_size=64KiB",
		"testdata/archives")
	if code != 0 && code != 3 { // an archive is damaged
		t.Fatalf("exit code %d: %s", code, errs)
	}
	args := func(folder string, more ...string) []string {
		return append([]string{
			"corpus", "--collection=" + out("in"), "--output=" + out(folder), "--filters=c4", "--keep_refused",
			"--format=jsonl,parquet", "--columns=quality.words",
		}, more...)
	}
	must := func(args ...string) {
		t.Helper()
		if code, _, errs := gleaner(t, args...); code != 0 {
			t.Fatalf("%v: exit code %d: %s", args, code, errs)
		}
	}
	must(args("one")...)
	merge := []string{"corpus", "merge", "--output=" + out("all")}
	for i := 1; i <= 7; i++ {
		part, shard := fmt.Sprint("part-", i), fmt.Sprintf("--shard=%d/7", i)
		if i%3 == 0 {
			killed(t, time.Duration(30*i)*time.Millisecond, args(part, shard))
		}
		must(args(part, shard)...)
		merge = append(merge, out(part))
	}
	must(merge...)
	// Again, as after a kill, and with a part twice: nothing is new.
	code, said, errs := gleaner(t, append(merge, out("part-1"))...)
	if code != 0 || !strings.Contains(said+errs, " 0 units") {
		t.Errorf("again: exit code %d: %s%s", code, said, errs)
	}
	must(args("all")...)
	shelftest.SameFiles(t, tree(t, out("all")), tree(t, out("one")))
}

// killed runs the command, and kills it after some time unless it is done.
func killed(t *testing.T, after time.Duration, args []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), after)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env, cmd.Dir = append(os.Environ(), asCommand+"=1"), "../.."
	_ = cmd.Run() // killed, or done before
}

// TestShards_convert: numbered files and trees of parts, two of them killed, are those of one command, with the same
// manifest.
func TestShards_convert(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := func(name string) string { return filepath.Join(dir, name) }
	args := func(folder string, more ...string) []string {
		return append([]string{
			"convert", "--to=ache-html,ache-warc", "--output=" + out(folder), "--unit_size=64KiB",
			"--stamp=2026-01-02T03:04:05Z", "testdata/archives",
		}, more...)
	}
	must := func(args ...string) {
		t.Helper()
		if code, _, errs := gleaner(t, args...); code != 0 && code != 3 { // an archive is damaged
			t.Fatalf("%v: exit code %d: %s", args, code, errs)
		}
	}
	must(args("one")...)
	merge := []string{"convert", "merge", "--output=" + out("all")}
	for i := 1; i <= 7; i++ {
		part, shard := fmt.Sprint("part-", i), fmt.Sprintf("--shard=%d/7", i)
		if i%3 == 0 {
			killed(t, time.Duration(30*i)*time.Millisecond, args(part, shard))
		}
		must(args(part, shard)...)
		merge = append(merge, out(part))
	}
	refusedParts(t, out, args)
	must(merge[:5]...) // some parts, as if the others come later
	must(merge...)
	must(merge...) // again, as after a kill
	must(args("all")...)
	shelftest.SameFiles(t, tree(t, out("all")), tree(t, out("one")))
	// A part is a folder like others: without --shard the same command ends it.
	must(args("part-2")...)
	shelftest.SameFiles(t, tree(t, out("part-2")), tree(t, out("one")))
	for want, args := range map[string][]string{
		"is finished and not a part": {"merge", out("one")}, "not a part": {"merge", filepath.Join(dir, "none")},
		"name the folders": {"merge"}, "as 2/7": {"--shard=0/2", "testdata/archives"},
		"a table is converted whole": {"--to=warc", "--shard=1/2", "hbase://127.0.0.1:1/pages"},
		"leave out --runner": {
			"--to=ache-warc", "--shard=1/2", "--runner=universal", "--endpoint=127.0.0.1:1", "testdata/archives",
		},
	} {
		code, _, errs := gleaner(t, append(append([]string{"convert"}, args...), "--output="+out("x"))...)
		if code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%v: exit code %d, %s; want %q", args, code, errs, want)
		}
	}
}

// refusedParts: parts that do not belong together are not joined, and nothing is copied.
func refusedParts(t *testing.T, out func(string) string, args func(string, ...string) []string) {
	t.Helper()
	if err := os.CopyFS(out("copy"), os.DirFS(out("part-1"))); err != nil {
		t.Fatal(err)
	}
	for name, more := range map[string][]string{
		"eighths": {"--shard=2/8"}, "input": {"--shard=2/7", "testdata/segmented"},
		"options": {"--shard=2/7", "--hash_names"},
	} {
		if code, _, errs := gleaner(t, args(name, more...)...); code != 0 && code != 3 {
			t.Fatalf("%s: exit code %d: %s", name, code, errs)
		}
	}
	for want, parts := range map[string][]string{
		"are both part 1/7":          {"part-1", "part-2", "part-1"},
		"copy are both part 1/7":     {"part-1", "copy"},
		"is 2/8":                     {"part-1", "eighths"},
		"input is of another run":    {"part-1", "input", "part-3"},
		"options is of another run":  {"part-1", "options", "part-3"},
		"part-1 is of another run":   {"options", "part-1"},
		"not a part of a conversion": {"part-1", "none"},
		"is finished and not a part": {"part-1", "one"},
	} {
		merge := []string{"convert", "merge", "--output=" + out("refused")}
		for _, p := range parts {
			merge = append(merge, out(p))
		}
		if code, _, errs := gleaner(t, merge...); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%v: exit code %d, %s; want %q", parts, code, errs, want)
		}
	}
	if _, err := os.Stat(out("refused")); err == nil {
		t.Error("a refused merge has made its folder")
	}
	code, _, errs := gleaner(t, "convert", "merge", "--output="+out("few"), out("part-1"), out("part-4"))
	if code != 0 || !strings.Contains(errs, "5 of 7 parts are missing: 2, 3, 5, 6, 7.") {
		t.Errorf("with missing parts: exit code %d, %s", code, errs)
	}
	code, _, errs = gleaner(t, "convert", "merge", "--output="+out("few"), out("options"))
	if code != 2 || !strings.Contains(errs, "it has parts of 7") {
		t.Errorf("a part of another run, later: exit code %d, %s", code, errs)
	}
}

// tree returns the files of a corpus or conversion by their paths, without hidden ones and those with times.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(name, ".gleaner") || d.Name() == "stats.json" {
			return err
		}
		b, err := os.ReadFile(name)
		files[strings.TrimPrefix(name, dir)] = string(b)
		return err
	})
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

func TestShards_corpusRefused(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[string][]string{
		"leave out --archives":   {"--shard=1/2", "--archives=testdata/archives/site.warc.gz"},
		"leave out --shard":      {"--shard=1/2", "--paragraphs=2"},
		"as 2/7":                 {"--shard=3/2"},
		"not a part of a corpus": {"merge", dir},
		"name the folders":       {"merge"},
		"no run has finished":    {"--shard=1/2", dir},
	} {
		code, _, errs := gleaner(t, slices.Concat([]string{"corpus"}, args,
			[]string{"--output=" + filepath.Join(dir, "x")})...)
		if code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%v: exit code %d, %s; want %q", args, code, errs, want)
		}
	}
}
