package pagestore

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/feed"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

// writer writes a PageStore. Captures come in any order, even a page before its feed. So bodies wait in a temporary
// file, and lines and the feeds' items in memory.
type writer struct {
	dump.Losses
	sink     dump.Sink
	o        dump.WriteOptions
	detector *Detector // nil until a page needs it
	pages    []page
	bodies   spool
	metas    map[string]*meta   // by folder
	feeds    map[dayHash]Line   // by day and hash
	items    map[dayHash]string // hash of the feed, by item
}

// page is a capture that is written when all feeds are known.
type page struct {
	line   Line
	day    string
	feed   string   // hash of the feed that the crawl names, or ""
	isFeed bool     // and so not an item
	told   bool     // the crawl names the language
	said   []string // crawl values that need five columns
	at     int64    // offset of the body
	size   int
}

type meta struct {
	lines []Line
	at    map[string]int // index of a hash's line
}

// dayHash is a page, by the hash of its URL, on a day.
type dayHash struct{ day, hash string }

// maxItems limits the items of feeds in memory; further items are written as separate pages.
const maxItems = 1 << 20

// maxURL limits an item's URL, in bytes; longer ones are not kept.
const maxURL = 8 << 10

// NewWriter returns a writer of a PageStore. A capture's day is that of its time, in the zone of the options. A page is
// an item of the feed that its crawl names, or that names the page on the same day, in any order. Lines have five
// columns if the language is known from the crawl or the content, otherwise two.
//
// Close writes all files. Until then bodies are in a temporary file.
func NewWriter(s dump.Sink, o dump.WriteOptions) dump.Writer {
	// The original programs used the zone of their machine.
	o.Zone = cmp.Or(o.Zone, time.UTC)
	return &writer{
		sink: s, o: o, metas: map[string]*meta{}, feeds: map[dayHash]Line{}, items: map[dayHash]string{},
	}
}

func (w *writer) Write(c *schemas.Capture) error {
	line, err := newLine(c)
	if err != nil {
		return err
	}
	p := page{
		line: line, day: dayFolder(c.Timestamp.In(w.o.Zone), w.o.PadDates), size: len(c.Body), told: line.Enriched(),
	}
	if err := w.detect(&p, c); err != nil {
		return err
	}
	if url := c.Crawl[schemas.CrawlFeedURL]; url != "" && !p.isFeed {
		// The crawl counts, whether that feed is in the store or not.
		p.feed = Hash(url)
	}
	if p.at, err = w.bodies.add(c.Body); err != nil {
		return fmt.Errorf("pagestore: keeping a page: %w", err)
	}
	w.note(&p, c)
	w.pages = append(w.pages, p)
	if p.isFeed {
		w.feed(&p, c)
	}
	return nil
}

// detect finds what the crawl does not say: whether a page is a feed, and its language.
func (w *writer) detect(p *page, c *schemas.Capture) (err error) {
	if p.told {
		p.isFeed = p.line.Kind == KindRSS // a line of five columns has the kind
		return nil
	}
	if w.detector == nil {
		if w.detector, err = NewDetector(); err != nil {
			return err
		}
	}
	kind, language := w.detector.Detect(c)
	p.isFeed = kind == KindRSS
	if language != "" {
		p.line = complete(p.line, c, kind, language)
	}
	return nil
}

// newLine returns the line of a capture, or an error if it cannot have one.
func newLine(c *schemas.Capture) (Line, error) {
	url := strip(c.URL)
	if err := dump.CheckBody(c); err != nil {
		return Line{}, fmt.Errorf("pagestore: %w", err)
	}
	switch {
	case url == "":
		return Line{}, fmt.Errorf("pagestore: %w: it has no URL", dump.ErrRefused)
	// A line end in a URL would break the file.
	case strings.ContainsAny(url, "\r\n\x00"):
		return Line{}, fmt.Errorf("pagestore: %w: a line end in its URL %.80q", dump.ErrRefused, url)
	case c.Timestamp.IsZero():
		return Line{}, fmt.Errorf("pagestore: %w: it has no time, and folders are days: %.80q", dump.ErrRefused, url)
	case len(c.Body) == 0:
		return Line{}, fmt.Errorf("pagestore: %w: it has no body: %.80q", dump.ErrRefused, url)
	}
	line := Line{MD5: Hash(url), URL: url}
	language := c.Crawl[schemas.CrawlLanguage]
	// Without a language the line has two columns.
	if !isColumn(language) {
		return line, nil
	}
	kind := KindURL
	if isFeed(c) {
		kind = KindRSS
	}
	return complete(line, c, kind, language), nil
}

// complete gives a line five columns. The kind is that of the crawl, or else kind.
func complete(line Line, c *schemas.Capture, kind, language string) Line {
	line.Kind, line.Language = c.Crawl[schemas.CrawlKind], language
	if !slices.Contains(kinds, line.Kind) {
		line.Kind = kind
		if kind == KindURL && c.Crawl[schemas.CrawlFeedURL] != "" {
			line.Kind = KindItem
		}
	}
	line.ID = c.Crawl[schemas.CrawlPageID]
	if line.Kind == KindItem {
		line.ID = c.Crawl[schemas.CrawlFeedID]
	}
	// A column must not be empty; 0 is not an ID in the crawler's database.
	if !isColumn(line.ID) {
		line.ID = NoID
	}
	return line
}

// NoID is the ID of pages that no database knows.
const NoID = "0"

// isColumn reports whether a text can be a column of a line.
func isColumn(s string) bool { return s != "" && !strings.ContainsAny(s, blanks) }

