package schemas

// Document is an enriched capture: one line of documents-*.jsonl. Names are those of the Common Crawl index and of
// Datastreamer where the meaning is the same. docs/documents.md documents every field.
//
// Other packages read the tags and comments of the fields as a table: see Column.
type Document struct {
	// target URI as archived; empty if the archive has none
	URL string `json:"url" field:"id=1,by=capture,index"`
	// sort key of url: host reversed, path and query canonicalized
	SURT string `json:"surt,omitempty" field:"id=2,by=capture,index"`
	// host of url: lower case, IDN in punycode, no port
	Host string `json:"host,omitempty" field:"id=3,dict,by=capture,index"`
	// registrable domain by the Public Suffix List; host if there is none
	Domain string `json:"domain,omitempty" field:"id=4,dict,by=capture,index"`
	// time of the capture: RFC 3339, UTC
	Timestamp string `json:"timestamp,omitempty" field:"id=5,moment,by=capture,index"`
	// HTTP status code
	Status int `json:"status,omitempty" field:"id=6,dict,by=capture,index"`
	// media type that HTTP or the archive declares
	MIMEDeclared string `json:"mime_declared,omitempty" field:"id=7,dict,by=capture,index"`
	// media type by the bytes of the body
	MIMEDetected string `json:"mime_detected,omitempty" field:"id=8,dict,by=mime,index"`
	// evidence for mime_detected: magic, structure, name, declared or empty
	MIMEBasis string `json:"mime_basis,omitempty" field:"id=9,dict,by=mime"`
	// whether the declared type differs from the detected one
	MIMEConflict bool `json:"mime_conflict,omitempty" field:"id=10,by=mime,index"`
	// media type of what a gzip body holds
	MIMEInside string `json:"mime_inside,omitempty" field:"id=11,dict,by=mime,index"`
	// encoding of the body, by its name in the WHATWG Encoding Standard
	Charset string `json:"charset,omitempty" field:"id=12,dict,by=charset,index"`
	// evidence for charset: bom, utf8, header, meta, guess or default
	CharsetBasis string `json:"charset_basis,omitempty" field:"id=13,dict,by=charset"`

	// main language of text: ISO 639-1, else 639-3; und if unknown
	Language string `json:"language,omitempty" field:"id=14,dict,by=language,index"`
	// languages with at least 5 % of text, the largest share first
	Languages []Language `json:"languages,omitempty" field:"id=15,by=language,in=language,index"`
	// language that the page declares, unchecked; meant to be BCP 47
	LanguageDeclared string `json:"language_declared,omitempty" field:"id=21,dict,by=language,index"`
	// whether language differs from the declared one
	LanguageConflict bool `json:"language_conflict,omitempty" field:"id=22,by=language,in=language,index"`

	// headline of the page, without the site's name
	Title string `json:"title,omitempty" field:"id=23,by=metadata,index=text"`
	// summary that the page gives
	Description string `json:"description,omitempty" field:"id=24,long,by=metadata,index=text"`
	// URL that the page gives for itself
	Canonical string `json:"canonical,omitempty" field:"id=25,by=metadata,index"`
	// short URL that the page gives for itself
	Shortlink string `json:"shortlink,omitempty" field:"id=26,by=metadata"`
	// names of the authors
	Authors []string `json:"authors,omitempty" field:"id=27,by=metadata,index"`
	// name of the publisher
	Publisher string `json:"publisher,omitempty" field:"id=29,dict,by=metadata,index"`
	// section of the site that the page is in
	Section string `json:"section,omitempty" field:"id=30,dict,by=metadata,index"`
	// keywords and tags that the page gives
	Tags []string `json:"tags,omitempty" field:"id=31,by=metadata,index"`
	// signs that the site publishes news: departments that it links to, NewsArticle, NewsMediaOrganization
	SiteSignals []string `json:"site_signals,omitempty" field:"id=122,by=metadata,index"`
	// when the page was published: RFC 3339, or a date alone
	Published string `json:"published,omitempty" field:"id=33,date,by=metadata,index"`
	// when the page was changed: RFC 3339, or a date alone
	Modified string `json:"modified,omitempty" field:"id=35,date,by=metadata,index"`
	// source of each of these values, by field
	MetaSources map[string]string `json:"metadata_sources,omitempty" field:"id=150,by=metadata"`
	// share of values from the same evidence that were right on a labelled set, 0 to 1, by field
	MetaConfidence map[string]Float `json:"metadata_confidence,omitempty" field:"id=154,by=metadata"`

	// main text
	Text string `json:"text,omitempty" field:"id=43,long,by=text,in=text,index=text"`
	// where text comes from: html, noscript, jsonld, json, plain, or the format of a document
	TextSource string `json:"text_source,omitempty" field:"id=44,dict,by=text,in=text,index"`
	// main content as sanitized HTML
	MainHTML string `json:"main_html,omitempty" field:"id=45,long,by=text,in=text"`
	// blocks that are left out of text because they stand on many pages of the host
	TemplateBlocks int `json:"template_blocks,omitempty" field:"id=46,count,by=text,in=text,index"`
	// article, forum, product, collection, listing, documentation or service
	PageType string `json:"page_type,omitempty" field:"id=47,dict,by=text,in=text,index"`
	// CSS selector of the element that holds text; pages of one template have the same
	TextPath string `json:"text_path,omitempty" field:"id=121,dict,by=text,in=text,index"`
	// readers' comments below a post, which text does not have
	Comments *Comments `json:"comments,omitempty" field:"id=141,by=text,in=text,index"`
	// posts of a forum, or of questions and answers, in the order of the page
	Posts []Post `json:"posts,omitempty" field:"id=144,by=text,in=text,index"`
	// pages, slides or sheets of a document that is not HTML
	Pages int `json:"pages,omitempty" field:"id=48,by=metadata,in=text,index"`
	// PDF: pages that need OCR; 0 if none does
	NeedsOCRPages *int `json:"needs_ocr_pages,omitempty" field:"id=228,by=metadata,in=text,index"`
	// PDF: which pages need OCR, and why
	NeedsOCR []OCRNeed `json:"needs_ocr,omitempty" field:"id=229,by=metadata,in=text,index"`
	// PDF: languages of the pages, in order
	PageLanguages []PageLanguage `json:"page_languages,omitempty" field:"id=234,by=language,in=language,index"`

	// entities that the page names, each once
	Entities []Entity `json:"entities,omitempty" field:"id=49,by=entities,in=entities,index"`
	// why people and organizations were not sought in the text: unknown_language, or language if the tagger has no
	// model of it
	NamesReason string `json:"names_reason,omitempty" field:"id=222,dict,by=entities,in=entities"`
	// feeds that the page announces
	Feeds []Feed `json:"feeds,omitempty" field:"id=61,by=feeds,in=feeds"`
	// the feed, if the capture is a feed
	Feed *FeedInfo `json:"feed,omitempty" field:"id=66,by=feeds,in=feeds"`
	// statements for machines about the use of the page, or of the host's pages if the capture is a file about them
	Rights []Right `json:"rights,omitempty" field:"id=203,by=rights,in=rights,index"`
	// licences that the page states, those of the page itself first
	Licenses []License `json:"licenses,omitempty" field:"id=210,by=licenses,in=rights,index"`
	// kinds of items in the structured data of the page, in its order: those of JSON-LD first
	Data []DataType `json:"data,omitempty" field:"id=223,by=data,index"`
	// distinct URLs that the page links to on its own site
	LinksInternal *int `json:"links_internal,omitempty" field:"id=72,by=links,in=links,index"`
	// distinct URLs that the page links to on other sites
	LinksExternal *int `json:"links_external,omitempty" field:"id=73,by=links,in=links,index"`
	// the image, if the capture is an image
	Image *Image `json:"image,omitempty" field:"id=187,by=images,in=images,index"`
	// images that the page shows, each URL once
	Images []PageImage `json:"images,omitempty" field:"id=197,by=images,in=images,index"`
	// texts that selectors and extractors of one's own find, by column
	Custom map[string][]string `json:"custom,omitempty" field:"id=162"`
	// whole numbers that extractors of one's own find, by column: see ValueType
	CustomIntegers map[string][]int64 `json:"custom_integers,omitempty" field:"id=167"`
	// numbers that extractors of one's own find, by column
	CustomFloats map[string][]Float `json:"custom_floats,omitempty" field:"id=172"`
	// true or false, as extractors of one's own find, by column
	CustomBooleans map[string][]bool `json:"custom_booleans,omitempty" field:"id=177"`
	// times that extractors of one's own find, by column: RFC 3339, UTC, whole microseconds
	CustomTimes map[string][]string `json:"custom_times,omitempty" field:"id=182,moment"`
	// source that the capture belongs to; no pipeline fills it yet
	SourceID string `json:"source_id,omitempty" field:"id=78,dict,index"`
	// 64 bits in 16 hexadecimal digits; similar texts differ in few bits
	Simhash string `json:"simhash,omitempty" field:"id=79,by=neardup,in=neardup,index"`
	// how favourable the text is
	Sentiment *Sentiment `json:"sentiment,omitempty" field:"id=217,by=sentiment,in=sentiment,index"`
	// statistics of text
	Quality *Quality `json:"quality,omitempty" field:"id=80,by=quality,in=quality,index"`

	// payload digest, algorithm:value
	Digest string `json:"digest,omitempty" field:"id=94,by=capture,index"`
	// WARC-Record-ID, without brackets
	RecordID string `json:"record_id,omitempty" field:"id=95,by=capture,index"`
	// response, resource, conversion, revisit or arc
	RecordType RecordType `json:"record_type" field:"id=96,dict,by=capture,index"`
	// earlier capture that a revisit refers to
	RefersTo *Reference `json:"refers_to,omitempty" field:"id=97,by=capture"`
	// archive, as it was named
	Filename string `json:"filename" field:"id=102,dict,by=capture,index"`
	// bytes from the file's start to the member in which the record begins
	Offset int64 `json:"offset" field:"id=103,by=capture,index"`
	// bytes from offset to the end of the last member that holds the record, compressed
	Length int64 `json:"length" field:"id=104,by=capture,index"`
	// number of the record among those that begin at offset, from 0
	Sequence int `json:"sequence,omitempty" field:"id=105,count,by=capture,index"`
	// bytes of the decoded body
	BodyBytes int64 `json:"body_bytes" field:"id=106,by=capture,index"`
	// address of the server, as archived
	IP string `json:"ip,omitempty" field:"id=107,dict,by=capture,index"`
	// Location of a redirect
	RedirectURL string `json:"redirect_url,omitempty" field:"id=108,index"`
	// why the record was cut: length, time, disconnect, …
	Truncated string `json:"truncated,omitempty" field:"id=109,dict,by=capture,index"`
	// peculiarities of the capture
	Flags []Flag `json:"flags,omitempty" field:"id=110,by=capture,index"`
	// whether one of flags says that the archive is damaged: see Flag.Damages
	Damaged bool `json:"damaged,omitempty" field:"id=112,by=capture,index"`

	// data of the crawler about the capture, by its keys
	Crawl map[string]string `json:"crawl,omitempty" field:"id=158,by=capture"`
	// failures of extractors
	Errors []StageError `json:"errors,omitempty" field:"id=116"`
}

