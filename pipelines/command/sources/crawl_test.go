package sources

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/internal/sitetest"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/job"
	jobplan "github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/schemas"
)

// webOfTest has the command crawl a web of this package's tests with its clock: an address, and the hosts as JSON.
const webOfTest = "GLEANER_TEST_WEB"

func init() {
	address, hosts, ok := strings.Cut(os.Getenv(webOfTest), " ")
	if !ok {
		return
	}
	simulate = func(o *fetch.Options) {
		o.Clock = sitetest.Remote{Address: address}
		if err := json.Unmarshal([]byte(hosts), &o.Hosts); err != nil {
			panic(err)
		}
	}
}

var webStart = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// crawlTest is a web and the folders of its crawl.
type crawlTest struct {
	web  *sitetest.Web
	dir  string
	args []string
}

func newCrawlTest(t testing.TB, sites, days int) *crawlTest {
	t.Helper()
	c := &crawlTest{web: sitetest.New(webStart), dir: t.TempDir()}
	t.Cleanup(c.web.Close)
	c.web.AddAll(sitetest.Model(sites, 6, days), days, 2)
	list := c.path("feeds.txt")
	if err := os.WriteFile(list, []byte(strings.Join(c.web.Feeds(), "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	c.args = []string{
		"--crawl", "--collection=" + c.path("out"), "--output=" + c.path("sources"), "--archives=" + c.path("crawl"),
		"--contact=https://example.org/bot", "--feeds=@" + list, "--round=24h", "--timeout=" + sitetest.Patience.String(),
		"--until=" + webStart.AddDate(0, 0, days).Format(time.RFC3339), "--opml=" + c.path("valid.opml"),
	}
	return c
}

func (c *crawlTest) path(name string) string { return filepath.Join(c.dir, name) }

// run runs the command, and kills it when ctx ends.
func (c *crawlTest) run(ctx context.Context, t testing.TB, more ...string) (code int, out string) {
	t.Helper()
	hosts, err := json.Marshal(c.web.Hosts())
	if err != nil {
		t.Fatal(err)
	}
	cmd := commandtest.Command(ctx, "sources", append(slices.Clone(c.args), more...)...)
	cmd.Env = append(cmd.Env, webOfTest+"="+c.web.Address()+" "+string(hosts))
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	_ = cmd.Run() // the exit code shows the error; after a kill it is -1
	return cmd.ProcessState.ExitCode(), text.String()
}

func (c *crawlTest) mustRun(t testing.TB, more ...string) string {
	t.Helper()
	code, out := c.run(t.Context(), t, more...)
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	return out
}

// captured returns the URLs of pages in the collection with their statuses, each once.
func (c *crawlTest) captured(t testing.TB) (list []string) {
	t.Helper()
	f := folder.Open(t.Context(), c.path("out"), nil)
	m, err := holdings.ReadManifest(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range m.Units {
		for d, err := range (holdings.Part{Folder: f, Shards: u.Shards}).Documents(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(d.URL, "feed.xml") && !strings.HasSuffix(d.URL, "robots.txt") && d.Status == 200 {
				list = append(list, d.URL)
			}
		}
	}
	slices.Sort(list)
	return list
}

// TestCrawl_closesTheLoop: over several rounds, a list of feeds becomes a Source DB that knows the real ones. The
// crawl is polite and misses no item.
func TestCrawl_closesTheLoop(t *testing.T) {
	c := newCrawlTest(t, 20, 3)
	out := c.mustRun(t)
	for i, rule := range c.web.Broken(time.Second, 0) {
		if i < 10 {
			t.Error(rule)
		}
	}
	if missed, items := c.web.Missed(nil); missed > 0 || items < 40 {
		t.Errorf("%d of %d items missed", missed, items)
	}
	verdicts := map[string]int{}
	for _, s := range readSources(t, c.path("sources")) {
		verdicts[s.Verdict+" "+strings.Join(s.Reasons, ", ")]++
	}
	t.Logf("%v\n%s", verdicts, out)
	if verdicts["valid "] < 10 {
		t.Errorf("verdicts: %v", verdicts)
	}
	pages := c.captured(t)
	if len(slices.Compact(slices.Clone(pages))) != len(pages) {
		t.Error("pages were fetched twice")
	}
	// A run after the end requests nothing and changes nothing.
	before, requests := contents(t, c.path("sources")), len(c.web.Requests())
	c.mustRun(t)
	same(t, "run again", contents(t, c.path("sources")), before)
	if n := len(c.web.Requests()); n != requests {
		t.Errorf("%d requests behind the end", n-requests)
	}
}

// TestCrawl_archivesOfAnother: archives from another collection's crawl are not used, whether whole or from a killed
// run.
func TestCrawl_archivesOfAnother(t *testing.T) {
	c := newCrawlTest(t, 2, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		c.web.WaitFor(ctx, 5)
		stop()
	}()
	if code, out := c.run(ctx, t); code != -1 {
		t.Fatalf("it was not killed: %d\n%s", code, out)
	}
	before := sizes(t, c.path("crawl"))
	for _, more := range [][]string{{}, {"--until=2026-11-03"}, {"--crawl_plan"}} {
		other := &crawlTest{web: c.web, dir: c.dir}
		for _, a := range c.args {
			others := strings.NewReplacer(c.path("out"), c.path("other"), c.path("sources"), c.path("db"))
			other.args = append(other.args, others.Replace(a))
		}
		code, out := other.run(t.Context(), t, more...)
		if code != 2 || !strings.Contains(out, "name another folder") {
			t.Errorf("%q: exit code %d, want 2\n%s", more, code, out)
		}
	}
	if after := sizes(t, c.path("crawl")); after != before {
		t.Errorf("the archives of the other collection were changed: %s, before %s", after, before)
	}
	c.mustRun(t)
}

// sizes returns the files of a folder with their sizes.
func sizes(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range list {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, e.Name(), info.Size())
	}
	return b.String()
}

// publishedIn returns the dates of the pages of a collection.
func publishedIn(t *testing.T, dir string) string {
	t.Helper()
	var dates []string
	f := folder.Open(t.Context(), dir, nil)
	m, err := holdings.ReadManifest(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range m.Units {
		for d, err := range (holdings.Part{Folder: f, Shards: u.Shards}).Documents(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if d.Published != "" && d.MetaSources["published"] == "feed" {
				dates = append(dates, d.Published)
			}
		}
	}
	slices.Sort(dates)
	return strings.Join(dates, " ")
}

// TestCrawl_privateHosts: items of a feed on a host without a dot are fetched with --private_hosts. Without it, the
// summary names the flag, and a second run shows the time of the next visit.
func TestCrawl_privateHosts(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]"} {
		t.Run(host, func(t *testing.T) {
			l, err := net.Listen("tcp", host+":0")
			if err != nil {
				t.Skip("no such address here: ", err)
			}
			_, port, _ := net.SplitHostPort(l.Addr().String()) // it is valid
			base := "http://" + host + ":" + port
			site := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(
				func(w http.ResponseWriter, r *http.Request) {
					switch r.URL.Path {
					case "/robots.txt":
						http.NotFound(w, r)
					case "/feed.xml":
						fmt.Fprint(w, `<rss version="2.0"><channel><title>Wiki</title>`)
						for i := range 3 {
							fmt.Fprintf(w, "<item><title>Page %d of it</title><link>%s/%[1]d</link>"+
								"<pubDate>%[3]s</pubDate></item>", i, base, webStart.AddDate(0, 0, i).Format(time.RFC1123Z))
						}
						fmt.Fprint(w, "</channel></rss>")
					default:
						name := r.URL.Path[1:]
						fmt.Fprintf(w, "<title>Page %[1]s of it</title><article><h1>Page %[1]s of it</h1><p>%[2]s</article>", name,
							strings.Repeat("What is said of thing "+name+" is said here at length. ", 30))
					}
				})}}
			site.Start()
			defer site.Close()
			dir := t.TempDir()
			crawl := func(more ...string) string {
				t.Helper()
				_, out := commandtest.Combined(t, commandtest.Command(t.Context(), "sources", append([]string{
					"--crawl", "--collection=" + filepath.Join(dir, "out"), "--output=" + filepath.Join(dir, "db"), "--host_delay=1ms",
					"--archives=" + filepath.Join(dir, "crawl"), "--contact=a@b.example", "--feeds=" + base + "/feed.xml",
				}, more...)...))
				return out
			}
			if out := crawl(); !strings.Contains(out, "--private_hosts") {
				t.Errorf("the first run does not say what to do:\n%s", out)
			}
			if err := os.RemoveAll(filepath.Join(dir, "crawl")); err != nil { // removes the state of the feed
				t.Fatal(err)
			}
			if out := crawl("--private_hosts"); !strings.Contains(out, "3 fetched") {
				t.Errorf("not all pages are fetched:\n%s", out)
			}
			dated := publishedIn(t, filepath.Join(dir, "out"))
			if want := "2026-11-01T00:00:00Z 2026-11-02T00:00:00Z 2026-11-03T00:00:00Z"; dated != want {
				t.Errorf("documents are published %s, want %s", dated, want)
			}
			out := crawl("--private_hosts")
			if !strings.Contains(out, "Requests     0") || !strings.Contains(out, "Next visit") {
				t.Errorf("a run without anything due does not say when there is:\n%s", out)
			}
		})
	}
}

