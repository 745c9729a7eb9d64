package sources

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"time"

	feedcrawl "github.com/gleaner-web/gleaner/io/source/crawl"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// crawling is the heading of the flags of --crawl.
const crawlingGroup = "Crawling (off unless --crawl is given)"

// crawlTable describes the flags of --crawl.
var crawlTable = []cli.Flag{
	{
		Name: "crawl", Default: "false", Group: crawlingGroup, Example: "true",
		Help: "visit the feeds that are due, fetch the pages of their new items, write all of it as WARC files, ingest " +
			"these into the collection and update the Source DB. Without --until, feeds that are due are visited once",
		Brief: "visit feeds that are due and fetch their new items",
	},
	{
		Name: "crawl_plan", Default: "false", Group: crawlingGroup, Example: "true",
		Help: "print which feeds --crawl would visit when, and fetch nothing",
	},
	{
		Name: "contact", Group: crawlingGroup, Example: "https://example.org/bot",
		Help: "a page or a mail address for those whose sites are crawled; it is sent with each request. --crawl needs it",
	},
	{
		Name: "archives", Default: "crawl", Group: crawlingGroup, Example: "/data/crawl",
		Help: "local folder for the WARC files and for what the crawler keeps in mind. A killed crawl continues from there",
	},
	{
		Name: "until", Group: crawlingGroup, Example: "720h",
		Help: "go on visiting feeds when they are due for so long, or until a date or time (RFC 3339)",
	},
	{
		Name: "round", Default: "6h", Group: crawlingGroup, Example: "24h",
		Help: "how often, with --until, what was fetched is ingested and the Source DB updated",
	},
	{
		Name: "feeds", Group: crawlingGroup, Example: "https://example.org/feed.xml",
		Help: "feeds to visit that the Source DB does not know; @file names a list, a URL a line",
	},
	{
		Name: "classes", Default: source.ClassMain, Group: crawlingGroup, Example: "main,category",
		Help: "classes of feeds that are visited",
	},
	{
		Name: "host_delay", Default: "1s", Group: crawlingGroup, Example: "5s",
		Help: "pause between two requests to a host; a longer Crawl-delay of its robots.txt counts up to 30 seconds",
	},
	{
		Name: "max_hosts", Default: "32", Group: crawlingGroup, Example: "200",
		Help: "hosts that are asked at once, one request each",
	},
	{
		Name: "max_requests", Default: "0", Group: crawlingGroup, Example: "100000",
		Help: "requests of a round; 0 for no bound. What is left is done in the next",
	},
	{
		Name: "max_host_requests", Default: "0", Group: crawlingGroup, Example: "500",
		Help: "requests of a round to one host; 0 for no bound",
	},
	{
		Name: "max_fetch", Default: "0", Group: crawlingGroup, Example: "10GiB",
		Help: "bytes that a round fetches; 0 for no bound. What is under way then is fetched as well",
	},
	{
		Name: "timeout", Default: "1m", Group: crawlingGroup, Example: "20s",
		Help: "for connecting, for the beginning of an answer, and for each pause in it",
	},
	{
		Name: "private_hosts", Default: "false", Group: crawlingGroup, Example: "true",
		Help: "also fetch from hosts in private networks",
	},
}

// crawling is what --crawl was asked for.
type crawling struct {
	// on is true for a plan as well: it needs the same flags, and no collection that has feeds yet.
	on, planOnly bool
	archives     string
	// Read when the crawl begins, since a time such as 720h counts from the clock that the crawl goes by.
	until     string
	round     time.Duration
	feeds     []string
	classes   []string
	fileBytes int64
	hosts     int
	budget    feedcrawl.Budget
	fetch     fetch.Options
}

// archiveBytes is the size at which a WARC file is full: what Annex C of WARC/1.1 advises.
const archiveBytes = 1e9

