package crawl

import (
	"context"
	"crypto/sha256"
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

	"github.com/gleaner-web/gleaner/internal/sitetest"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// fullAt is small, so that a short crawl has several files.
const fullAt = 200_000

// goOn crawls into a shelf as a process does that begins or continues with a round: until the end, or ctx's.
func goOn(ctx context.Context, t testing.TB, web *sitetest.Web, dir string, days int) (Counts, error) {
	t.Helper()
	shelf, err := OpenShelf(folder.Open(context.Background(), dir, nil), dir, fullAt)
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(Options{
		Fetch: client(t, web, web.Clock()), Archive: shelf, Clock: web.Clock(), Agent: "gleaner",
		End: start.AddDate(0, 0, days),
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Know(&Book{}, web.Feeds()...)
	if err := shelf.Replay("", c.Replay); err != nil {
		t.Fatal(err)
	}
	err = c.Run(ctx)
	if err == nil {
		err = shelf.End()
	}
	return c.Counts(), errors.Join(err, shelf.Close())
}

// files are the names and bytes of a shelf's journals.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "gleaner-*"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found[filepath.Base(name)] = string(b)
	}
	return found
}

// TestShelf_goesOn: a round that is killed at any request, with a record half written, makes the files of one that is
// not. The clock stands still while nobody crawls.
func TestShelf_goesOn(t *testing.T) {
	const days, kills = 4, 10
	make := func() *sitetest.Web {
		web := sitetest.New(start)
		t.Cleanup(web.Close)
		web.AddAll(sitetest.Model(30, 8, days), days, 2)
		return web
	}
	clean, killed := t.TempDir(), t.TempDir()
	web := make()
	counts, err := goOn(t.Context(), t, web, clean, days)
	if err != nil {
		t.Fatal(err)
	}
	want := files(t, clean)
	t.Logf("%d files; %+v", len(want), counts)
	if len(want) < 3 {
		t.Fatalf("%d files: the limit was not reached", len(want))
	}
	again := make()
	chance := rand.New(rand.NewPCG(1, 2))
	for i := range kills {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			again.WaitFor(ctx, len(web.Requests())*(i+1)/(kills+1))
			cancel()
		}()
		if _, err := goOn(ctx, t, again, killed, days); err == nil {
			t.Fatal("it was not stopped")
		}
		tear(t, killed, chance)
	}
	counts, err = goOn(t.Context(), t, again, killed, days)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", counts)
	got := files(t, killed)
	for name, b := range want {
		if got[name] != b {
			t.Errorf("%s: %d bytes, want %d and the same: %s", name, len(got[name]), len(b), firstOther(t, got[name], b))
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

// tear does to the open file what a kill in the middle of a write does: it ends with a part of a record.
func tear(t testing.TB, dir string, chance *rand.Rand) {
	t.Helper()
	open, err := filepath.Glob(filepath.Join(dir, "*.open"))
	if err != nil || len(open) > 1 {
		t.Fatal(open, err)
	}
	for _, name := range open {
		b, err := os.ReadFile(name)
		if err == nil {
			part := b[:chance.IntN(min(200, len(b)))]
			err = os.WriteFile(name, append(b, part...), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestShelf_isAnArchive: the written files are read back as WARC, every record is whole, and each answer has its
// request.
func TestShelf_isAnArchive(t *testing.T) {
	const days = 2
	web := sitetest.New(start)
	defer web.Close()
	web.AddAll(sitetest.Model(20, 6, days), days, 2)
	dir := t.TempDir()
	counts, err := goOn(t.Context(), t, web, dir, days)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int64{}
	for name := range files(t, dir) {
		file, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }()
		info, err := file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		r, err := warc.NewReader(file, info.Size(), record.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := range r.All() {
			if err != nil || len(rec.Flags) > 0 {
				t.Fatal(err, rec.Flags)
			}
			kinds[warc.Type(&rec.Head)]++
		}
	}
	answered := kinds["response"] + kinds["revisit"]
	if answered != kinds["request"] || answered+kinds["metadata"] != counts.Requests || kinds["metadata"] == 0 {
		t.Errorf("%v of %d requests", kinds, counts.Requests)
	}
	t.Log(kinds)
}

// TestShelf_lockedAndForeign: two crawls do not write to one shelf, and other files stay as they are.
func TestShelf_lockedAndForeign(t *testing.T) {
	dir := t.TempDir()
	open := func() (*Shelf, error) {
		return OpenShelf(folder.Open(t.Context(), dir, nil), dir, 1e6)
	}
	if err := os.WriteFile(filepath.Join(dir, "letter.warc.gz"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	first, err := open()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(); !errors.Is(err, folder.ErrBusy) {
		t.Errorf("a second one: %v, want ErrBusy", err)
	}
	if err := first.Fault("http://a.example/", start, faultUnreachable); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := open()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = second.Replay("", func(a Answer) { got = append(got, fmt.Sprint(a.URL, a.Time.Format(time.DateOnly), a.Fault)) })
	if err != nil || strings.Join(got, " ") != "http://a.example/2026-11-01unreachable" {
		t.Errorf("%q, %v", got, err)
	}
	if err := errors.Join(second.End(), second.Close()); err != nil {
		t.Fatal(err)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "*.gz")); len(names) != 2 {
		t.Errorf("files: %q", names)
	}
}

// firstOther is the first record in which two files differ, for people.
func firstOther(t testing.TB, got, want string) string {
	t.Helper()
	lines := func(s string) (list []string) {
		r, err := warc.NewReader(strings.NewReader(s), int64(len(s)), record.Options{})
		if err != nil {
			return nil
		}
		for rec, err := range r.All() {
			if err != nil {
				break
			}
			list = append(list, fmt.Sprintf("%s %s %s %.60q", warc.Type(&rec.Head), rec.Head.Get("WARC-Date"),
				rec.Head.Get("WARC-Target-URI"), rec.Block))
		}
		return list
	}
	a, b := lines(got), lines(want)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("record %d is %s, want %s", i, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d records, want %d", len(a), len(b))
}

// TestCrawl_month is the measure of docs/sources.md. It crawls 200 sites by recorded timelines, every third with a
// habit, for 30 days. A second crawl is killed ten times and must give the same bytes.
func TestCrawl_month(t *testing.T) {
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("it takes minutes: set GLEANER_SLOW=1")
	}
	const days, sites, kills = 30, 200, 10
	list, err := sitetest.ReadTimelines("../../../../shared/corpora/sources/timelines.jsonl.gz")
	if err != nil {
		t.Logf("%v: modelled timelines are taken", err)
		list = sitetest.Model(sites, 60, days)
	}
	list = list[:sites]
	var sums []map[string]string
	requests := 0
	for _, kills := range []int{0, kills} {
		web := sitetest.New(start)
		defer web.Close()
		web.AddAll(list, days, 3)
		dir := t.TempDir()
		for i := range kills {
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				web.WaitFor(ctx, requests*(i+1)/(kills+1))
				cancel()
			}()
			if _, err := goOn(ctx, t, web, dir, days); err == nil {
				t.Fatal("it was not stopped")
			}
		}
		counts, err := goOn(t.Context(), t, web, dir, days)
		if err != nil {
			t.Fatal(err)
		}
		requests = len(web.Requests())
		t.Logf("%d kills: %+v", kills, counts)
		report(t, web, list, kills)
		sums = append(sums, hashes(t, dir))
	}
	if !maps.Equal(sums[0], sums[1]) {
		t.Errorf("killed, the files are others: %d and %d of them", len(sums[0]), len(sums[1]))
	}
}

// report prints the missed items by class, and fails if they exceed the promised share.
func report(t testing.TB, web *sitetest.Web, list []sitetest.Timeline, kills int) {
	t.Helper()
	for i, rule := range web.Broken(time.Second, kills*waiting*32) {
		if i < 20 {
			t.Error(rule)
		}
	}
	tell := func(name string, most float64, which func(sitetest.Site) bool) {
		missed, items := web.Missed(which)
		share := 100 * float64(missed) / float64(max(1, items))
		t.Logf("%-8s %6d items, %4d missed, %.3f %%", name, items, missed, share)
		if share > most {
			t.Errorf("%s: %.3f %% of the items were missed, want %.1f %% at most", name, share, most)
		}
	}
	classes := map[string]bool{}
	for _, l := range list {
		classes[l.Class] = true
	}
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		tell(class, 1.5, func(s sitetest.Site) bool { return s.Class == class })
	}
	for h := range sitetest.Habits {
		tell(h.String(), 100, func(s sitetest.Site) bool { return s.Habit == h })
	}
	tell("all", .2, nil)
}

// hashes are those of a shelf's journals, by name.
func hashes(t testing.TB, dir string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	for name, b := range files(t, dir) {
		sums[name] = fmt.Sprintf("%x", sha256.Sum256([]byte(b)))
	}
	return sums
}
