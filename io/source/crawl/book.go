package crawl

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/transforms/robots"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// Book is what a crawler keeps between rounds beside the Source DB. It is the result of all journals that it names. A
// feed takes about 200 bytes, a host 100 and its robots.txt.
type Book struct {
	Journals []string // the newest journal included, or none; names ascend
	Feeds    map[string]FeedEntry
	Hosts    map[string]HostEntry
	Pages    []PageEntry // that are still to be fetched, in no order that matters
	Done     []DoneEntry
}

// FeedEntry is a feed that was asked for.
type FeedEntry struct {
	Key      string    `json:"feed"`
	URL      string    `json:"url"`
	Next     time.Time `json:"next"`
	Visited  time.Time `json:"visited"` // the last time that it was asked for
	ETag     string    `json:"etag,omitempty"`
	Modified string    `json:"last_modified,omitempty"`
	Checked  string    `json:"checked,omitempty"` // the URL that these two are of
	Read     time.Time `json:"read,omitzero"`     // time of the capture with ETag and Modified
	Fails    int       `json:"fails,omitempty"`
	Over     string    `json:"over,omitempty"`  // gone, moved
	Moved    bool      `json:"moved,omitempty"` // from the URL of a feed that was visited, so its class does not matter
	Again    int       `json:"again,omitempty"` // consecutive answers of a rejected source
}

// HostEntry is a host that was asked.
type HostEntry struct {
	Host  string       `json:"host"`
	Free  time.Time    `json:"free"`
	Fails int          `json:"fails,omitempty"`
	Rules []RulesEntry `json:"rules,omitempty"`
}

// RulesEntry is the robots.txt of an origin.
type RulesEntry struct {
	Origin string    `json:"origin"`
	Until  time.Time `json:"until"`
	Text   string    `json:"text,omitempty"`
	Bytes  []byte    `json:"bytes,omitempty"` // instead of Text, if that is not UTF-8
	Known  bool      `json:"known"`           // otherwise everything is forbidden
	Fails  int       `json:"fails,omitempty"`
}

// text is the robots.txt as it was received.
func (e RulesEntry) text() []byte {
	if e.Bytes != nil {
		return e.Bytes
	}
	return []byte(e.Text)
}

// PageEntry is a page to fetch.
type PageEntry struct {
	URL   string    `json:"page"`
	Due   time.Time `json:"due"`
	Tries int       `json:"tries,omitempty"`
	Hops  int       `json:"hops,omitempty"`
	// Published is the date in the feed that led to the page.
	Published time.Time `json:"published,omitzero"`
}

func (p PageEntry) job() *job {
	return &job{kind: pageJob, url: p.URL, due: p.Due, tries: p.Tries, hops: p.Hops, published: p.Published}
}

// DoneEntry is a page that will not be requested again, although it was not captured.
type DoneEntry struct {
	Link uint64    `json:"done,string"`
	At   time.Time `json:"at"`
}

const (
	// maxRules limits a robots.txt in the book, in bytes. Nearly all are shorter; others are requested again.
	maxRules = 64 << 10
	// doneFor is how long an abandoned page is remembered. Few feeds show an item for longer.
	doneFor = 60 * 24 * time.Hour
	// maxBookLine limits a line of the book, in bytes.
	maxBookLine = 4 << 20
)

// Fill adds the hosts and pages of a book to a round; Load adds its feeds. It must be called first.
func (c *Crawl) Fill(b *Book) {
	for _, e := range b.Hosts {
		h := c.hostOf(e.Host)
		// Pauses continue across rounds: a host that asked for a day of rest gets it.
		h.free, h.fails = e.Free, e.Fails
		for _, r := range e.Rules {
			known := &rules{until: r.Until, fails: r.Fails, text: r.text()}
			// An earlier version wrote bytes in other encodings as this character, so the file is requested again.
			if strings.ContainsRune(r.Text, utf8.RuneError) {
				continue
			}
			// Otherwise nil forbids everything until this time.
			if r.Known {
				// Parsed again, because the agent's name may differ in this round.
				known.known = robots.Parse(known.text, c.o.Agent)
				h.delay = max(h.delay, min(known.known.CrawlDelay(), c.o.MaxDelay))
			}
			h.rules[r.Origin] = known
		}
	}
	// Before the pages, so that abandoned ones are not queued again.
	for _, d := range b.Done {
		c.seen[d.Link] = struct{}{}
		c.done = append(c.done, finished{d.Link, d.At})
	}
	for _, p := range b.Pages {
		key := source.LinkKey(p.URL)
		if _, ok := c.seen[key]; !ok && c.add(p.job()) {
			c.seen[key] = struct{}{}
		}
	}
}

// Book returns b with the changes of the round. The caller sets the journals.
func (c *Crawl) Book(b *Book, now time.Time) *Book {
	// Cloned: b is still on disk, and must stay valid if writing the new book fails. Feeds that were not due are
	// copied.
	next := &Book{Feeds: maps.Clone(b.Feeds), Hosts: map[string]HostEntry{}}
	if next.Feeds == nil {
		next.Feeds = map[string]FeedEntry{}
	}
	for key, f := range c.feeds {
		// Feeds that were not requested are known from the Source DB or the old book.
		if f.visited.IsZero() {
			continue
		}
		next.Feeds[key] = FeedEntry{
			Key: key, URL: f.url, Next: f.next, Visited: f.visited, ETag: f.etag, Modified: f.modified, Checked: f.checked,
			Read: f.read, Fails: f.fails, Over: f.over, Moved: f.moved, Again: f.again,
		}
	}
	for name, h := range c.hosts {
		if e, ok := h.entry(now); ok {
			next.Hosts[name] = e
		}
		// Only pages: feeds have their next visit in Feeds, and a robots.txt is requested when needed.
		for _, j := range h.pages {
			next.Pages = append(next.Pages, PageEntry{
				URL: j.url, Due: j.due, Tries: j.tries, Hops: j.hops, Published: j.published,
			})
		}
	}
	for _, d := range c.done {
		if now.Sub(d.at) < doneFor {
			next.Done = append(next.Done, DoneEntry{d.link, d.at})
		}
	}
	return next
}