// crawlFlags adds the flags; done reads what they say when the command line is parsed.
func crawlFlags(f *run.Flags) (done func() (crawling, error)) {
	// All flags have to be declared before the command line is parsed, so what they say is read by the function that is
	// returned.
	row := cli.Rows(crawlTable)
	on, plan := f.Bool(row("crawl")), f.Bool(row("crawl_plan"))
	contact, archives := f.String(row("contact")), f.String(row("archives"))
	until, round := f.String(row("until")), f.String(row("round"))
	feeds, classes := f.Strings(row("feeds")), f.Strings(row("classes"))
	delay, hosts := f.String(row("host_delay")), f.Int(row("max_hosts"))
	requests, hostRequests := f.Int(row("max_requests")), f.Int(row("max_host_requests"))
	bytes, timeout, private := f.Bytes(row("max_fetch")), f.String(row("timeout")), f.Bool(row("private_hosts"))
	return func() (crawling, error) {
		w := crawling{
			// Bytes and requests are counted for a round, not for the whole crawl: with --until a crawl may last for months.
			on: *on || *plan, planOnly: *plan, archives: *archives, until: *until, classes: *classes, hosts: *hosts,
			fileBytes: archiveBytes,
			budget:    feedcrawl.Budget{Requests: int64(*requests), HostRequests: int64(*hostRequests), Bytes: *bytes},
		}
		var err, errDelay, errTimeout, errFeeds error
		w.round, err = positive("round", *round)
		w.fetch.HostDelay, errDelay = positive("host_delay", *delay)
		w.fetch.Timeout, errTimeout = positive("timeout", *timeout)
		// One flag is the bound of connecting and of each pause: a server that is slow in the one is slow in the other.
		w.fetch.Stall, w.fetch.AllowPrivate = w.fetch.Timeout, *private
		// The form that operators look for in their logs: name, version, and after a plus where to complain.
		w.fetch.UserAgent = agentName + "/1.0 (+" + *contact + ")"
		w.feeds, errFeeds = listed(*feeds)
		// The first mistake is told: what cannot be read at all, then what does not go together.
		return w, cmp.Or(err, errDelay, errTimeout, errFeeds, w.check(*contact))
	}
}

// agentName is what robots.txt is asked about.
const agentName = "gleaner"

// positive reads a flag that is a time.
func positive(name, value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return 0, cli.Usagef("--%s=%s: name a time, such as 30s or 6h", name, value)
	}
	return d, nil
}

// listed are URLs, with lists in files in their places. A list is as long as its reader has memory: it is the user's.
func listed(names []string) (urls []string, err error) {
	for _, name := range names {
		file, isList := strings.CutPrefix(name, "@")
		if !isList {
			urls = append(urls, name)
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, cli.Usagef("--feeds: %v", err)
		}
		urls = append(urls, strings.Fields(string(text))...)
	}
	// All are tested now, and not when their turn comes.
	for i, url := range urls {
		// The URL itself is not repeated: what is wrong with it may be a password.
		if !feedcrawl.CanFetch(url) {
			return nil, cli.Usagef("--feeds: number %d is not a URL that is fetched: http or https, without a user, and of "+
				"2,048 bytes at most", i+1)
		}
	}
	return urls, nil
}

// check finds what is wrong with the flags. Those of a crawl that is off are looked at as well: a mistake is one.
func (w crawling) check(contact string) error {
	switch {
	case w.on && !w.planOnly && !strings.Contains(contact, "://") && !strings.Contains(contact, "@"):
		return cli.Usagef("--crawl needs --contact: a page or a mail address for those whose sites are crawled")
	// The contact is in the User-Agent between brackets: a bracket would end that comment of the header (section
	// 5.6.5 of RFC 9110), a control character the line.
	case strings.ContainsFunc(contact, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '(' || r == ')' }):
		return cli.Usagef("--contact has a blank, a bracket or a control character in it")
	// A WARC file grows record by record and is gone on with after a kill, which an object in a bucket cannot be.
	case w.archives == "" || blob.IsRemote(w.archives):
		return cli.Usagef("--archives=%s: name a local folder: files grow there while they are written", w.archives)
	case w.hosts < 1:
		return cli.Usagef("--max_hosts: 1 is the least")
	case slices.Contains(w.classes, ""):
		return cli.Usagef("--classes is empty: name a class, such as main")
	}
	return nil
}

// end is the moment that --until names, the zero time for none.
func (w crawling) end(now time.Time) (time.Time, error) {
	if w.until == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(w.until); err == nil && d > 0 {
		return now.Add(d), nil
	}
	// A date alone is its beginning, in UTC.
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, w.until); err == nil {
			return at, nil
		}
	}
	return time.Time{}, cli.Usagef("--until=%s: name a time (720h), a date (2026-12-01) or both (2026-12-01T12:00:00Z)",
		w.until)
}
