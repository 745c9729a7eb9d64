package schemas

// Document is an enriched capture: one line of documents-*.jsonl. Names are those of the Common Crawl index and of
// Datastreamer where the meaning is the same. docs/documents.md documents every field.
type Document struct {
	URL  string `json:"url"`
	SURT string `json:"surt,omitempty"`
	Host string `json:"host,omitempty"` // of URL: lower case, IDN in punycode, no port
	// the registrable one by the Public Suffix List; Host where there is none
	Domain       string `json:"domain,omitempty"`
	Timestamp    string `json:"timestamp,omitempty"` // RFC 3339, UTC
	Status       int    `json:"status,omitempty"`
	MIMEDeclared string `json:"mime_declared,omitempty"`
	MIMEDetected string `json:"mime_detected,omitempty"`
	MIMEBasis    string `json:"mime_basis,omitempty"`
	MIMEConflict bool   `json:"mime_conflict,omitempty"` // the declared type differs from the detected one
	MIMEInside   string `json:"mime_inside,omitempty"`   // of what a gzip body holds
	Charset      string `json:"charset,omitempty"`
	CharsetBasis string `json:"charset_basis,omitempty"`

	Language         string     `json:"language,omitempty"` // ISO 639-1, else 639-3; und if unknown
	Languages        []Language `json:"languages,omitempty"`
	LanguageDeclared string     `json:"language_declared,omitempty"` // BCP 47, as declared
	LanguageConflict bool       `json:"language_conflict,omitempty"` // Language differs from the declared one

	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Canonical   string   `json:"canonical,omitempty"`
	Shortlink   string   `json:"shortlink,omitempty"`
	Authors     []string `json:"authors,omitempty"`
	Publisher   string   `json:"publisher,omitempty"`
	Section     string   `json:"section,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	// SiteSignals are what tells that the page's site publishes news: departments that it links to, NewsArticle,
	// NewsMediaOrganization.
	SiteSignals []string          `json:"site_signals,omitempty"`
	Published   string            `json:"published,omitempty"` // RFC 3339, or a date alone
	Modified    string            `json:"modified,omitempty"`  // RFC 3339, or a date alone
	MetaSources map[string]string `json:"metadata_sources,omitempty"`
	// MetaConfidence is the share of such values that were right on a labelled set, 0 to 1.
	MetaConfidence map[string]Float `json:"metadata_confidence,omitempty"`

	Text       string `json:"text,omitempty"`
	TextSource string `json:"text_source,omitempty"`
	MainHTML   string `json:"main_html,omitempty"`
	// TemplateBlocks counts the page's blocks that were left out of Text because they stand on many pages of the host.
	TemplateBlocks int    `json:"template_blocks,omitempty"`
	PageType       string `json:"page_type,omitempty"`
	// TextPath is where the text is in the page, as a selector of CSS: pages of one template have the same.
	TextPath string `json:"text_path,omitempty"`
	// Comments are what readers wrote below the text, which does not have it.
	Comments *Comments `json:"comments,omitempty"`
	Pages    int       `json:"pages,omitempty"` // pages, slides or sheets of a document that is not a page

	Entities      []Entity            `json:"entities,omitempty"`
	Feeds         []Feed              `json:"feeds,omitempty"`
	Feed          *FeedInfo           `json:"feed,omitempty"`
	LinksInternal *int                `json:"links_internal,omitempty"`
	LinksExternal *int                `json:"links_external,omitempty"`
	Custom        map[string][]string `json:"custom,omitempty"`
	// Values of extractors whose columns have types: see ValueType.
	CustomIntegers map[string][]int64  `json:"custom_integers,omitempty"`
	CustomFloats   map[string][]Float  `json:"custom_floats,omitempty"`
	CustomBooleans map[string][]bool   `json:"custom_booleans,omitempty"`
	CustomTimes    map[string][]string `json:"custom_times,omitempty"` // RFC 3339, UTC, whole microseconds
	SourceID       string              `json:"source_id,omitempty"`
	Simhash        string              `json:"simhash,omitempty"` // 16 hexadecimal digits
	Quality        *Quality            `json:"quality,omitempty"`

	Digest      string     `json:"digest,omitempty"`
	RecordID    string     `json:"record_id,omitempty"`
	RecordType  RecordType `json:"record_type"`
	RefersTo    *Reference `json:"refers_to,omitempty"`
	Filename    string     `json:"filename"`
	Offset      int64      `json:"offset"`
	Length      int64      `json:"length"`
	Sequence    int        `json:"sequence,omitempty"` // of the records that begin at the same offset, from 0
	BodyBytes   int64      `json:"body_bytes"`
	IP          string     `json:"ip,omitempty"`
	RedirectURL string     `json:"redirect_url,omitempty"`
	Truncated   string     `json:"truncated,omitempty"`
	Flags       []Flag     `json:"flags,omitempty"`
	Damaged     bool       `json:"damaged,omitempty"` // the archive is: one of Flags says so, see Flag.Damages

	Crawl  map[string]string `json:"crawl,omitempty"`
	Errors []StageError      `json:"errors,omitempty"`
}

// Comments are readers' comments below a post.
type Comments struct {
	Text  string `json:"text,omitempty"` // plain, with an empty line between two comments
	Count int    `json:"count"`
}

// Language is one language of a document.
type Language struct {
	Code       string `json:"code"`             // ISO 639-1, else 639-3; und if unknown
	Script     string `json:"script,omitempty"` // ISO 15924, of languages that are written in several
	Share      Float  `json:"share"`            // of the text, 0 to 1
	Confidence Float  `json:"confidence"`       // 0 to 1
}

// Entity is something named in a document.
type Entity struct {
	// person organization place product event work email phone url doi isbn issn orcid iban hashtag handle date money
	Type     string `json:"type"`
	Text     string `json:"text"`               // as written
	Count    int    `json:"count,omitempty"`    // mentions in Document.Text; absent when it is not there
	Mentions []Span `json:"mentions,omitempty"` // the first hundred of them
	// the layer that named it: jsonld, microdata, link, pattern, tagger, gazetteer
	Source     string `json:"source"`
	ID         string `json:"id,omitempty"` // canonical form or identifier: a URL, +E.164, ISBN-13, YYYY-MM-DD, …
	Confidence Float  `json:"confidence,omitempty"`
}

// Span is a part of Document.Text, in bytes of UTF-8.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Feed is a feed that a page announces.
type Feed struct {
	URL   string `json:"url"`
	Type  string `json:"type"` // rss, atom, rdf, json, websub, self, opml, sitemap
	Title string `json:"title,omitempty"`
}

// FeedInfo describes a capture that is itself a feed.
type FeedInfo struct {
	Type   string `json:"type"` // rss, atom, rdf, json, cdf, opml, sitemap
	Title  string `json:"title,omitempty"`
	Link   string `json:"link,omitempty"`
	Items  int    `json:"items"`
	Newest string `json:"newest,omitempty"` // RFC 3339, UTC
}

// Quality holds the text statistics of the Gopher paper (Rae et al. 2021, arXiv 2112.11446, appendix A.1.1) as
// columns; nothing is filtered by them. Shares are 0 to 1.
type Quality struct {
	Words           int   `json:"words"`
	Characters      int   `json:"characters"`
	MeanWordLength  Float `json:"mean_word_length"` // characters
	SymbolRatio     Float `json:"symbol_ratio"`     // hash signs and ellipses a word
	BulletLines     Float `json:"bullet_lines"`     // share of lines that begin with a bullet
	EllipsisLines   Float `json:"ellipsis_lines"`   // share of lines that end with an ellipsis
	AlphabeticWords Float `json:"alphabetic_words"` // share of words with a letter
	StopWords       int   `json:"stop_words"`       // distinct stop words of the language; absent lists count 0
	DuplicateLines  Float `json:"duplicate_lines"`  // share of lines that repeat an earlier one
	DuplicateChars  Float `json:"duplicate_chars"`  // share of characters in such lines
	TopBigram       Float `json:"top_bigram"`       // share of characters in the most frequent 2-gram of words
	TopTrigram      Float `json:"top_trigram"`      // likewise 3-gram
	GopherPass      bool  `json:"gopher_pass"`      // whether the paper's filter would keep it
}

// StageError is a transform's failure on one document; the rest of the document is as if it had not been asked.
type StageError struct {
	Stage   string `json:"stage"`
	Kind    Kind   `json:"kind"`
	Message string `json:"message"`
}