// TestCrawl_killed: a crawl that is killed twenty times ends with the same pages and the same data of each source.
func TestCrawl_killed(t *testing.T) {
	const kills = 20
	clean, killed := newCrawlTest(t, 16, 3), newCrawlTest(t, 16, 3)
	clean.mustRun(t)
	requests := len(clean.web.Requests())
	for i := range kills {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer cancel()
			if i%2 > 0 {
				// After the pause of a resumed crawl, before its first request.
				killed.web.WaitPast(ctx, killed.web.Clock().Now())
				return
			}
			// Within the first two thirds, so that the last kill comes before the end.
			killed.web.WaitFor(ctx, requests*(i+1)/(kills*3/2))
			// Some kills are in the middle of a request, some later, when the round is ingested.
			time.Sleep(time.Duration(i%8) * 20 * time.Millisecond)
		}()
		// Each run has its own user agent, so that the servers can distinguish the runs.
		if code, out := killed.run(ctx, t, fmt.Sprintf("--contact=https://example.org/bot?%d", i)); code != -1 {
			t.Fatalf("it was not killed: %d\n%s", code, out)
		}
		cancel()
	}
	t.Log(killed.mustRun(t))
	for i, rule := range killed.web.Broken(time.Second, kills*32) {
		if i < 10 {
			t.Error(rule)
		}
	}
	got, want := killed.captured(t), clean.captured(t)
	if !slices.Equal(got, want) {
		t.Errorf("%d pages, want %d and the same", len(got), len(want))
	}
	a, b := facts(t, killed.path("sources")), facts(t, clean.path("sources"))
	if !slices.Equal(a, b) {
		t.Errorf("sources:\n%s\nwant:\n%s", strings.Join(a, "\n"), strings.Join(b, "\n"))
	}
}