// Comments are readers' comments below a post.
type Comments struct {
	Text  string `json:"text,omitempty" field:"long,index=text"` // plain, with an empty line between two comments
	Count int    `json:"count" field:"index"`                    // how many comments there are
}

// Post is a contribution to a thread.
type Post struct {
	Kind   string `json:"kind" field:"dict,index"`                // post, question, answer or comment
	Author string `json:"author,omitempty" field:"index"`         // name, as the page shows it
	Date   string `json:"date,omitempty" field:"time,index"`      // RFC 3339, or a date alone
	Text   string `json:"text,omitempty" field:"long,index=text"` // its part of the main text, plain
}

// Right is a statement about the use of pages, such as an opt-out or a reservation: see docs/rights.md.
type Right struct {
	Signal string `json:"signal" field:"dict,index,copy=rights_signals"` // noai, tdm-reservation, disallow, …
	Value  string `json:"value,omitempty" field:"dict,index"`            // n, 1, a number, a date, a URL
	Agent  string `json:"agent,omitempty" field:"dict,index"`            // crawler that it is for; empty or * for all
	Path   string `json:"path,omitempty" field:"index"`                  // pages of the host that it is about
	// where it stands: x-robots-tag, meta, robots.txt, …
	Basis string `json:"basis" field:"dict,index"`
}

