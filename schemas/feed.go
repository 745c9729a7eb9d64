package schemas

// FeedCapture is a feed in a capture: one line of feeds-*.jsonl. A list of sources is made by grouping the lines by
// URL. docs/documents.md documents every field.
type FeedCapture struct {
	Kind string `json:"kind"` // feed: the capture is this feed; announced: the capture names it
	URL  string `json:"url"`  // of the feed
	Type string `json:"type"` // rss, atom, rdf, json, cdf, opml, sitemap; when announced also websub, self
	// Class is what the feed is of, by its name: main, comments, category, author, page, search, list.
	Class string `json:"class,omitempty"`

	Host   string `json:"host,omitempty"`   // of URL, as in Document
	Domain string `json:"domain,omitempty"` // likewise

	Page      string `json:"page,omitempty"`      // the capture's URL, when announced
	Timestamp string `json:"timestamp,omitempty"` // of the capture, RFC 3339, UTC
	Status    int    `json:"status,omitempty"`

	Version  string     `json:"version,omitempty"` // of the format, as declared
	Title    string     `json:"title,omitempty"`
	Link     string     `json:"link,omitempty"`     // of the site
	Self     string     `json:"self,omitempty"`     // where the feed says that it is
	Language string     `json:"language,omitempty"` // as declared
	Updated  string     `json:"updated,omitempty"`  // the feed's own date, RFC 3339, UTC
	Oldest   string     `json:"oldest,omitempty"`   // of the items' dates
	Newest   string     `json:"newest,omitempty"`
	Count    int        `json:"count,omitempty"` // of items
	Items    []FeedItem `json:"items,omitempty"` // the first of them
	Hubs     []string   `json:"hubs,omitempty"`  // WebSub
	Refresh  *Refresh   `json:"refresh,omitempty"`
	// Truncated says that the body or the items are cut at a limit.
	Truncated bool `json:"truncated,omitempty"`

	Digest   string `json:"digest,omitempty"`
	Filename string `json:"filename"`
	Offset   int64  `json:"offset"`
	Sequence int    `json:"sequence,omitempty"`
}

// FeedItem is an item of a feed, in short.
type FeedItem struct {
	URL       string `json:"url,omitempty"` // of its page
	ID        string `json:"id,omitempty"`  // when it is not the URL
	Title     string `json:"title,omitempty"`
	Published string `json:"published,omitempty"` // RFC 3339, UTC
	Updated   string `json:"updated,omitempty"`   // when it is not Published
}

// Refresh has the hints of a feed and its HTTP head when to visit it again.
type Refresh struct {
	TTL             int      `json:"ttl,omitempty"`              // minutes
	UpdatePeriod    string   `json:"update_period,omitempty"`    // hourly, daily, …
	UpdateFrequency int      `json:"update_frequency,omitempty"` // times in each period
	UpdateBase      string   `json:"update_base,omitempty"`      // RFC 3339, UTC
	SkipHours       []int    `json:"skip_hours,omitempty"`       // 0 to 23, GMT
	SkipDays        []string `json:"skip_days,omitempty"`        // Monday, …
	MaxAge          *int64   `json:"max_age,omitempty"`          // seconds
	Expires         string   `json:"expires,omitempty"`          // RFC 3339, UTC
	ETag            string   `json:"etag,omitempty"`
	LastModified    string   `json:"last_modified,omitempty"` // RFC 3339, UTC
}
