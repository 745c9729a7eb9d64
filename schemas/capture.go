package schemas

import (
	"slices"
	"time"
)

// RecordType says what kind of archive record a capture came from, in the words of the WARC specification
// (section 6 of WARC/1.1, ISO 28500:2017) and "arc" for every record of an ARC file.
type RecordType string

// The record types which become captures.
const (
	TypeResponse   RecordType = "response"
	TypeResource   RecordType = "resource"
	TypeConversion RecordType = "conversion"
	TypeRevisit    RecordType = "revisit"
	TypeARC        RecordType = "arc"
)

// Flag names one thing that is odd about a capture: damage, a limit reached, a digest that does not match.
// A flagged capture is delivered all the same.
type Flag string

// The flags a capture can carry, in the order in which a reader meets their causes.
const (
	FlagInflate  Flag = "inflate"  // its compressed member is damaged: the block ends where decoding failed
	FlagChecksum Flag = "checksum" // the member's CRC32 or ISIZE, or the frame's checksum, does not match
	// nothing vouches for its bytes: its member, which others share, did not pass the checksum, or it has a hole, or is
	// not what its head says, and no checksum or digest says that it was written so
	FlagUnverified Flag = "unverified"
	FlagPartial    Flag = "partial" // the archive ends, or the next record begins, before the block does
	// partial, and the next record has its WARC-Record-ID: the writer was cut off and wrote it again
	FlagSuperseded Flag = "superseded"
	// Content-Length is missing or wrong: the block's end was found by its surroundings
	FlagLength Flag = "length"
	// the record's type is missing or broken: its content, an HTTP response, says what it is
	FlagType Flag = "type"
	// a few bits of the record's head, or of the HTTP head in it, are wrong: a name, a line end, the version, the URL's
	// scheme; the meaning was recognised
	FlagHead     Flag = "damaged_head"
	FlagHeader   Flag = "header"   // the record's head is cut at the header limit
	FlagSegment  Flag = "segment"  // the record is one of several that make it up, and they are not all here
	FlagBody     Flag = "body"     // the body is cut at the body limit
	FlagRatio    Flag = "ratio"    // decoding stopped at the decompression ratio limit
	FlagChunked  Flag = "chunked"  // Transfer-Encoding is declared chunked and the body is not, or ends early
	FlagEncoding Flag = "encoding" // Content-Encoding is declared and the body is not in it, or is damaged
	// beside chunked or encoding: the body was not read to its end, and the crawler does not say that it has cut it
	FlagIncomplete Flag = "incomplete"
	FlagPayload    Flag = "payload_digest" // WARC-Payload-Digest matches neither the raw nor the de-chunked payload
	FlagBlock      Flag = "block_digest"   // WARC-Block-Digest does not match the block
	FlagTimestamp  Flag = "timestamp"      // the capture time is missing or not readable
	FlagHTTP       Flag = "http"           // the block is declared to be HTTP and has no readable head
	// a digest is declared in an algorithm that is not known, or the payload is cut
	FlagUnchecked Flag = "digest_unchecked"
)

// Field is one header field, name and value as archived, with folded lines joined by a space.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Origin is where in which archive a capture stands.
type Origin struct {
	File   string // as the user named it: a path in the form of NameOf, or a URL
	Offset int64  // bytes from the file's start to the member, frame or (uncompressed) record that holds it
	Length int64  // compressed bytes of that member or frame, bytes of the record in an uncompressed file
	// Sequence counts the records that start in the same member, from 0: (File, Offset, Sequence) is unique.
	Sequence int
}

// Capture is one archived exchange. Codecs fill it; they own nothing of it afterwards: all its bytes are the
// receiver's to keep.
type Capture struct {
	URL        string     // the target URI as archived, without the brackets that WARC/1.0 wrote around it
	Timestamp  time.Time  // when it was captured, UTC; zero when the archive does not say
	RecordID   string     // WARC-Record-ID without its brackets; empty for ARC
	RecordType RecordType // the archive's record type
	IP         string     // address of the server, as archived
	Status     int        // HTTP status code, 0 when there is no status line
	Header     []Field    // HTTP header fields as archived; nil when the block is not an HTTP message
	// MIMEDeclared is the media type as the server (or, without HTTP, the archive) declared it, with its
	// parameters, as archived.
	MIMEDeclared string
	// Body is the payload with its transfer and content codings undone, at most the reader's limit long; nil when
	// the reader was asked for heads only.
	Body []byte
	// Digest is the payload digest in the form "algorithm:value": as archived, or computed (sha1, base32) over
	// the payload as archived when the archive has none.
	Digest    string
	RefersTo  *Reference // only of a revisit
	Truncated string     // WARC-Truncated as archived
	Flags     []Flag     // anomalies of the capture, in the order of the Flag constants, no duplicates
	Origin    Origin
	// Crawl is what the crawler said of the capture, under the names of the Crawl constants where they fit; nil for
	// nothing.
	Crawl map[string]string
	// RecordFields are the fields of the record's head for which there is no other place here, as archived. Readers
	// return them only on demand: they are for copies in the same format.
	RecordFields []Field
	// Block is the record's block as archived: HTTP heads and the payload with its codings. Readers return it only on
	// demand, for copies, and only if it is complete and begins with a status line. Otherwise it is nil.
	Block []byte
}