// Sentiment says how favourable a text is.
type Sentiment struct {
	Score    Float `json:"score" field:"index"`              // -1 to 1
	Positive int   `json:"positive,omitempty" field:"index"` // words in favour
	Negative int   `json:"negative,omitempty" field:"index"` // words against
}

// License is a licence that a page states.
type License struct {
	// SPDX identifier; without a version if the page gives none; LicenseRef-AllRightsReserved
	Name       string `json:"name" field:"dict,index,copy=license_names"`
	URL        string `json:"url,omitempty" field:"dict,index"`   // where the page links to
	Scope      string `json:"scope" field:"dict,index"`           // page, picture or part
	Basis      string `json:"basis" field:"dict,index"`           // header, rel, jsonld, microdata, meta, link or text
	Confidence Float  `json:"confidence,omitempty" field:"index"` // 0 to 1
}

// DataType is a kind of items in the structured data of a page: see docs/data.md.
type DataType struct {
	// first type of the items; bare if it is one of schema.org, a URL in RDFa; empty if they have none
	Type   string `json:"type" field:"dict,index,copy=data_types"`
	Syntax string `json:"syntax" field:"dict,index"` // json-ld, microdata, microformats, opengraph, rdfa, …
	Items  int    `json:"items" field:"index"`       // how many, with those that are values of others
}

