package sources

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/internal/jobserver"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/command/convert"
	"github.com/gleaner-web/gleaner/pipelines/command/ingest"
	"github.com/gleaner-web/gleaner/pipelines/command/query"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

func TestMain(m *testing.M) { commandtest.Main(m, Verb, query.Verb, ingest.Verb, convert.Verb) }

// command runs the command, and returns its exit code and its output.
func command(t testing.TB, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return commandtest.Run(t, "sources", args...)
}

func mustRun(t testing.TB, args ...string) string {
	t.Helper()
	code, out, errs := command(t, args...)
	if code != 0 {
		t.Fatalf("sources %v: exit code %d\n%s%s", args, code, out, errs)
	}
	return out
}

// crawl makes the collection of the nth crawl of a small web. Each site has a feed, whose pages are captured by this
// crawl, by another, or never. Some pages were moved.
func crawl(t testing.TB, n int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	f := folder.Open(context.Background(), dir, nil)
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // Finish has written everything
	var units []schemas.Unit
	var keys []string
	for i := range 3 {
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{{File: fmt.Sprintf("crawl%d-%d.warc.gz", n, i), End: 1000}}}
		units, keys = append(units, u), append(keys, ledger.Key(u, "", ""))
	}
	if _, _, err := c.Resume(units, keys, nil); err != nil {
		t.Fatal(err)
	}
	var done []schemas.UnitResult
	for _, u := range units {
		w, err := shard.NewWriter(f, u, keys[u.ID], shard.Options{Feeds: true})
		if err != nil {
			t.Fatal(err)
		}
		writeSites(t, w, n, u.ID)
		r, err := w.Commit(schemas.Counts{}, ledger.Note{})
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, r)
	}
	if _, err := c.Finish(done, collection.Run{Units: len(units)}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// writeSites writes the captures of one unit of a crawl.
func writeSites(t testing.TB, w *shard.Writer, crawl, unit int) {
	t.Helper()
	for site := unit; site < 24; site += 3 {
		r := rand.New(rand.NewPCG(uint64(site), 9))
		host := fmt.Sprintf("site%d.example", site)
		now := time.Date(2026, time.Month(3+crawl), 1, site%24, 0, 0, 0, time.UTC)
		row := schemas.FeedCapture{
			Kind: "feed", URL: "https://" + host + "/feed", Type: "rss", Timestamp: now.Format(time.RFC3339), Status: 200,
			Link: "https://" + host + "/", Title: "Site " + host, Language: "en", Filename: "x.warc.gz",
			Digest: fmt.Sprint(crawl),
		}
		row.Host, row.Domain = urlkey.Site(row.URL)
		for i := range 60 {
			published := now.AddDate(0, -crawl, 0).Add(time.Duration(i*(1+site)) * time.Hour * 3)
			title := fmt.Sprintf("Item %d of the %c%c site", i, 'a'+rune(r.IntN(26)), 'a'+rune(r.IntN(26)))
			link := fmt.Sprintf("https://%s/%d", host, i)
			if published.Before(now) {
				row.Items = append(row.Items, schemas.FeedItem{URL: link, Title: title, Published: published.Format(time.RFC3339)})
			}
			if (i+site)%4 == crawl { // by one of the crawls, before or after the feed shows it
				writePage(t, w, link, title, now, i)
			}
		}
		row.Items = row.Items[max(0, len(row.Items)-10):]
		slices.Reverse(row.Items)
		row.Count = len(row.Items)
		announced := schemas.FeedCapture{
			Kind: "announced", URL: row.URL, Type: "rss", Page: "https://" + host + "/", Timestamp: row.Timestamp,
		}
		for _, f := range []schemas.FeedCapture{row, announced} {
			if err := w.Feed(f); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func writePage(t testing.TB, w *shard.Writer, link, title string, now time.Time, i int) {
	t.Helper()
	d := &schemas.Document{
		URL: link, Title: title, Timestamp: now.Format(time.RFC3339), Status: 200, PageType: "article", Language: "en",
		Simhash: fmt.Sprintf("%016x", i+1), Quality: &schemas.Quality{Words: 200 + i}, Filename: "x.warc.gz",
		Offset:     int64(i),
		RecordType: "response", Entities: []schemas.Entity{{Type: "place", Text: fmt.Sprint("Place ", i%5), Count: 2}},
	}
	d.Host, d.Domain = urlkey.Site(link)
	if i%7 == 3 { // it was moved, and captured at its new URL
		moved := *d
		moved.Status, moved.RedirectURL, moved.Title = 301, link+"/moved", ""
		if err := w.Document(&moved); err != nil {
			t.Fatal(err)
		}
		d.URL = link + "/moved"
	}
	d.SURT = urlkey.SURT(d.URL)
	if err := w.Document(d); err != nil {
		t.Fatal(err)
	}
}

// contents returns the visible files of a folder.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		// The report belongs to one run on one machine, and so does what a kill left of it.
		if e.IsDir() || strings.HasPrefix(e.Name(), "."+holdings.ReportFile+".tmp-") ||
			e.Name() == holdings.ReportFile || e.Name() == holdings.PageFile {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	return files
}

func same(t testing.TB, what string, got, want map[string]string) {
	t.Helper()
	if !maps.Equal(got, want) {
		t.Errorf("%s: %q, want %q, and the same bytes", what, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// TestSources_anyOrder: three crawls in six orders, at once, in steps and twice, on two runners, give the same bytes.
func TestSources_anyOrder(t *testing.T) {
	crawls := []string{crawl(t, 0), crawl(t, 1), crawl(t, 2)}
	clean := filepath.Join(t.TempDir(), "sources")
	mustRun(t, append([]string{"--output=" + clean}, crawls...)...)
	want := contents(t, clean)
	// The crawls are of three months, and each month has its pages and redirects.
	if len(want) != 12 {
		t.Fatalf("files: %q", slices.Sorted(maps.Keys(want)))
	}
	for i, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		runner := []string{"local", "direct", "prism"}[i%3]
		flags := []string{"--output=" + filepath.Join(t.TempDir(), "sources"), "--runner=" + runner}
		out := strings.TrimPrefix(flags[0], "--output=")
		if i < 3 {
			mustRun(t, append(flags, crawls[order[0]], crawls[order[1]], crawls[order[2]])...)
		} else {
			mustRun(t, append(flags, crawls[order[0]])...)
			mustRun(t, append(flags, crawls[order[1]], crawls[order[0]])...)
			mustRun(t, append(flags, crawls[order[2]])...)
		}
		same(t, fmt.Sprint(order, " on ", runner), contents(t, out), want)
		mustRun(t, append(flags, crawls[order[1]])...)
		same(t, fmt.Sprint(order, " again"), contents(t, out), want)
	}
}

// TestSources_everyOrder: each of six orders, at once, in steps and twice, on each of three runners, gives the same
// bytes.
func TestSources_everyOrder(t *testing.T) {
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("takes minutes; GLEANER_SLOW=1 runs it")
	}
	crawls := []string{crawl(t, 0), crawl(t, 1), crawl(t, 2)}
	clean := filepath.Join(t.TempDir(), "sources")
	mustRun(t, append([]string{"--output=" + clean}, crawls...)...)
	want := contents(t, clean)
	server := jobserver.Python(t)
	for _, runner := range [][]string{
		{"--runner=direct"},
		{"--runner=prism"},
		{"--runner=universal", "--endpoint=" + server.Endpoint, "--environment_type=LOOPBACK"},
	} {
		for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			for _, steps := range []bool{false, true} {
				out := filepath.Join(t.TempDir(), "sources")
				flags := append(slices.Clone(runner), "--output="+out)
				for pass := range 2 {
					if steps {
						for _, i := range order {
							mustRun(t, append(flags, crawls[i])...)
						}
					} else {
						mustRun(t, append(flags, crawls[order[0]], crawls[order[1]], crawls[order[2]])...)
					}
					same(t, fmt.Sprint(runner[0], order, " in steps ", steps, ", pass ", pass), contents(t, out), want)
				}
			}
		}
	}
}

// TestSources_portable: Python's job server gives the same.
func TestSources_portable(t *testing.T) {
	one, two := crawl(t, 0), crawl(t, 1)
	clean := filepath.Join(t.TempDir(), "sources")
	mustRun(t, "--output="+clean, one, two)
	server := jobserver.Python(t)
	out := filepath.Join(t.TempDir(), "sources")
	mustRun(t, "--output="+out, "--runner=universal", "--endpoint="+server.Endpoint, "--environment_type=LOOPBACK", two,
		one)
	same(t, "Python's job server", contents(t, out), contents(t, clean))
}

func readSources(t testing.TB, dir string) (list []schemas.Source) {
	t.Helper()
	f := folder.Open(t.Context(), dir, nil)
	m, err := sourcedb.ReadManifest(f)
	if err != nil {
		t.Fatal(err)
	}
	for s, err := range sourcedb.Sources(t.Context(), f, m) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

func TestSources_saysWhatItKnows(t *testing.T) {
	out := t.TempDir()
	opml, frontier := filepath.Join(out, "valid.opml"), filepath.Join(out, "frontier.jsonl")
	db := filepath.Join(out, "sources")
	mustRun(t, "--output="+db, "--opml="+opml, "--frontier="+frontier, crawl(t, 0), crawl(t, 1))
	sources := readSources(t, db)
	if len(sources) != 24 {
		t.Fatalf("%d sources, want 24", len(sources))
	}
	for _, s := range sources {
		switch {
		case s.Verdict != "valid" || s.Class != "main" || s.Language != "en" || len(s.Health.Last) != 2:
		case s.Evidence.Captured == 0 || s.Evidence.Agreeing < 0.9 || s.Evidence.Announced != 1:
		case s.Refresh.Rate <= 0 || s.Refresh.Next == "" || len(s.Entities) == 0 || len(s.Pages) == 0:
		default:
			continue
		}
		t.Errorf("%+v", s)
	}
	linked := map[string]int{}
	f := folder.Open(t.Context(), db, nil)
	m, err := sourcedb.ReadManifest(f)
	if err != nil {
		t.Fatal(err)
	}
	for l, err := range sourcedb.Links(t.Context(), f, m) {
		if err != nil {
			t.Fatal(err)
		}
		linked[l.Source]++
	}
	for _, s := range sources {
		if linked[s.ID] != s.Evidence.Captured {
			t.Errorf("%s: %d pages are linked, want %d", s.URL, linked[s.ID], s.Evidence.Captured)
		}
	}
	list, err := os.ReadFile(opml)
	if err != nil || strings.Count(string(list), "<outline ") != 24 {
		t.Errorf("OPML: %v\n%s", err, list)
	}
	lines, err := os.ReadFile(frontier)
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	for line := range strings.Lines(string(lines)) {
		var v Visit
		if err := json.Unmarshal([]byte(line), &v); err != nil || v.Next < last || v.URL == "" {
			t.Errorf("frontier: %v: %s", err, line)
		}
		last = v.Next
	}
}

// TestSources_plan: a plan lists the new collections and changes nothing.
func TestSources_plan(t *testing.T) {
	one, two := crawl(t, 0), crawl(t, 1)
	out := filepath.Join(t.TempDir(), "sources")
	if said := mustRun(t, "--plan", "--output="+out, one); !strings.Contains(said, "3 to read, 0 merged") {
		t.Errorf("of nothing: %s", said)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("the plan made a folder")
	}
	mustRun(t, "--output="+out, one)
	before := contents(t, out)
	if said := mustRun(t, "--plan", "--output="+out, one, two); !strings.Contains(said, "3 to read, 3 merged") {
		t.Errorf("of a second crawl: %s", said)
	}
	same(t, "after a plan", contents(t, out), before)
}

// removeShards removes everything but the manifest of a collection.
func removeShards(t testing.TB, dir string) {
	t.Helper()
	for _, pattern := range []string{"documents-*", "feeds-*"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %q, %v", pattern, names, err)
		}
		for _, name := range names {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestSources_again: a second run reads no shard, and works even without them. It logs this, and updates the health by
// --as_of. Only new units are read, or all units after a change of version.
func TestSources_again(t *testing.T) {
	one, two := crawl(t, 0), crawl(t, 1)
	out := filepath.Join(t.TempDir(), "sources")
	mustRun(t, "--output="+out, one)
	before := contents(t, out)
	removeShards(t, one)
	if said := mustRun(t, "--output="+out, one); !strings.Contains(said, "0 read, 3 merged before") {
		t.Errorf("a second run says\n%s", said)
	}
	same(t, "a second run", contents(t, out), before)
	mustRun(t, "--output="+out, "--as_of=2028-01-01", one)
	for _, s := range readSources(t, out) {
		if s.Health.State != "dormant" {
			t.Errorf("%s is %s in 2028, want dormant", s.URL, s.Health.State)
		}
	}
	mustRun(t, "--output="+out, one)
	same(t, "without --as_of again", contents(t, out), before)
	if said := mustRun(t, "--output="+out, one, two); !strings.Contains(said, "3 read, 3 merged before") {
		t.Errorf("with a second crawl, it says\n%s", said)
	}
	// After a change of version, everything is read again, so the shards must exist.
	setVersion(t, out, "1")
	if code, _, errs := command(t, "--output="+out, one); code != 1 || !strings.Contains(errs, "feeds-") {
		t.Errorf("a Source DB of another version: exit code %d, %s", code, errs)
	}
	mustRun(t, "--output="+out, two)
}

// setVersion changes the version of a Source DB.
func setVersion(t testing.TB, dir, version string) {
	t.Helper()
	name := filepath.Join(dir, "manifest.json")
	data, err := os.ReadFile(name)
	var m sourcedb.Manifest
	if err = errors.Join(err, json.Unmarshal(data, &m)); err != nil {
		t.Fatal(err)
	}
	m.Version = version
	for i := range m.Parts {
		m.Parts[i] = fmt.Sprintf("%020d", i) // their keys have the version in them
	}
	if data, err = json.Marshal(m); err == nil {
		err = os.WriteFile(name, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestSources_killed: a killed run leaves the previous generation or the whole next one, and a rerun ends like a
// clean run.
func TestSources_killed(t *testing.T) {
	one, two := crawl(t, 0), crawl(t, 1)
	clean := filepath.Join(t.TempDir(), "sources")
	mustRun(t, "--output="+clean, one)
	before := contents(t, clean)
	mustRun(t, "--output="+clean, two)
	after := contents(t, clean)
	for i := range 10 {
		out := filepath.Join(t.TempDir(), "sources")
		mustRun(t, "--output="+out, one)
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(20+15*i)*time.Millisecond)
		_ = commandtest.Command(ctx, "sources", "--output="+out, two).Run() // it is killed, or ends
		cancel()
		m, err := os.ReadFile(filepath.Join(out, "manifest.json"))
		if err != nil || string(m) != before["manifest.json"] && string(m) != after["manifest.json"] {
			t.Errorf("killed after %d ms, the manifest is neither: %v", 20+15*i, err)
		}
		mustRun(t, "--output="+out, two)
		same(t, fmt.Sprint("killed ", i), contents(t, out), after)
	}
}

func TestSources_usage(t *testing.T) {
	empty, other := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "letter.txt"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	good := crawl(t, 0)
	for name, tt := range map[string]struct {
		args []string
		says string
	}{
		"no collection":  {[]string{empty}, "run ingest first"},
		"another folder": {[]string{"--output=" + other, good}, "not a Source DB"},
		"itself":         {[]string{"--output=" + good, good}, "another folder"},
		"delay":          {[]string{"--delay=soon", good}, "4h"},
		"as of":          {[]string{"--as_of=now", good}, "2026-11-23"},
		"memory":         {[]string{"--memory=1", good}, "1MiB"},
	} {
		code, _, errs := command(t, append([]string{"--output=" + filepath.Join(t.TempDir(), "x")}, tt.args...)...)
		if code != 2 || !strings.Contains(errs, tt.says) {
			t.Errorf("%s: exit code %d, want 2 and %q\n%s", name, code, tt.says, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(other, ".gleaner")); err == nil {
		t.Error("another folder was touched")
	}
	if code, out, _ := command(t, "-h"); code != 0 || strings.Count(out, "\n") > 20 ||
		!strings.Contains(out, "--collection") {
		t.Errorf("-h: exit code %d\n%s", code, out)
	}
}
