package parquetfile

import (
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// row is a Document as a row of the file. Column names are the JSON names, columns are in the order of the JSON. A
// field that the JSON leaves out when it is empty is optional here: null, not "", 0 or an empty list. The nested
// types differ from those of package schemas in their tags only. Columns with few distinct values have dictionaries.
//
// Dates that pages state have two columns: the point in time, and the text where that says more. See splitDate.
type row struct {
	URL          string    `parquet:"url"`
	SURT         string    `parquet:"surt,optional"`
	Host         string    `parquet:"host,optional,dict"`
	Domain       string    `parquet:"domain,optional,dict"`
	Timestamp    time.Time `parquet:"timestamp,optional,timestamp(microsecond:utc)"`
	Status       int       `parquet:"status,optional,dict"`
	MIMEDeclared string    `parquet:"mime_declared,optional,dict"`
	MIMEDetected string    `parquet:"mime_detected,optional,dict"`
	MIMEBasis    string    `parquet:"mime_basis,optional,dict"`
	MIMEConflict bool      `parquet:"mime_conflict,optional"`
	MIMEInside   string    `parquet:"mime_inside,optional,dict"`
	Charset      string    `parquet:"charset,optional,dict"`
	CharsetBasis string    `parquet:"charset_basis,optional,dict"`

	Language         string     `parquet:"language,optional,dict"`
	Languages        []language `parquet:"languages,optional,list"`
	LanguageDeclared string     `parquet:"language_declared,optional,dict"`
	LanguageConflict bool       `parquet:"language_conflict,optional"`

	Title          string                   `parquet:"title,optional"`
	Description    string                   `parquet:"description,optional"`
	Canonical      string                   `parquet:"canonical,optional"`
	Shortlink      string                   `parquet:"shortlink,optional"`
	Authors        []string                 `parquet:"authors,optional,list"`
	Publisher      string                   `parquet:"publisher,optional,dict"`
	Section        string                   `parquet:"section,optional,dict"`
	Tags           []string                 `parquet:"tags,optional,list"`
	SiteSignals    []string                 `parquet:"site_signals,optional,list"`
	Published      time.Time                `parquet:"published,optional,timestamp(microsecond:utc)"`
	PublishedText  string                   `parquet:"published_text,optional"`
	Modified       time.Time                `parquet:"modified,optional,timestamp(microsecond:utc)"`
	ModifiedText   string                   `parquet:"modified_text,optional"`
	MetaSources    map[string]string        `parquet:"metadata_sources,optional"`
	MetaConfidence map[string]schemas.Float `parquet:"metadata_confidence,optional"`

	Text       string `parquet:"text,optional"`
	TextSource string `parquet:"text_source,optional,dict"`
	MainHTML   string `parquet:"main_html,optional"`

	TemplateBlocks int    `parquet:"template_blocks,optional"`
	PageType       string `parquet:"page_type,optional,dict"`
	TextPath       string `parquet:"text_path,optional,dict"`

	Comments *comments `parquet:"comments,optional"`
	Pages    int       `parquet:"pages,optional"`

	Entities       []entity                   `parquet:"entities,optional,list"`
	Feeds          []feed                     `parquet:"feeds,optional,list"`
	Feed           *feedInfo                  `parquet:"feed,optional"`
	LinksInternal  *int                       `parquet:"links_internal,optional"`
	LinksExternal  *int                       `parquet:"links_external,optional"`
	Custom         map[string][]string        `parquet:"custom,optional" parquet-value:",list"`
	CustomIntegers map[string][]int64         `parquet:"custom_integers,optional" parquet-value:",list"`
	CustomFloats   map[string][]schemas.Float `parquet:"custom_floats,optional" parquet-value:",list"`
	CustomBooleans map[string][]bool          `parquet:"custom_booleans,optional" parquet-value:",list"`
	CustomTimes    map[string][]customTime    `parquet:"custom_times,optional" parquet-value:",list"`
	SourceID       string                     `parquet:"source_id,optional,dict"`
	Simhash        string                     `parquet:"simhash,optional"`
	Quality        *quality                   `parquet:"quality,optional"`

	Digest      string         `parquet:"digest,optional"`
	RecordID    string         `parquet:"record_id,optional"`
	RecordType  string         `parquet:"record_type,dict"`
	RefersTo    *reference     `parquet:"refers_to,optional"`
	Filename    string         `parquet:"filename,dict"`
	Offset      int64          `parquet:"offset"`
	Length      int64          `parquet:"length"`
	Sequence    int            `parquet:"sequence,optional"`
	BodyBytes   int64          `parquet:"body_bytes"`
	IP          string         `parquet:"ip,optional,dict"`
	RedirectURL string         `parquet:"redirect_url,optional"`
	Truncated   string         `parquet:"truncated,optional,dict"`
	Flags       []schemas.Flag `parquet:"flags,optional,list"`
	Damaged     bool           `parquet:"damaged,optional"`

	Crawl  map[string]string `parquet:"crawl,optional"`
	Errors []stageError      `parquet:"errors,optional,list"`
}

// Optional fields of what is in a list are pointers: see batch.

type language struct {
	Code       string        `parquet:"code"`
	Script     *string       `parquet:"script,optional,dict"`
	Share      schemas.Float `parquet:"share"`
	Confidence schemas.Float `parquet:"confidence"`
}

type entity struct {
	Type       string         `parquet:"type,dict"`
	Text       string         `parquet:"text"`
	Count      *int           `parquet:"count,optional"`
	Mentions   []span         `parquet:"mentions,optional,list"`
	Source     string         `parquet:"source,dict"`
	ID         *string        `parquet:"id,optional"`
	Confidence *schemas.Float `parquet:"confidence,optional"`
}

type span struct {
	Start int `parquet:"start"`
	End   int `parquet:"end"`
}

type feed struct {
	URL   string  `parquet:"url"`
	Type  string  `parquet:"type,dict"`
	Title *string `parquet:"title,optional"`
}

type feedInfo struct {
	Type   string `parquet:"type,dict"`
	Title  string `parquet:"title,optional"`
	Link   string `parquet:"link,optional"`
	Items  int    `parquet:"items"`
	Newest string `parquet:"newest,optional"`
}

type comments struct {
	Text  string `parquet:"text,optional"`
	Count int    `parquet:"count"`
}

type quality struct {
	Words           int           `parquet:"words"`
	Characters      int           `parquet:"characters"`
	MeanWordLength  schemas.Float `parquet:"mean_word_length"`
	SymbolRatio     schemas.Float `parquet:"symbol_ratio"`
	BulletLines     schemas.Float `parquet:"bullet_lines"`
	EllipsisLines   schemas.Float `parquet:"ellipsis_lines"`
	AlphabeticWords schemas.Float `parquet:"alphabetic_words"`
	StopWords       int           `parquet:"stop_words"`
	DuplicateLines  schemas.Float `parquet:"duplicate_lines"`
	DuplicateChars  schemas.Float `parquet:"duplicate_chars"`
	TopBigram       schemas.Float `parquet:"top_bigram"`
	TopTrigram      schemas.Float `parquet:"top_trigram"`
	GopherPass      bool          `parquet:"gopher_pass"`
}

type reference struct {
	RecordID  string `parquet:"record_id,optional"`
	URL       string `parquet:"url,optional"`
	Timestamp string `parquet:"timestamp,optional"`
	Profile   string `parquet:"profile,optional"`
}

type stageError struct {
	Stage   string       `parquet:"stage,dict"`
	Kind    schemas.Kind `parquet:"kind,dict"`
	Message string       `parquet:"message"`
}

// customTime is a time of a custom column. Tags can say of a field that it is in microseconds, and of the elements of a
// list in a map they cannot: parquet-go would write nanoseconds, which Iceberg does not know.
type customTime struct {
	Time time.Time `parquet:"time,timestamp(microsecond:utc)"`
}
