package sources

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/source/sourceindex"
)

const archives = "../../../testdata/archives"

// as runs another command and checks its exit code.
func as(t testing.TB, name string, want int, args ...string) string {
	t.Helper()
	code, out, errs := commandtest.Run(t, name, args...)
	if code != want {
		t.Fatalf("%s %v: exit code %d, want %d\n%s%s", name, args, code, want, out, errs)
	}
	return out + errs
}

// recordsIn returns the Datastreamer records in a folder by permalink. The last of several captures counts.
func recordsIn(t testing.TB, dir string) map[string]datastreamer.Content {
	t.Helper()
	all := map[string]datastreamer.Content{}
	for _, name := range shards(t, dir, "content") {
		for _, line := range linesOf(t, name) {
			var r datastreamer.Content
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			all[r.Permalink] = r
		}
	}
	return all
}

// sourced makes a database of sources from testdata's archives, as of a time.
func sourced(t testing.TB, collection, asOf string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "sources.sqlite")
	out := filepath.Join(t.TempDir(), "sources")
	opml, frontier := file+".opml", file+".jsonl"
	mustRun(t, "--collection="+collection, "--output="+out, "--as_of="+asOf, "--sqlite="+file, "--opml="+opml,
		"--frontier="+frontier)
	// The valid source of these archives is a sitemap. It is for crawlers, not for feed readers.
	line := "http://127.0.0.1:8190/sitemap.xml\",\"type\":\"sitemap\""
	if !has(t, frontier, line) || has(t, opml, "sitemap") {
		t.Error("the frontier has to have a sitemap, and the OPML list must not")
	}
	return file
}

func has(t testing.TB, path, text string) bool {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(data), text)
}

// wantSourced checks that each record has the database's data of its source, and that some records have a source.
func wantSourced(t testing.TB, records map[string]datastreamer.Content, file string) {
	t.Helper()
	x, err := sourceindex.OpenFile(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }() // it is only read
	found := 0
	for url, r := range records {
		id, ok, err := x.SourceOf(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			if r.SourceNextUpdate != "" {
				t.Errorf("%s is of no source, and its is visited at %s", url, r.SourceNextUpdate)
			}
			continue
		}
		found++
		s, err := x.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if r.SourceFeedHref != s.URL || r.SourceNextUpdate != s.Refresh.Next || r.SourceDateFound != s.FirstSeen ||
			r.SourceSettingUpdateStrategy != "FEED" {
			t.Errorf("%s: %q, next %q, found %q; want %q, %q, %q", url, r.SourceFeedHref, r.SourceNextUpdate, r.SourceDateFound,
				s.URL, s.Refresh.Next, s.FirstSeen)
		}
	}
	if found == 0 || found == len(records) {
		t.Errorf("%d of %d records have a source", found, len(records))
	}
}

// TestContent: with a database of sources, records of every command have its data of their sources.
func TestContent(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	as(t, "ingest", 0, "--output="+plain, archives)
	early, late := sourced(t, plain, "2026-01-01"), sourced(t, plain, "2027-01-01")
	t.Run("ingest", func(t *testing.T) { ingestSourced(t, early, late, sourced(t, plain, "2026-01-01")) })
	t.Run("convert", func(t *testing.T) { convertSourced(t, early, late) })
}

// ingestSourced: another generation redoes the units, and so does no database, which --fresh has to confirm. Another
// file of the same generation does not.
func ingestSourced(t *testing.T, early, late, copied string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	ingest := func(dir, file string, more ...string) string {
		return as(t, "ingest", 0, append(more, "--format=content", "--output="+dir, "--sources="+file, archives)...)
	}
	ingest(out, early)
	wantSourced(t, recordsIn(t, out), early)
	before := contents(t, out)
	// The same generation, made again.
	ingest(out, copied)
	if now := contents(t, out); !maps.Equal(now, before) {
		t.Error("another file of the same generation makes other bytes")
	}
	ingest(out, late)
	wantSourced(t, recordsIn(t, out), late)
	clean := filepath.Join(t.TempDir(), "clean")
	ingest(clean, late, "--runner=prism")
	same(t, "of another generation, in the same folder", contents(t, out), contents(t, clean))
	as(t, "ingest", 2, "--format=content", "--output="+out, archives)
	as(t, "ingest", 0, "--fresh", "--format=content", "--output="+out, archives)
	for url, r := range recordsIn(t, out) {
		if r.SourceNextUpdate != "" {
			t.Errorf("without sources, that of %s is visited at %s", url, r.SourceNextUpdate)
		}
	}
}

// convertSourced: another generation makes another conversion, which the folder does not accept.
func convertSourced(t *testing.T, early, late string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"--to=content", "--output=" + out, archives}
	as(t, "convert", 0, append(args, "--sources="+early)...)
	wantSourced(t, recordsIn(t, filepath.Join(out, "content", "00000-of-00001")), early)
	as(t, "convert", 0, append(args, "--sources="+early)...)
	for _, other := range [][]string{{"--sources=" + late}, nil} {
		if said := as(t, "convert", 2, append(args, other...)...); !strings.Contains(said, "--fresh") {
			t.Errorf("%q: %s", other, said)
		}
	}
	as(t, "convert", 0, append(args, "--sources="+late, "--fresh")...)
	wantSourced(t, recordsIn(t, filepath.Join(out, "content", "00000-of-00001")), late)
}

// TestContent_usage: usage errors are found before anything is read.
func TestContent_usage(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.sqlite")
	if err := os.WriteFile(other, []byte("something"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		args []string
		says string
	}{
		"ingest: no records":   {[]string{"ingest", "--sources=" + other}, "--format=content"},
		"ingest: not there":    {[]string{"ingest", "--format=content", "--sources=" + other + "x"}, "--sources"},
		"ingest: no database":  {[]string{"ingest", "--format=content", "--sources=" + other}, "not a database of sources"},
		"convert: not there":   {[]string{"convert", "--to=content", "--sources=" + other + "x"}, "--sources"},
		"convert: other":       {[]string{"convert", "--to=warc", "--sources=" + other}, "--to=content"},
		"convert: two":         {[]string{"convert", "--to=content,warc", "--sources=" + other}, "--to=content"},
		"convert: no database": {[]string{"convert", "--to=content", "--sources=" + other}, "not a database of sources"},
	} {
		out := filepath.Join(t.TempDir(), "out")
		args := slices.Concat(tt.args[1:], []string{"--output=" + out, archives})
		if said := as(t, tt.args[0], 2, args...); !strings.Contains(said, tt.says) {
			t.Errorf("%s: %s", name, said)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: the folder was made", name)
		}
	}
}
