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

	"github.com/gleaner-web/gleaner/io/archive/shape"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/feed"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

// writer writes a PageStore. It keeps the lines of all META files in memory, since captures come in any order of days,
// and which pages the feeds name that it has written.
type writer struct {
	shape.Losses
	sink  shape.Sink
	o     shape.WriteOptions
	metas map[string]*meta // by folder
	items map[itemKey]Line // what the feeds of each day name
}

// meta is a META file in the making.
type meta struct {
	lines []Line
	at    map[string]int // where the line of a hash is
}

// itemKey is a page that a feed names, on the feed's day.
type itemKey struct{ day, hash string }

// maxItems bounds what is kept of feeds; items of more feeds are written as pages of their own.
const maxItems = 1 << 20

// maxURL is how long an item's URL may be, in bytes; longer ones are not kept.
const maxURL = 8 << 10

// NewWriter returns a writer of a PageStore. The day of a capture is that of its time, in the zone of the options. A
// page whose crawl tells the feed that it came from becomes that feed's item, and so does a page that a feed names
// which was written before it, on the same day. Lines have five columns where the crawl tells the language, and
// otherwise two.
//
// Close writes the META files.
func NewWriter(s shape.Sink, o shape.WriteOptions) shape.Writer {
	// Days begin at midnight somewhere: the programs took the zone of their machine.
	o.Zone = cmp.Or(o.Zone, time.UTC)
	return &writer{sink: s, o: o, metas: map[string]*meta{}, items: map[itemKey]Line{}}
}

// Write writes the contents of a page or feed.
func (w *writer) Write(c *schemas.Capture) error {
	line, err := newLine(c)
	if err != nil {
		return err
	}
	day := dayFolder(c.Timestamp.In(w.o.Zone), w.o.PadDates)
	// A line of five columns says what it is; otherwise the content does.
	isFeed := line.Kind == KindRSS || !line.Enriched() && isFeed(c)
	dir := day
	if !isFeed {
		dir = folder(day, w.feedOf(day, c, &line))
	}
	// The contents first: a line without its page would be worse than a page without its line.
	// A page that comes twice on one day is written over, as the programs do.
	if err := w.contents(dir+"/"+line.MD5+"/"+contentsName, c.Body); err != nil {
		return err
	}
	w.note(c, dir, line)
	// After it was written, so that only pages of feeds in the store become items.
	if isFeed {
		w.feed(day, line, c)
	}
	return nil
}

// newLine is the line of a capture, or why it has none.
func newLine(c *schemas.Capture) (Line, error) {
	url := strip(c.URL)
	switch {
	case url == "":
		return Line{}, fmt.Errorf("pagestore: %w: it has no URL", shape.ErrRefused)
	// One URL a line is all that holds the file together.
	case strings.ContainsAny(url, "\r\n\x00"):
		return Line{}, fmt.Errorf("pagestore: %w: a line end in its URL %.80q", shape.ErrRefused, url)
	case c.Timestamp.IsZero():
		return Line{}, fmt.Errorf("pagestore: %w: it has no time, and folders are days: %.80q", shape.ErrRefused, url)
	case len(c.Body) == 0:
		return Line{}, fmt.Errorf("pagestore: %w: it has no body: %.80q", shape.ErrRefused, url)
	}
	line := Line{MD5: Hash(url), URL: url}
	language := c.Crawl[schemas.CrawlLanguage]
	// Without a language there cannot be five columns, and two are valid as well.
	if !isColumn(language) {
		return line, nil
	}
	line.Kind, line.Language = c.Crawl[schemas.CrawlKind], language
	if !slices.Contains(kinds, line.Kind) {
		line.Kind = KindURL
		if isFeed(c) {
			line.Kind = KindRSS
		}
	}
	line.ID = c.Crawl[schemas.CrawlPageID]
	if line.Kind == KindItem {
		line.ID = c.Crawl[schemas.CrawlFeedID]
	}
	// A column has to be there; 0 is no id in the crawler's database.
	if !isColumn(line.ID) {
		line.ID = NoID
	}
	return line, nil
}

// NoID is the id of pages that no database knows.
const NoID = "0"