// TestCrawl_plans: a dry run lists the visits, sends no request, and leaves no file.
func TestCrawl_plans(t *testing.T) {
	c := newCrawlTest(t, 6, 2)
	c.args = slices.DeleteFunc(c.args, func(a string) bool { return a == "--crawl" || strings.HasPrefix(a, "--contact") })
	out := c.mustRun(t, "--crawl_plan")
	const first = "2026-11-01T00:00:00Z  feed  http://site-000.example.org/feed.xml"
	if n := strings.Count(out, "\n"); n != 7 || !strings.Contains(out, first) {
		t.Errorf("%s", out)
	}
	entries, err := os.ReadDir(c.dir)
	if err != nil || len(entries) != 1 || len(c.web.Requests()) > 0 {
		t.Errorf("%v: it left %v, and made %d requests", err, entries, len(c.web.Requests()))
	}
}

// TestCrawl_fromAnArchive: the feeds in a collection's pages are visited once, with the options of the collection. A
// second crawl continues with the due ones.
func TestCrawl_fromAnArchive(t *testing.T) {
	c := newCrawlTest(t, 5, 4)
	var links strings.Builder
	for _, feed := range c.web.Feeds() {
		for _, link := range []string{feed, strings.TrimSuffix(feed, "feed.xml") + "comments/feed/"} {
			fmt.Fprintf(&links, "<link rel=\"alternate\" type=\"application/rss+xml\" href=%q>\n", link)
		}
	}
	ingestPage(t, c.path("out"), "http://portal.example/",
		"<html><head><title>Portal</title>"+links.String()+"</head></html>")
	c.args = slices.DeleteFunc(c.args, func(a string) bool {
		return strings.HasPrefix(a, "--feeds") || strings.HasPrefix(a, "--until")
	})
	c.mustRun(t)
	first := c.web.Requests()
	for _, r := range first {
		if strings.Contains(r.Path, "comments") {
			t.Errorf("a feed of comments was visited: %s%s", r.Host, r.Path)
		}
	}
	if err := c.web.Clock().Sleep(t.Context(), 48*time.Hour); err != nil {
		t.Fatal(err)
	}
	c.mustRun(t)
	if second := len(c.web.Requests()) - len(first); second == 0 || second > len(first) {
		t.Errorf("%d requests at first, then %d", len(first), second)
	}
	if docs, err := filepath.Glob(c.path("out/documents-*.jsonl.gz")); err != nil || len(docs) < 3 {
		t.Errorf("%q, %v: want the compression that the collection was made with", docs, err)
	}
	if broken := c.web.Broken(time.Second, 0); broken != nil {
		t.Errorf("%q", broken)
	}
}