// Values that crawlers add to captures. Values are text in one form, whatever the archive's, so that captures of
// several formats compare.
const (
	// how sure the crawler's classifier was: a decimal number in its shortest form, "0.97"
	CrawlRelevance  = "relevance"
	CrawlRelevant   = "relevant"      // what it decided: "true" or "false"
	CrawlCrawler    = "crawler_id"    // which crawler it was
	CrawlRequested  = "requested_url" // the URL that was asked for, when redirects led from it to Capture.URL
	CrawlHost       = "host"          // the host, when the URL is not known
	CrawlNameSHA256 = "name_sha256"   // hexadecimal hash of the URL, when it is all that is known of it
	CrawlNameMD5    = "name_md5"      // likewise
	CrawlTeam       = "team"          // whose crawl it was
	CrawlPageID     = "page_id"       // what the crawler's database knows the page by
	CrawlKind       = "kind"          // what it took the page for: in a PageStore "url", "file", "rss" or "rssitem"
	CrawlLanguage   = "language"      // in which language, ISO 639-1
	CrawlFeedID     = "feed_id"       // what its database knows the feed by that led to the page
	CrawlFeedURL    = "feed_url"      // the feed that led to the page
	CrawlPublished  = "published"     // when the page was published, by that feed: RFC 3339, UTC
)

// RequestedURL is the URL that the crawler asked for: URL, unless redirects led to that.
func (c *Capture) RequestedURL() string {
	if u := c.Crawl[CrawlRequested]; u != "" {
		return u
	}
	return c.URL
}

// SetCrawl notes what the crawler said, unless it said nothing.
func (c *Capture) SetCrawl(name, value string) {
	if value == "" {
		return
	}
	if c.Crawl == nil {
		c.Crawl = map[string]string{}
	}
	c.Crawl[name] = value
}

// Get returns the value of the first header field called name (any case), or "".
func (c *Capture) Get(name string) string { return FieldValue(c.Header, name) }

// HasFlag reports whether the capture carries f.
func (c *Capture) HasFlag(f Flag) bool {
	return slices.Contains(c.Flags, f)
}

// AddFlag adds f, in its place, unless the capture carries it already.
func (c *Capture) AddFlag(f Flag) {
	if c.HasFlag(f) {
		return
	}
	c.Flags = append(c.Flags, f)
	slices.SortFunc(c.Flags, func(x, y Flag) int { return x.Rank() - y.Rank() })
}

// flagOrder is the order of the Flag constants.
var flagOrder = [...]Flag{
	FlagInflate, FlagChecksum, FlagUnverified, FlagPartial, FlagSuperseded, FlagLength, FlagType, FlagHead, FlagHeader,
	FlagSegment, FlagBody, FlagRatio, FlagChunked, FlagEncoding, FlagIncomplete, FlagPayload, FlagBlock, FlagTimestamp,
	FlagHTTP, FlagUnchecked,
}

// Damages reports whether the flag says that the archive is damaged: that bytes of the record are missing or are others
// than were written, or that it cannot be told that they are not, or that a page could not be read to its end. Limits
// of the reader are not damage, nor is what the crawler says it has cut, an unknown coding, no readable head. A payload
// digest alone is not enough either: the digests of some writers, and of whole corpora, never match. Where nothing else
// vouches for the bytes, the flag unverified is beside these.
func (f Flag) Damages() bool {
	switch f {
	case FlagInflate, FlagChecksum, FlagUnverified, FlagPartial, FlagSuperseded, FlagLength, FlagType, FlagHead,
		FlagSegment, FlagIncomplete, FlagBlock:
		return true
	}
	return false
}

// Damaged reports whether one of the flags says so. It is Document.Damaged, and what the manifest counts as damaged.
func Damaged(flags []Flag) bool { return slices.ContainsFunc(flags, Flag.Damages) }

// cuts are the flags of an incomplete body, and their values of WARC-Truncated (section 5.13 of WARC/1.1).
var cuts = [...]struct {
	flag Flag
	word string
}{
	{FlagBody, "length"},
	{FlagRatio, "length"},
	{FlagPartial, "unspecified"},
	{FlagInflate, "unspecified"},
	{FlagChunked, "unspecified"},
	{FlagIncomplete, "unspecified"},
}

// Cut says in the words of WARC-Truncated why the body is not whole: as archived, "length" when the reader's limits cut
// it, "unspecified" when damage or the end of its chunks did; "" when nothing says that something is missing.
func (c *Capture) Cut() string {
	if c.Truncated != "" {
		return c.Truncated
	}
	for _, cut := range cuts {
		if c.HasFlag(cut.flag) {
			return cut.word
		}
	}
	return ""
}

// Rank is the flag's place in the order in which a capture's flags stand.
func (f Flag) Rank() int {
	for i, known := range flagOrder {
		if f == known {
			return i
		}
	}
	return len(flagOrder)
}
