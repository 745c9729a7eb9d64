package main

import (
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// labelled has real feeds of 28 sites, captured with their pages and labelled by hand with written rules.
const labelled = "../shared/corpora/sources/feeds"

// TestSources_labelledFeeds makes verdicts from archives with two commands. The numbers are in docs/sources.md; the
// rules were chosen on these feeds.
func TestSources_labelledFeeds(t *testing.T) {
	labels, err := os.ReadFile(filepath.Join("../..", labelled, "labels.tsv"))
	if err != nil {
		t.Skip("the labelled feeds are not there: ", err)
	}
	dir := t.TempDir()
	out, db := filepath.Join(dir, "out"), filepath.Join(dir, "sources")
	for _, args := range [][]string{
		{"ingest", "--output=" + out, "--extract=metadata,text,language,quality,feeds,neardup", labelled + "/warc"},
		{"sources", "--collection=" + out, "--output=" + db},
	} {
		if code, _, errs := gleaner(t, args...); code != 0 {
			t.Fatalf("%q: exit code %d\n%s", args, code, errs)
		}
	}
	sources := map[string]schemas.Source{}
	f := folder.Open(t.Context(), db, nil)
	m, err := sourcedb.ReadManifest(f)
	if err != nil {
		t.Fatal(err)
	}
	for s, err := range sourcedb.Sources(t.Context(), f, m) {
		if err != nil {
			t.Fatal(err)
		}
		sources[s.URL] = s
	}
	var s score
	var folds [5]score
	for line := range strings.Lines(string(labels)) {
		if fields := strings.Split(line, "\t"); fields[0] != "url" {
			s.add(t, sources[fields[0]], fields)
			h := fnv.New32a()
			_, _ = h.Write([]byte(fields[8])) // the site's repository; it returns no error
			folds[h.Sum32()%5].add(t, sources[fields[0]], fields)
		}
	}
	s.check(t)
	for n, f := range folds {
		t.Logf("fold %d: %d feeds, precision %d of %d, recall %d of %d", n, f.all, f.right, f.taken, f.right, f.valid)
	}
}

// score counts how many sources match their labels.
type score struct{ all, taken, right, valid, class, language int }

func (s *score) add(t *testing.T, got schemas.Source, label []string) {
	t.Helper()
	verdict, class, language := label[1], label[2], label[3]
	if class == "tag" {
		class = "category"
	}
	s.all++
	if got.Verdict == "valid" {
		s.taken++
	}
	if got.Class == class {
		s.class++
	}
	if verdict == "valid" {
		s.valid++
		if got.Verdict == verdict {
			s.right++
		}
		if got.Language == language {
			s.language++
		}
	}
	if got.Verdict != verdict && (verdict == "valid" || got.Verdict == "valid") {
		t.Logf("%s: %s %q, want %s (%s)", label[0], got.Verdict, got.Reasons, verdict, label[4])
	}
}

func (s *score) check(t *testing.T) {
	t.Helper()
	share := func(n, of int) float64 { return float64(n) / float64(max(1, of)) }
	precision, recall := share(s.right, s.taken), share(s.right, s.valid)
	class, language := share(s.class, s.all), share(s.language, s.valid)
	t.Logf("%d feeds: precision %.3f, recall %.3f, class %.3f, language of valid ones %.3f", s.all, precision, recall,
		class, language)
	if precision < 0.95 || recall < 0.95 || class < 0.95 || language < 0.97 {
		t.Error("below the figures of docs/sources.md")
	}
}
