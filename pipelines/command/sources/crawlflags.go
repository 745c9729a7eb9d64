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
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// crawlingGroup is the heading of the flags of --crawl.
const crawlingGroup = "Crawling (off unless --crawl is given)"

// crawling has the settings of --crawl.
type crawling struct {
	// on is also true for a plan, which needs the same flags.
	on, planOnly bool
	contact      string
	archives     string
	// until is parsed at the begin of the crawl, because 720h counts from then.
	until     string
	round     time.Duration
	feeds     []string
	classes   []string
	fileBytes int64
	hosts     int
	// budget is for a round: with --until, a crawl may last for months.
	budget feedcrawl.Budget
	fetch  fetch.Options
	// asked are flags that read parses.
	asked struct {
		round, hostDelay, timeout string
		feeds                     []string
	}
}

// archiveBytes is the size of a full WARC file, from Annex C of WARC/1.1.
const archiveBytes = 1e9

// settings are the flags of --crawl.
func (w *crawling) settings() []setting.Setting {
	return setting.Under(crawlingGroup, slices.Concat(w.visitSettings(), w.boundSettings()))
}

func (w *crawling) visitSettings() []setting.Setting {
	return []setting.Setting{{
		Name: "crawl", Value: &w.on, Default: "false", Example: "true",
		Help: "visit the feeds that are due, fetch the pages of their new items, write all of it as WARC files, ingest " +
			"these into the collection and update the Source DB. Without --until, feeds that are due are visited once",
		Brief: "visit feeds that are due and fetch their new items",
	}, {
		Name: "crawl_plan", Value: &w.planOnly, Default: "false", Example: "true",
		Help: "print which feeds --crawl would visit when, and fetch nothing",
	}, {
		Name: "contact", Value: &w.contact, Example: "https://example.org/bot",
		Help: "a page or a mail address for those whose sites are crawled; it is sent with each request. --crawl needs it",
	}, {
		Name: "archives", Value: &w.archives, Default: "crawl", Example: "/data/crawl",
		Help: "local folder for the WARC files and for what the crawler keeps in mind. A killed crawl continues from " +
			"there",
	}, {
		Name: "until", Value: &w.until, Example: "720h",
		Help: "go on visiting feeds when they are due for so long, or until a date or time (RFC 3339)",
	}, {
		Name: "round", Value: &w.asked.round, Default: "6h", Example: "24h",
		Help: "how often, with --until, what was fetched is ingested and the Source DB updated",
	}, {
		Name: "feeds", Value: &w.asked.feeds, Example: "https://example.org/feed.xml",
		Help: "feeds to visit that the Source DB does not know; @file names a list, a URL a line",
	}, {
		Name: "classes", Value: &w.classes, Default: source.ClassMain, Example: "main,category",
		Help: "classes of feeds that are visited",
	}, {
		Name: "host_delay", Value: &w.asked.hostDelay, Default: "1s", Example: "5s",
		Help: "pause between two requests to a host; a longer Crawl-delay of its robots.txt counts up to 30 seconds",
	}, {
		Name: "max_hosts", Value: &w.hosts, Default: "32", Example: "200",
		Help: "hosts that are asked at once, one request each",
	}}
}

func (w *crawling) boundSettings() []setting.Setting {
	return []setting.Setting{{
		Name: "max_requests", Value: (*setting.Count)(&w.budget.Requests), Default: "0", Example: "100000",
		Help: "requests of a round; 0 for no bound. What is left is done in the next",
	}, {
		Name: "max_host_requests", Value: (*setting.Count)(&w.budget.HostRequests), Default: "0", Example: "500",
		Help: "requests of a round to one host; 0 for no bound",
	}, {
		Name: "max_fetch", Value: &w.budget.Bytes, Default: "0", Example: "10GiB",
		Help: "bytes that a round fetches; 0 for no bound. What is under way then is fetched as well",
	}, {
		Name: "timeout", Value: &w.asked.timeout, Default: "1m", Example: "20s",
		Help: "for connecting, for the beginning of an answer, and for each pause in it",
	}, {
		Name: "private_hosts", Value: &w.fetch.AllowPrivate, Default: "false", Example: "true",
		Help: "also fetch from hosts in private networks",
	}}
}

// read parses times and lists, and checks all flags.
func (w *crawling) read() error {
	var err, errDelay, errTimeout, errFeeds error
	w.on, w.fileBytes = w.on || w.planOnly, archiveBytes
	w.round, err = positive("round", w.asked.round)
	w.fetch.HostDelay, errDelay = positive("host_delay", w.asked.hostDelay)
	w.fetch.Timeout, errTimeout = positive("timeout", w.asked.timeout)
	// One flag limits both: a server that is slow to connect also pauses long.
	w.fetch.Stall = w.fetch.Timeout
	// Operators of servers expect a name, a version and, after a plus, a contact.
	w.fetch.UserAgent = agentName + "/1.0 (+" + w.contact + ")"
	w.feeds, errFeeds = listed(w.asked.feeds)
	return cmp.Or(err, errDelay, errTimeout, errFeeds, w.check())
}

// agentName is our name in robots.txt.
const agentName = "gleaner"

// positive parses a time span above 0.
func positive(name, value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return 0, cli.Usagef("--%s=%s: name a time, such as 30s or 6h", name, value)
	}
	return d, nil
}

// listed replaces each @file by the URLs in the file.
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
	for i, url := range urls {
		// The message has no URL, which may hold a password.
		if !feedcrawl.CanFetch(url) {
			return nil, cli.Usagef("--feeds: number %d is not a URL that is fetched: http or https, without a user, and of "+
				"2,048 bytes at most", i+1)
		}
	}
	return urls, nil
}

// check checks the flags, also if the crawl is off.
func (w crawling) check() error {
	switch {
	case w.on && !w.planOnly && !strings.Contains(w.contact, "://") && !strings.Contains(w.contact, "@"):
		return cli.Usagef("--crawl needs --contact: a page or a mail address for those whose sites are crawled")
	// The contact is a comment of the User-Agent: a bracket would end the comment (section 5.6.5 of RFC 9110), and a
	// control character the header.
	case strings.ContainsFunc(w.contact, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '(' || r == ')' }):
		return cli.Usagef("--contact has a blank, a bracket or a control character in it")
	// After a kill the crawl appends to its WARC file, which is impossible in a bucket.
	case w.archives == "" || blob.IsRemote(w.archives):
		return cli.Usagef("--archives=%s: name a local folder: files grow there while they are written", w.archives)
	case w.hosts < 1:
		return cli.Usagef("--max_hosts: 1 is the least")
	case slices.Contains(w.classes, ""):
		return cli.Usagef("--classes is empty: name a class, such as main")
	}
	return nil
}

// end returns the moment that --until names, or the zero time.
func (w crawling) end(now time.Time) (time.Time, error) {
	if w.until == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(w.until); err == nil && d > 0 {
		return now.Add(d), nil
	}
	// A date means its first moment, in UTC.
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, w.until); err == nil {
			return at, nil
		}
	}
	return time.Time{}, cli.Usagef("--until=%s: name a time (720h), a date (2026-12-01) or both (2026-12-01T12:00:00Z)",
		w.until)
}