// OCRNeed is a range of pages that need optical character recognition.
type OCRNeed struct {
	First  int    `json:"first" field:"index"`       // page, from 1
	Last   int    `json:"last" field:"index"`        // page, from 1
	Reason string `json:"reason" field:"dict,index"` // image, outlines, poor_text or broken_encoding
}

// PageLanguage is a range of pages in one language.
type PageLanguage struct {
	First int    `json:"first" field:"index"`     // page, from 1
	Last  int    `json:"last" field:"index"`      // page, from 1
	Code  string `json:"code" field:"dict,index"` // ISO 639-1, else 639-3
}

// Language is one language of a document.
type Language struct {
	// ISO 639-1, else 639-3; und if unknown
	Code       string `json:"code" field:"index,copy=language_codes"`
	Script     string `json:"script,omitempty" field:"dict,index"` // ISO 15924, of languages that are written in several
	Share      Float  `json:"share" field:"index"`                 // of the text, 0 to 1
	Confidence Float  `json:"confidence" field:"index"`            // 0 to 1
}

// Entity is something named in a document.
type Entity struct {
	// person organization place product event work email phone url doi isbn issn orcid iban hashtag handle date money
	Type string `json:"type" field:"dict,index"`
	// as written
	Text  string `json:"text" field:"index=names,copy=entity_names"`
	Count int    `json:"count,omitempty" field:"index"` // mentions in the document's text; absent if it is not there
	// the first hundred mentions
	Mentions []Span `json:"mentions,omitempty"`
	// the layer that named it: jsonld, microdata, link, pattern, tagger, gazetteer
	Source string `json:"source" field:"dict,index"`
	// canonical form or identifier: a URL, +E.164, ISBN-13, YYYY-MM-DD, …
	ID         string `json:"id,omitempty" field:"index"`
	Confidence Float  `json:"confidence,omitempty" field:"index"` // 0 to 1
	// of the sentences that name it, -1 to 1
	Sentiment *Float `json:"sentiment,omitempty" field:"id=221,by=sentiment,index"`
}

// Span is a part of Document.Text, in bytes of UTF-8.
type Span struct {
	Start int `json:"start"` // offset of its first byte
	End   int `json:"end"`   // offset of the byte after it
}