// ingestPage makes a collection of an archive with one page, with non-default options.
func ingestPage(t testing.TB, out, url, body string) {
	t.Helper()
	dir := t.TempDir()
	sink, err := dump.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	w := warc.NewWriter(sink, dump.WriteOptions{})
	err = w.Write(&schemas.Capture{
		URL: url, Timestamp: webStart, RecordType: schemas.TypeResponse, Status: 200, Body: []byte(body),
		Header: []schemas.Field{{Name: "Content-Type", Value: "text/html"}},
	})
	if err = errors.Join(err, w.Close(), sink.Close()); err != nil {
		t.Fatal(err)
	}
	store := blob.New(blob.Options{})
	defer func() { _ = store.Close() }()
	c := &crawler{config: config{collections: []string{out}, runner: "local"}, store: store}
	asked, err := c.recipe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	asked.Compression = "gzip"
	p, err := jobplan.Make(t.Context(), jobplan.Request{
		Recipe: asked, Machine: recipe.Machine{Output: out, Workers: 1}, Inputs: []string{dir}, Runner: "local", UnitSize: unitBytes,
	})
	if err == nil {
		_, err = job.Run(t.Context(), p)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestCrawl_usage(t *testing.T) {
	c := newCrawlTest(t, 1, 1)
	c.args = slices.DeleteFunc(c.args, func(a string) bool { return strings.HasPrefix(a, "--feeds") })
	for name, tt := range map[string]struct {
		args []string
		says string
	}{
		"nobody to write to": {[]string{"--contact="}, "--contact"},
		"a bracket":          {[]string{"--contact=https://x.org/(a"}, "bracket"},
		"no archives":        {[]string{"--archives="}, "local folder"},
		"a bucket":           {[]string{"--archives=s3://x/y"}, "local folder"},
		"no end":             {[]string{"--until=tomorrow"}, "720h"},
		"no round":           {[]string{"--round=0"}, "6h"},
		"two collections":    {[]string{c.path("other")}, "one collection"},
		"a password":         {[]string{"--feeds=http://me:secret@x.org/feed"}, "number 1"},
		"a file":             {[]string{"--feeds=file:///etc/passwd"}, "number 1"},
		"no list":            {[]string{"--feeds=@nowhere"}, "nowhere"},
		"no feed":            {[]string{"--feeds="}, "no feed is known"},
	} {
		code, out := c.run(t.Context(), t, tt.args...)
		if code != 2 || !strings.Contains(out, tt.says) || strings.Contains(out, "secret") {
			t.Errorf("%s: exit code %d, want 2 and %q\n%s", name, code, tt.says, out)
		}
	}
	if n := len(c.web.Requests()); n > 0 {
		t.Errorf("%d requests", n)
	}
}

// facts returns the data of a Source DB on its sources, without times and places.
func facts(t testing.TB, dir string) (list []string) {
	for _, s := range readSources(t, dir) {
		list = append(list, fmt.Sprint(s.URL, " ", s.Verdict, " ", s.Reasons, " ", s.Class, " ", s.Language, " ",
			s.Evidence.Items, " ", s.Evidence.Captured, " ", s.Health.State))
	}
	return list
}

// TestCrawl_rejectedAgain: a site that was empty at first is visited again after one month and after two more. Once
// it has items, it is visited like others.
func TestCrawl_rejectedAgain(t *testing.T) {
	c := newCrawlTest(t, 1, 1)
	const empty = "late.example.org"
	times := []time.Time{}
	for d := range 40 {
		times = append(times, webStart.AddDate(0, 0, 70+d))
	}
	c.web.Add(sitetest.Site{Host: empty, Window: 10, Times: times})
	c.args = slices.DeleteFunc(c.args, func(a string) bool {
		return strings.HasPrefix(a, "--feeds") || strings.HasPrefix(a, "--until")
	})
	visits := func() (n int) {
		for _, r := range c.web.Requests() {
			if r.Host == empty && r.Path == "/feed.xml" {
				n++
			}
		}
		return n
	}
	for _, step := range []struct {
		day, visits int
		verdict     string
	}{
		{0, 1, "rejected"},
		{10, 1, "rejected"},
		{29, 1, "rejected"},
		{31, 2, "rejected"},
		{62, 2, "rejected"}, // the second wait is twice as long
		{92, 3, "valid"},
		{100, 4, "valid"}, // by the policy
	} {
		if err := c.web.Clock().Sleep(t.Context(), webStart.AddDate(0, 0, step.day).Sub(c.web.Clock().Now())); err != nil {
			t.Fatal(err)
		}
		c.mustRun(t, "--feeds=http://"+empty+"/feed.xml")
		verdict := ""
		for _, s := range readSources(t, c.path("sources")) {
			if s.Host == empty {
				verdict = s.Verdict
			}
		}
		if n := visits(); n != step.visits || verdict != step.verdict {
			t.Errorf("day %d: %d visits, %s, want %d, %s", step.day, n, verdict, step.visits, step.verdict)
		}
	}
}
