package schemas

// Source is a feed that publishes pages, as the Source DB knows it: one line of sources-*.jsonl. docs/sources.md
// documents every field. Times are RFC 3339, UTC; shares are 0 to 1.
type Source struct {
	ID        string   `json:"source_id"` // 16 hexadecimal digits, of the key of URL
	URL       string   `json:"url"`       // of the feed
	Canonical string   `json:"canonical"` // by rules: feeds with the same one may be one source
	Aliases   []Alias  `json:"aliases,omitempty"`
	SameAs    *SameAs  `json:"same_as,omitempty"` // the source that this one is merged into, by evidence
	Type      string   `json:"type,omitempty"`    // rss, atom, rdf, json, sitemap, …
	Class     string   `json:"class"`             // main, comments, category, author, page, search, list or the like
	Title     string   `json:"title,omitempty"`
	Link      string   `json:"link,omitempty"` // of the site
	Host      string   `json:"host,omitempty"`
	Domain    string   `json:"domain,omitempty"`
	Verdict   string   `json:"verdict"` // valid, rejected, undecided
	Reasons   []string `json:"reasons"` // why not valid; empty of a valid one
	Evidence  Evidence `json:"evidence"`

	Language  string         `json:"language,omitempty"` // main one of the pages, else as declared
	Languages []Language     `json:"languages,omitempty"`
	Entities  []SourceEntity `json:"entities,omitempty"`
	Publisher string         `json:"publisher_type,omitempty"` // kind of site, in Datastreamer's words

	Refresh  SourceRefresh   `json:"refresh"`
	Health   SourceHealth    `json:"health"`
	Template *SourceTemplate `json:"template,omitempty"`
	Pages    []SourcePage    `json:"pages"` // the newest captured, 10 at most

	FirstSeen      string `json:"first_seen,omitempty"`
	LastRefresh    string `json:"last_refresh,omitempty"`    // the last capture of the feed
	LastValidation string `json:"last_validation,omitempty"` // the last capture of the feed or of one of its pages
	LastChanged    string `json:"last_changed,omitempty"`    // the capture since which the feed has its present bytes
	LastItem       string `json:"last_item,omitempty"`       // the date of the newest item
}

// IsFeed reports whether feed readers take the source: sitemaps and lists of feeds are for crawlers alone.
func (s *Source) IsFeed() bool { return s.Type != "sitemap" && s.Type != "opml" }

// Alias is another URL of the same feed.
type Alias struct {
	URL      string `json:"url"`
	Evidence string `json:"evidence"` // redirect, self, items; said where a feed names a URL and nothing confirms it
}

// SameAs names the source that has all data of a feed and of its duplicates.
type SameAs struct {
	ID       string `json:"source_id"`
	URL      string `json:"url"`
	Evidence string `json:"evidence"` // redirect, self, items
}

// Evidence is what a source's verdict rests on.
type Evidence struct {
	Items      int   `json:"items"`
	Distinct   Float `json:"distinct_links"`
	OnSite     Float `json:"on_site"`
	Comments   Float `json:"comments"`
	Filler     Float `json:"placeholders"`
	Spam       Float `json:"spam"`
	Announced  int   `json:"announced"` // pages that name the feed, 16 at most
	Captured   int   `json:"captured"`  // items whose page is captured
	Answered   Float `json:"answered"`
	Duplicates Float `json:"duplicates"`
	Agreeing   Float `json:"titles_agree"`
	Articles   Float `json:"articles"`
	Written    Float `json:"with_text"`
	Words      int   `json:"words"` // of a page, median
}

// SourceEntity is something that a source's pages name more than other sources' do.
type SourceEntity struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Pages int    `json:"pages"` // that name it
}

// SourceRefresh says how often a source publishes and when to visit it.
type SourceRefresh struct {
	Rate     Float  `json:"rate"`     // items a day
	Interval Float  `json:"interval"` // hours between visits
	Next     string `json:"next,omitempty"`
	Basis    string `json:"basis"`            // dates, first_seen, none
	Window   int    `json:"window,omitempty"` // items that the feed shows at a time
	Lost     int    `json:"lost"`             // visits of which all items were new: some may have been lost before
}

// SourceHealth reports whether a source is alive.
type SourceHealth struct {
	State    string `json:"state"`    // live, dormant, gone, unseen
	Failures Float  `json:"failures"` // of the last visits: a hard one 1, a soft one 0.5, a temporary one 0.25
	Last     []int  `json:"last"`     // HTTP statuses of the last visits, newest first, 10 at most
}

// SourceTemplate is where the text is in a source's pages.
type SourceTemplate struct {
	Path    string `json:"path"`    // tags from the top down, a selector of CSS: "html>body>main>article.post"
	Support Float  `json:"support"` // share of the pages that have it
	Pages   int    `json:"pages"`   // whose path is known
	Recent  Float  `json:"recent"`  // share of the ten newest that have it: less than 0.4 is drift, as after a redesign
}

// SourcePage is a captured page of a source.
type SourcePage struct {
	URL       string `json:"url"`
	Timestamp string `json:"timestamp"`           // of the capture
	Published string `json:"published,omitempty"` // by the feed
	Title     string `json:"title,omitempty"`
	Filename  string `json:"filename,omitempty"`
	Offset    int64  `json:"offset"`
}
