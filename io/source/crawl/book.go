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
	"time"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/transforms/robots"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// Book is what a crawler keeps between rounds beside the Source DB, whose sources it does not need to tell apart. It is
// the result of all journals that it names. A feed takes some 200 bytes, a host 100 and its robots.txt.
type Book struct {
	Journals []string // the newest that is in it, or none; names ascend
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
	Read     time.Time `json:"read,omitzero"`     // when it was captured with these two
	Fails    int       `json:"fails,omitempty"`
	Over     string    `json:"over,omitempty"`  // gone, moved
	Again    int       `json:"again,omitempty"` // answers in a row to visits of a rejected source
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
	Known  bool      `json:"known"` // or all is forbidden
	Fails  int       `json:"fails,omitempty"`
}

// PageEntry is a page that is to be fetched.
type PageEntry struct {
	URL   string    `json:"page"`
	Due   time.Time `json:"due"`
	Tries int       `json:"tries,omitempty"`
	Hops  int       `json:"hops,omitempty"`
	// by the feed that led to it
	Published time.Time `json:"published,omitzero"`
}

func (p PageEntry) job() *job {
	return &job{kind: pageJob, url: p.URL, due: p.Due, tries: p.Tries, hops: p.Hops, published: p.Published}
}

// DoneEntry is a page that is not asked for again though it is not captured.
type DoneEntry struct {
	Link uint64    `json:"done,string"`
	At   time.Time `json:"at"`
}

const (
	// maxRules is how long a robots.txt is kept in the book, bytes. Nearly all are shorter; others are asked for again.
	maxRules = 64 << 10
	// doneFor is how long a page is remembered that was given up. Few feeds show an item for longer.
	doneFor = 60 * 24 * time.Hour
	// maxBookLine bounds a line of the book, bytes.
	maxBookLine = 4 << 20
)

// Fill takes what the book says of hosts and pages into a round; its feeds are Load's. It is called first, before Load
// and before any journal is applied.
func (c *Crawl) Fill(b *Book) {
	for _, e := range b.Hosts {
		h := c.hostOf(e.Host)
		// The pause of a host goes on over rounds: a host that asked for a day of rest gets it although the
		// process ends.
		h.free, h.fails = e.Free, e.Fails
		for _, r := range e.Rules {
			known := &rules{until: r.Until, fails: r.Fails, text: []byte(r.Text)}
			// Otherwise nil stays, which forbids everything until the time that the entry says.
			if r.Known {
				// The text is kept and not what was parsed: the agent's name may be another one in this round.
				known.known = robots.Parse(known.text, c.o.Agent)
				h.delay = max(h.delay, min(known.known.CrawlDelay(), c.o.MaxDelay))
			}
			h.rules[r.Origin] = known
		}
	}
	// Before the pages, so that one which was given up is not queued again.
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

// Book is the round's result: what b says, with what has changed. The journals are named by the caller.
func (c *Crawl) Book(b *Book, now time.Time) *Book {
	// Cloned: b is still what is on the disk, and stays valid when writing this one fails. Feeds that were
	// not due in this round are taken over as they are.
	next := &Book{Feeds: maps.Clone(b.Feeds), Hosts: map[string]HostEntry{}}
	if next.Feeds == nil {
		next.Feeds = map[string]FeedEntry{}
	}
	for key, f := range c.feeds {
		// What was not asked for is known from the Source DB, or as it was from the book.
		if f.visited.IsZero() {
			continue
		}
		next.Feeds[key] = FeedEntry{
			Key: key, URL: f.url, Next: f.next, Visited: f.visited, ETag: f.etag, Modified: f.modified, Checked: f.checked,
			Read: f.read, Fails: f.fails, Over: f.over, Again: f.again,
		}
	}
	for name, h := range c.hosts {
		if e, ok := h.entry(now); ok {
			next.Hosts[name] = e
		}
		// Only of pages. Feeds are in Feeds with their next visit; a robots.txt is asked for when it is
		// needed.
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

// entry is what of a host is worth keeping; false for nothing.
func (h *host) entry(now time.Time) (HostEntry, bool) {
	e := HostEntry{Host: h.name, Free: h.free, Fails: h.fails}
	// Sorted, so that the same round makes the same bytes.
	for _, origin := range slices.Sorted(maps.Keys(h.rules)) {
		r := h.rules[origin]
		// What has run out is kept for its failures alone, so that the wait for an origin that is down goes on
		// to double.
		if len(r.text) > maxRules || !now.Before(r.until) && r.fails == 0 {
			continue
		}
		e.Rules = append(e.Rules, RulesEntry{
			Origin: origin, Until: r.until, Text: string(r.text), Known: r.known != nil, Fails: r.fails,
		})
	}
	// A host about which nothing is left to know is dropped: the book would grow by every host ever asked.
	return e, e.Rules != nil || h.fails > 0 || h.free.After(now)
}

// bookHead is the book's first line.
type bookHead struct {
	Book     string   `json:"book"` // the layout
	Journals []string `json:"journals"`
}

// A book of another layout is refused rather than guessed at: reading it wrongly would ask hosts too
// early.
const bookLayout = "1"

// writeBook writes the book as a file of the folder, whole or not at all.
func writeBook(f folder.Folder, name string, b *Book) error {
	// In memory, since folder.Write replaces a file at once: a process that is killed leaves the old book
	// or the new one. Compressed it is small beside the feeds in memory.
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
	// All four kinds are sorted: the same round writes the same bytes, and books can be compared.
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

// readBook reads a book; an empty one where there is none.
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
		// Said, since it is tempting to delete a book that cannot be read.
		err = fmt.Errorf("%s: %w: without it, feeds are asked for that are not due", f.Path(name), err)
	}
	return b, err
}

// errBook is a file that is not a book.
var errBook = errors.New("not the book of a crawl, or one of another version of gleaner")

func (b *Book) read(in io.Reader) error {
	r, err := jsonl.NewReaderOptions(in, jsonl.Options{MaxLineBytes: maxBookLine})
	if err != nil {
		return err
	}
	first := true
	// A line is valid until the next one; Unmarshal copies what it keeps.
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

// line reads one entry, whose kind its first field tells.
func (b *Book) line(line []byte) error {
	kind, _, _ := bytes.Cut(line, []byte(`":`))
	switch string(kind) {
	// The first field's name tells the kind: it must stay the first field of each entry's struct.
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