// entry returns the host's entry for the book; false if it needs none.
func (h *host) entry(now time.Time) (HostEntry, bool) {
	e := HostEntry{Host: h.name, Free: h.free, Fails: h.fails}
	// Sorted, so that the same round gives the same bytes.
	for _, origin := range slices.Sorted(maps.Keys(h.rules)) {
		r := h.rules[origin]
		// Expired rules are only kept for their failures, so that the wait for an unavailable origin keeps doubling.
		if len(r.text) > maxRules || !now.Before(r.until) && r.fails == 0 {
			continue
		}
		kept := RulesEntry{Origin: origin, Until: r.until, Known: r.known != nil, Fails: r.fails}
		if utf8.Valid(r.text) {
			kept.Text = string(r.text)
		} else {
			kept.Bytes = r.text
		}
		e.Rules = append(e.Rules, kept)
	}
	// Other hosts are dropped, or the book would grow by every host ever asked.
	return e, e.Rules != nil || h.fails > 0 || h.free.After(now)
}

// bookHead is the book's first line.
type bookHead struct {
	Book     string   `json:"book"` // the layout
	Journals []string `json:"journals"`
}

// A book of another layout is refused: misreading it would visit hosts too early.
const bookLayout = "1"

// writeBook writes the book as a file of the folder, whole or not at all.
func writeBook(f folder.Folder, name string, b *Book) error {
	// In memory, because folder.Write replaces a file at once, so that a killed process leaves the old book or the new
	// one. It is compressed, and small compared with the feeds in memory.
	var buf bytes.Buffer
	w, err := jsonl.NewWriter(&buf, jsonl.Zstd)
	if err != nil {
		return err
	}
	err = w.Write(bookHead{bookLayout, b.Journals})
	write := func(v any) {
		if err == nil {
			err = w.Write(v)
		}
	}
	// All four kinds are sorted, so that books can be compared.
	for _, key := range slices.Sorted(maps.Keys(b.Feeds)) {
		write(b.Feeds[key])
	}
	for _, name := range slices.Sorted(maps.Keys(b.Hosts)) {
		write(b.Hosts[name])
	}
	slices.SortFunc(b.Pages, func(x, y PageEntry) int { return cmp.Compare(x.URL, y.URL) })
	for _, p := range b.Pages {
		write(p)
	}
	slices.SortFunc(b.Done, func(x, y DoneEntry) int { return cmp.Compare(x.Link, y.Link) })
	for _, d := range b.Done {
		write(d)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return err
	}
	return f.Write(name, buf.Bytes())
}

// readBook reads a book; a missing one is empty.
func readBook(f folder.Folder, name string) (*Book, error) {
	b := &Book{Feeds: map[string]FeedEntry{}, Hosts: map[string]HostEntry{}}
	in, err := f.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	} else if err != nil {
		return nil, err
	}
	err = errors.Join(b.read(in), in.Close())
	if err != nil {
		// A warning, because deleting an unreadable book is tempting.
		err = fmt.Errorf("%s: %w: without it, feeds are asked for that are not due", f.Path(name), err)
	}
	return b, err
}

// errBook means that a file is not a book.
var errBook = errors.New("not the book of a crawl, or one of another version of gleaner")

func (b *Book) read(in io.Reader) error {
	r, err := jsonl.NewReaderOptions(in, jsonl.Options{MaxLineBytes: maxBookLine})
	if err != nil {
		return err
	}
	first := true
	// Lines are reused; Unmarshal copies what it keeps.
	for line, err := range r.All() {
		if err != nil {
			return err
		}
		if first {
			var head bookHead
			if err := json.Unmarshal(line, &head); err != nil || head.Book != bookLayout {
				return errBook
			}
			b.Journals, first = head.Journals, false
			continue
		}
		if err := b.line(line); err != nil {
			return err
		}
	}
	if first {
		return errBook
	}
	return nil
}

// line reads one entry, whose first field shows its kind.
func (b *Book) line(line []byte) error {
	kind, _, _ := bytes.Cut(line, []byte(`":`))
	switch string(kind) {
	// Each entry's struct must keep its first field.
	case `{"feed`:
		e, err := decode[FeedEntry](line)
		b.Feeds[e.Key] = e
		return err
	case `{"host`:
		e, err := decode[HostEntry](line)
		b.Hosts[e.Host] = e
		return err
	case `{"page`:
		e, err := decode[PageEntry](line)
		b.Pages = append(b.Pages, e)
		return err
	case `{"done`:
		e, err := decode[DoneEntry](line)
		b.Done = append(b.Done, e)
		return err
	}
	return errBook
}

func decode[T any](line []byte) (v T, err error) {
	err = json.Unmarshal(line, &v)
	return v, err
}
