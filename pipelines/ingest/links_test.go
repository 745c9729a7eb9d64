package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// linksOf returns the links and the manifest of a collection.
func linksOf(t *testing.T, dir string) (links []schemas.Link, m schemas.Manifest) {
	t.Helper()
	f := folder.Open(t.Context(), dir, blob.New(blob.Options{}))
	all, m, err := holdings.Whole(f)
	if err != nil {
		t.Fatal(err)
	}
	for l, err := range all.Links(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		links = append(links, l)
	}
	return links, m
}

// TestIngest_links: links are listed if --extract or --format names them, and otherwise only counted. A later command
// with the flag adds them, and one without it keeps them.
func TestIngest_links(t *testing.T) {
	const archive = "testdata/archives/site.warc.gz"
	for _, tt := range []struct {
		flag   string
		listed bool
	}{{"--extract=links", true}, {"--format=jsonl,links", true}, {"--format=links", true}, {"--compression=zstd", false}} {
		out := t.TempDir()
		r := mustRun(t, "--output="+out, tt.flag, archive)
		links, m := linksOf(t, out)
		if (len(links) > 100) != tt.listed || int64(len(links)) != m.Totals.Links {
			t.Errorf("%s: %d links, and the manifest has %d; want some: %v", tt.flag, len(links), m.Totals.Links, tt.listed)
		}
		if strings.Contains(r.stdout, "\nLinks  ") != tt.listed {
			t.Errorf("%s: the summary says\n%s", tt.flag, r.stdout)
		}
		names, _ := filepath.Glob(filepath.Join(out, "links-*.parquet"))
		if (len(names) == 1) != tt.listed {
			t.Errorf("%s: files %q", tt.flag, names)
		}
	}
	out := t.TempDir()
	for _, flags := range [][]string{{}, {"--format=links"}, {}} {
		mustRun(t, append(flags, "--output="+out, archive)...)
	}
	if links, m := linksOf(t, out); len(links) == 0 || m.Totals.Documents == 0 {
		t.Errorf("%d links, totals %+v", len(links), m.Totals)
	}
	if r := runCommand(t, "--output="+t.TempDir(), "--format=links", "--extract=text", archive); r.code != 2 ||
		!strings.Contains(r.stderr, "add links to it") {
		t.Errorf("--format=links without the extractor: exit code %d\n%s", r.code, r.stderr)
	}
}