// isColumn tells whether a text can be a column of a line.
func isColumn(s string) bool { return s != "" && !strings.ContainsAny(s, blanks) }

func isFeed(c *schemas.Capture) bool { return IsFeed(c.Body, c.MIMEDeclared, c.URL) }

// IsFeed tells whether a body is a feed's XML.
func IsFeed(body []byte, declared, url string) bool {
	switch mimetype.Detect(body, declared, url, mimetype.Options{}).Kind {
	case "rss", "rdf", "atom":
		return true
	}
	return false
}

// feedOf returns the hash of the feed that a page is an item of, "" for none, and makes the line that of an item.
func (w *writer) feedOf(day string, c *schemas.Capture, line *Line) string {
	if url := c.Crawl[schemas.CrawlFeedURL]; url != "" {
		// The crawl says it, whether that feed is in the store or not.
		return Hash(url)
	}
	feed, ok := w.items[itemKey{day, line.MD5}]
	if !ok {
		// As a page of its own it stands in the day's META file, where there are no items.
		if line.Kind == KindItem { // of a feed that is not known
			line.Kind = KindURL
		}
		return ""
	}
	// The language is the feed's, as the programs have it.
	line.ID, line.Kind, line.Language = feed.ID, "", feed.Language
	if feed.Enriched() {
		line.Kind = KindItem
	}
	return feed.MD5
}

// feed keeps what a feed names. What is none by its content, though its line says so, names nothing.
func (w *writer) feed(day string, line Line, c *schemas.Capture) {
	f, err := feed.Read(c.Body, c.MIMEDeclared, line.URL, feed.Options{MaxTextBytes: maxURL})
	if err != nil {
		return
	}
	for i := range f.Items {
		k := itemKey{day, Hash(f.Items[i].Link)}
		// The first feed that names a page has it.
		if _, known := w.items[k]; !known && len(w.items) < maxItems {
			w.items[k] = line
		}
	}
}

// contents writes a body as the programs do: with a line end.
func (w *writer) contents(name string, body []byte) error {
	if !bytes.HasSuffix(body, []byte("\n")) {
		// The byte that is added is counted, since the body that is read again has it.
		w.Drop("final_newline")
		return w.file(name, body, []byte("\n"))
	}
	return w.file(name, body)
}

// file writes a file of some pieces.
func (w *writer) file(name string, pieces ...[]byte) error {
	// The sink makes it appear whole: see shape.Output.
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

// note keeps a line for Close, and counts what is lost of the capture.
func (w *writer) note(c *schemas.Capture, dir string, line Line) {
	carries := []string{"crawl." + schemas.CrawlFeedURL}
	if line.Enriched() {
		carries = append(carries, "crawl."+schemas.CrawlKind, "crawl."+schemas.CrawlLanguage, "crawl."+schemas.CrawlPageID,
			"crawl."+schemas.CrawlFeedID)
	}
	// Only a time at midnight, UTC, is what a reader will make of the folder's name.
	if t := c.Timestamp.In(w.o.Zone); t.Equal(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)) {
		carries = append(carries, "timestamp")
	}
	w.Note(c, carries...)
	m := w.metas[dir]
	if m == nil {
		m = &meta{at: map[string]int{}}
		w.metas[dir] = m
	}
	// The contents were written over as well, so the old line would be of bytes that are gone.
	if i, again := m.at[line.MD5]; again {
		w.Drop("overwritten")
		m.lines[i] = line
		return
	}
	m.at[line.MD5] = len(m.lines)
	m.lines = append(m.lines, line)
}

// Close writes the META files, in the order of their folders.
func (w *writer) Close() error {
	var errs []error
	// Sorted, so that the same captures make the same order of writes.
	for _, dir := range slices.Sorted(maps.Keys(w.metas)) {
		var b bytes.Buffer
		// In the order in which pages came, as the programs append them.
		for _, l := range w.metas[dir].lines {
			b.WriteString(l.String() + "\n")
		}
		errs = append(errs, w.file(dir+"/"+metaName, b.Bytes()))
	}
	return errors.Join(errs...)
}