func isFeed(c *schemas.Capture) bool { return IsFeed(c.Body, c.MIMEDeclared, c.URL) }

// IsFeed reports whether a body is a feed's XML.
func IsFeed(body []byte, declared, url string) bool {
	switch mimetype.Detect(body, declared, url, mimetype.Options{}).Kind {
	case "rss", "rdf", "atom":
		return true
	}
	return false
}

// place returns the folder and line of a page. An item's line has the ID and language of its feed, as in the programs.
func (w *writer) place(p *page) (string, Line) {
	line := p.line
	if p.isFeed {
		return p.day, line
	}
	hash := cmp.Or(p.feed, w.items[dayHash{p.day, line.MD5}])
	feed, known := w.feeds[dayHash{p.day, hash}]
	switch {
	case hash == "":
		// As a page of its own it is in the day's META file, which has no items.
		if line.Kind == KindItem { // of an unknown feed
			line.Kind = KindURL
		}
	// The crawl knows more about its items than the feed's line.
	case p.feed != "" && (p.told || !known || !feed.Enriched()):
	case feed.Enriched():
		line.ID, line.Kind, line.Language = feed.ID, KindItem, feed.Language
	default:
		line.ID, line.Kind, line.Language = "", "", ""
	}
	return folder(p.day, hash), line
}

// feed records the items of a feed. A page that is not a feed by its content records none.
func (w *writer) feed(p *page, c *schemas.Capture) {
	if len(w.feeds) < maxItems {
		w.feeds[dayHash{p.day, p.line.MD5}] = p.line
	}
	f, err := feed.Read(c.Body, c.MIMEDeclared, p.line.URL, feed.Options{MaxTextBytes: maxURL})
	if err != nil {
		return
	}
	for i := range f.Items {
		k := dayHash{p.day, Hash(f.Items[i].Link)}
		// The first feed that names a page gets it.
		if _, known := w.items[k]; !known && len(w.items) < maxItems {
			w.items[k] = p.line.MD5
		}
	}
}

// contents writes a body as the programs do: with a line end.
func (w *writer) contents(name string, body []byte) error {
	if !bytes.HasSuffix(body, []byte("\n")) {
		// The added byte is counted, because reading returns it.
		w.Drop("final_newline")
		return w.file(name, body, []byte("\n"))
	}
	return w.file(name, body)
}

// file writes a file from pieces.
func (w *writer) file(name string, pieces ...[]byte) error {
	out, err := w.sink.Create(name)
	if err != nil {
		return fmt.Errorf("pagestore: %w", err)
	}
	for _, b := range pieces {
		if _, err := out.Write(b); err != nil {
			out.Abort()
			return fmt.Errorf("pagestore: %s: %w", name, err)
		}
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("pagestore: %s: %w", name, err)
	}
	return nil
}

// columns are the crawl values that need five columns.
var columns = []string{
	"crawl." + schemas.CrawlKind, "crawl." + schemas.CrawlLanguage, "crawl." + schemas.CrawlPageID,
	"crawl." + schemas.CrawlFeedID,
}

// note counts the lost values of the capture, except those that depend on its line.
func (w *writer) note(p *page, c *schemas.Capture) {
	carries := append([]string{"crawl." + schemas.CrawlFeedURL}, columns...)
	for _, name := range columns {
		if c.Crawl[strings.TrimPrefix(name, "crawl.")] != "" {
			p.said = append(p.said, name)
		}
	}
	// Readers restore only midnight, UTC, from the folder's name.
	if t := c.Timestamp.In(w.o.Zone); t.Equal(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)) {
		carries = append(carries, "timestamp")
	}
	w.Note(c, carries...)
}

// add adds a line to the META file of a folder.
func (w *writer) add(dir string, line Line) {
	m := w.metas[dir]
	if m == nil {
		m = &meta{at: map[string]int{}}
		w.metas[dir] = m
	}
	// The contents are overwritten, too.
	if i, again := m.at[line.MD5]; again {
		w.Drop("overwritten")
		m.lines[i] = line
		return
	}
	m.at[line.MD5] = len(m.lines)
	m.lines = append(m.lines, line)
}

// Close writes the contents and then the META files, folder by folder. A line without its page would be worse than a
// page without its line. Calling it again does nothing.
func (w *writer) Close() error {
	err := w.write()
	w.pages, w.metas = nil, map[string]*meta{}
	return errors.Join(err, w.bodies.remove())
}

func (w *writer) write() error {
	var body []byte
	for i := range w.pages {
		p := &w.pages[i]
		dir, line := w.place(p)
		var err error
		if body, err = w.bodies.read(body, p.at, p.size); err != nil {
			return fmt.Errorf("pagestore: %w", err)
		}
		// Like the programs, a page that comes twice on one day is overwritten.
		if err := w.contents(dir+"/"+line.MD5+"/"+contentsName, body); err != nil {
			return err
		}
		for _, name := range p.said {
			if !line.Enriched() {
				w.Drop(name)
			}
		}
		w.add(dir, line)
	}
	var errs []error
	// Sorted, so that the same captures give the same order of writes.
	for _, dir := range slices.Sorted(maps.Keys(w.metas)) {
		var b bytes.Buffer
		// In the order of pages, as the programs append them.
		for _, l := range w.metas[dir].lines {
			b.WriteString(l.String() + "\n")
		}
		errs = append(errs, w.file(dir+"/"+metaName, b.Bytes()))
	}
	return errors.Join(errs...)
}