// Feed is a feed that a page announces.
type Feed struct {
	URL   string `json:"url"`               // absolute
	Type  string `json:"type" field:"dict"` // rss, atom, rdf, json, websub, self, opml, sitemap
	Title string `json:"title,omitempty"`   // as announced
}

// FeedInfo describes a capture that is itself a feed.
type FeedInfo struct {
	Type   string `json:"type" field:"dict"`             // rss, atom, rdf, json, cdf, opml, sitemap
	Title  string `json:"title,omitempty"`               // without markup
	Link   string `json:"link,omitempty"`                // URL of the site
	Items  int    `json:"items"`                         // how many items it has
	Newest string `json:"newest,omitempty" field:"time"` // latest date of its items: RFC 3339, UTC
}

// Image describes a capture that is itself an image.
type Image struct {
	// jpeg, png, gif, webp, bmp, tiff, avif, heic, ico or svg
	Format string `json:"format" field:"dict,index"`
	Width  int    `json:"width,omitempty" field:"index"`  // pixels, of the upright image
	Height int    `json:"height,omitempty" field:"index"` // pixels, of the upright image
	Frames int    `json:"frames,omitempty" field:"index"` // of an animation, pages of a TIFF file, or sizes of an icon
	// perceptual hash, 64 bits in 16 hexadecimal digits; similar images differ in few bits
	PHash string `json:"phash,omitempty" field:"index"`
	// fields that the camera or an editor wrote, by their names in EXIF
	EXIF map[string]string `json:"exif,omitempty" field:"index"`
}

// PageImage is an image that a page shows.
type PageImage struct {
	URL     string `json:"url" field:"index"`                         // absolute, without its fragment
	Alt     string `json:"alt,omitempty" field:"index=text"`          // alternative text, or else the title
	Caption string `json:"caption,omitempty" field:"long,index=text"` // of the figure around it
	Source  string `json:"source" field:"dict,index"`                 // img, srcset, video, input or meta
}

// Quality holds the text statistics of the Gopher paper (Rae et al. 2021, arXiv 2112.11446, appendix A.1.1) as
// columns; nothing is filtered by them. Shares are 0 to 1.
type Quality struct {
	Words           int   `json:"words" field:"index"`            // in scripts without spaces, characters
	Characters      int   `json:"characters" field:"index"`       // code points that are not white space
	MeanWordLength  Float `json:"mean_word_length" field:"index"` // characters
	SymbolRatio     Float `json:"symbol_ratio" field:"index"`     // hash signs and ellipses a word
	BulletLines     Float `json:"bullet_lines" field:"index"`     // share of lines that begin with a bullet
	EllipsisLines   Float `json:"ellipsis_lines" field:"index"`   // share of lines that end with an ellipsis
	AlphabeticWords Float `json:"alphabetic_words" field:"index"` // share of words with a letter
	StopWords       int   `json:"stop_words" field:"index"`       // distinct stop words of the language; 0 without a list
	DuplicateLines  Float `json:"duplicate_lines" field:"index"`  // share of lines that repeat an earlier one
	DuplicateChars  Float `json:"duplicate_chars" field:"index"`  // share of characters in such lines
	TopBigram       Float `json:"top_bigram" field:"index"`       // share of characters in the most frequent pair of words
	TopTrigram      Float `json:"top_trigram" field:"index"`      // likewise, of three words
	GopherPass      bool  `json:"gopher_pass" field:"index"`      // whether the paper's filter would keep it
}

// Reference says which earlier capture a revisit refers to (section 6.7 of WARC/1.1).
type Reference struct {
	RecordID  string `json:"record_id,omitempty"`              // WARC-Refers-To
	URL       string `json:"url,omitempty"`                    // WARC-Refers-To-Target-URI
	Timestamp string `json:"timestamp,omitempty" field:"time"` // WARC-Refers-To-Date: RFC 3339, UTC
	Profile   string `json:"profile,omitempty"`                // WARC-Profile
}

// StageError is a transform's failure on one document; the rest of the document is as if it had not been asked.
type StageError struct {
	Stage   string `json:"stage" field:"dict"` // the transform
	Kind    Kind   `json:"kind" field:"dict"`  // kind of failure
	Message string `json:"message"`            // for a person
}
