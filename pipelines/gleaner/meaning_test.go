package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// kills is how often the update of vectors is killed in each step of the test.
const kills = 10

// TestMeaning_killed: commands that make vectors, add to them and take them down are killed again and again. Their
// vectors have the bytes of commands that were not killed.
func TestMeaning_killed(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	must := func(args ...string) {
		t.Helper()
		if code, _, errs := gleaner(t, args...); code != 0 && code != 3 {
			t.Fatalf("%v: exit code %d: %s", args, code, errs)
		}
	}
	for i := range 2 {
		writePages(t, filepath.Join(dir, fmt.Sprintf("%d.warc", i)), i)
	}
	steps := []func(out string) []string{
		func(out string) []string { return ingestOf(out, filepath.Join(dir, "0.warc")) },
		func(out string) []string { return append(ingestOf(out, filepath.Join(dir, "1.warc")), "--add") },
		func(out string) []string {
			return []string{"collection", "takedown", "--collection=" + out, "http://pages.example/0/7"}
		},
	}
	calm, shaken := filepath.Join(dir, "calm"), filepath.Join(dir, "shaken")
	update := func(out string) []string { return []string{"collection", "index", "--meaning", "--collection=" + out} }
	var before map[string]string
	for i, step := range steps {
		for _, out := range []string{calm, shaken} {
			must(step(out)...)
		}
		begin := time.Now()
		must(update(calm)...)
		took := time.Since(begin)
		for range kills {
			killed(t, time.Duration(random.Int64N(int64(took))), update(shaken))
		}
		must(update(shaken)...)
		want, got := vectors(t, calm), vectors(t, shaken)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after step %d (-calm +killed):\n%.2000s", i, diff)
		}
		if len(want) < 5 {
			t.Fatalf("step %d has %d files", i, len(want))
		}
		same := 0
		for name, text := range want {
			if before[name] == text {
				same++
			}
		}
		// A step adds to the files before it, or changes that of one shard.
		if i > 0 && same < len(before)-1 || i == 2 && same != len(want)-1 {
			t.Errorf("step %d leaves %d of %d files", i, same, len(before))
		}
		before = want
	}
	code, urls, errs := gleaner(t, "query", "--collection="+shaken, "--about=river", "--format=urls", "--limit=1000")
	if code != 0 || strings.Contains(urls, "/0/7\n") || strings.Count(urls, "\n") < 50 {
		t.Errorf("exit code %d, %d pages, %s", code, strings.Count(urls, "\n"), errs)
	}
}

func ingestOf(out, archive string) []string {
	return []string{"ingest", "--output=" + out, "--extract=text,metadata", "--unit_size=64KiB", archive}
}

// writePages writes an archive of pages with texts of some common words.
func writePages(t *testing.T, name string, number int) {
	t.Helper()
	words := strings.Fields("river bridge harbour winter market school garden doctor letter island summer engine " +
		"forest captain village music window bread coffee mountain the of and in to a is was on with")
	random := rand.New(rand.NewPCG(uint64(number), 1))
	var b strings.Builder
	for i := range 80 {
		var text strings.Builder
		for range 800 {
			text.WriteString(words[random.IntN(len(words))] + " ")
		}
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" +
			fmt.Sprintf("<title>Page %d</title><p>%s", i, text.String())
		fmt.Fprintf(&b, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://pages.example/%d/%d\r\n"+
			"WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:x:%d-%d>\r\n"+
			"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			number, i, number, i, len(block), block)
	}
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// vectors returns all files of vectors of a collection, with those that a killed command may have left.
func vectors(t *testing.T, out string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(filepath.Join(out, ".gleaner", "index", "meaning"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), ".new-") { // of a killed call; a later one removes it after a day
			continue
		}
		text, err := os.ReadFile(filepath.Join(out, ".gleaner", "index", "meaning", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}
