package crawl

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// Load adds the feeds that are due in this round, by the book and the Source DB, and uncaptured pages of their newest
// items. Feeds that are gone, or of other classes, are not visited, and rejected ones seldom. A feed takes about 3 KB.
// It must be called after Fill.
func (c *Crawl) Load(ctx context.Context, f folder.Folder, m sourcedb.Manifest, b *Book) error {
	// One pass over the captures tells for all links whether they are captured.
	links, wanted, over := map[uint64]bool{}, []wantedPage{}, map[string]bool{}
	waits := map[string]bool{} // keys of rejected feeds that are not due yet
	for key, e := range b.Feeds {
		if e.Over != "" {
			over[source.ID(key)] = true
		}
	}
	for k, err := range sourcedb.All(ctx, f, m) {
		if err != nil {
			return err
		}
		// Of equal feeds one is visited, but not one that has moved.
		if same := k.Source.SameAs; same != nil && !over[same.ID] {
			continue
		}
		known := c.due(k.Source, b)
		if known == nil {
			key := source.Key(k.Source.URL)
			if e, ok := b.Feeds[key]; ok && e.Over == "" && k.Source.Verdict == source.Rejected {
				waits[key] = true
			}
			continue
		}
		c.feeds[known.key] = known
		// Encoded, because decoded states take much more memory.
		known.state = source.Encode(nil, k.State)
		pages := unread(k.State, links)
		// Only new items can change the verdict about a rejected feed.
		if k.Source.Verdict != source.Rejected {
			wanted = append(wanted, pages...)
		}
	}
	// Sets captured links to true.
	if err := sourcedb.Captured(ctx, f, m, links); err != nil {
		return err
	}
	for link, captured := range links {
		if captured {
			c.seen[link] = struct{}{}
		}
	}
	for key, e := range b.Feeds {
		// After the Source DB's feeds, which know more: remember does not replace them.
		if !waits[key] {
			c.remember(key, e)
		}
	}
	for _, known := range c.feeds {
		// After all feeds are known. The queue sorts, so the order does not matter.
		c.schedule(known)
	}
	// After the feeds, so that a feed which is an item of another is not taken for a page.
	for _, p := range wanted {
		// Due at once: these pages have been known since an earlier round.
		c.want(p.url, time.Time{}, p.published)
	}
	return nil
}

// wantedPage is the page of an item, with its date in the feed.
type wantedPage struct {
	url       string
	published time.Time
}

// unread returns the pages of a state's newest items, and adds the links of all items to links.
func unread(s source.State, links map[uint64]bool) (list []wantedPage) {
	known := map[uint64]source.Item{}
	for _, i := range s.Items {
		// Items have marks, entries have URLs; the ID joins them.
		known[i.ID] = i
		// All items, because the feed may show captured ones again.
		links[i.Link] = false
	}
	for _, e := range s.Entries {
		i, ok := known[e.ID]
		if !ok || i.Marks&(source.OffSite|source.Unfollowed) != 0 {
			continue
		}
		link, _, _ := strings.Cut(e.URL, "#") // it is not sent: see items
		key := source.LinkKey(link)
		// Entries have the beginning of a longer URL, which is of another page.
		if len(link) > maxURL-utf8.UTFMax && key != i.Link {
			continue
		}
		links[key] = false
		list = append(list, wantedPage{link, i.Published()})
	}
	return list
}

const (
	// Rejected sources, and those that have not answered for long, are visited again after waitRejected, and then at
	// doubled intervals up to mostRejected.
	waitRejected = 30 * 24 * time.Hour
	mostRejected = 360 * 24 * time.Hour
)

// due returns the feed of a source if it is due in this round, otherwise nil.
func (c *Crawl) due(s schemas.Source, b *Book) *feed {
	key := source.Key(s.URL)
	e, visited := b.Feeds[key]
	switch {
	// Over is this crawler's own observation, which counts even if the Source DB is older.
	case !c.asksFor(s) && !c.named[key] && !e.Moved, e.Over != "":
		return nil
	// The book of this crawler knows more than the computed health.
	case !visited && isOver(s):
		return nil
	}
	// An invalid time makes the feed due at once.
	next, err := time.Parse(time.RFC3339, s.Refresh.Next)
	// The book is outdated if another crawl has visited the feed since.
	booked := visited && (err != nil || s.LastRefresh <= e.Visited.UTC().Format(time.RFC3339))
	if booked {
		next = e.Next
	}
	rejected := s.Verdict == source.Rejected
	// A failed visit has shown nothing, and is repeated like any other.
	failed := booked && e.Fails > 0
	if rejected && !failed || !visited && s.Health.State == source.Gone {
		next = later(next, lastLook(s, e).Add(backOff(waitRejected, e.Again+1, mostRejected)))
	}
	if next.After(c.o.Due) {
		return nil
	}
	known := &feed{key: key, url: s.URL}
	if visited {
		known = e.feed()
	}
	known.next = next
	if rejected {
		known.looked = e.Again + 1
	}
	return known
}

// asksFor reports whether a source has a wanted class. A rejected source may change its content, so the class by its
// title counts as well.
func (c *Crawl) asksFor(s schemas.Source) bool {
	return slices.Contains(c.o.Classes, s.Class) ||
		s.Verdict == source.Rejected && slices.Contains(c.o.Classes, source.Class(s.URL, s.Title, ""))
}

// isOver reports whether a source says that it is gone permanently.
func isOver(s schemas.Source) bool {
	return s.Health.State == source.Gone && len(s.Health.Last) > 0 && s.Health.Last[0] == http.StatusGone
}

// lastLook returns when a source was last visited, by the Source DB or the book.
func lastLook(s schemas.Source, e FeedEntry) time.Time {
	// The zero time, where it never was, is due at once.
	t, _ := time.Parse(time.RFC3339, s.LastRefresh)
	return later(t, e.Visited)
}

// feed returns the feed of a book entry.
func (e FeedEntry) feed() *feed {
	return &feed{
		key: e.Key, url: e.URL, next: e.Next, visited: e.Visited, etag: e.ETag, modified: e.Modified, checked: e.Checked,
		read: e.Read, fails: e.Fails, over: e.Over, moved: e.Moved, again: e.Again,
	}
}

// remember adds a feed that is only in the book: never read, for example a new URL of a feed, or over.
func (c *Crawl) remember(key string, e FeedEntry) {
	if c.feeds[key] == nil && (e.Over != "" || e.Checked == "" && !e.Next.After(c.o.Due)) {
		c.feeds[key] = e.feed()
	}
}

// Know adds feeds that are in no Source DB yet, for example from a list: they are due at once unless the book says
// otherwise. Options.Feeds has them as well, so that later rounds visit them whatever their class.
func (c *Crawl) Know(b *Book, urls ...string) {
	for _, url := range urls {
		key := source.Key(url)
		if _, ok := b.Feeds[key]; ok || c.feeds[key] != nil {
			continue
		}
		// Without a state, and due at once.
		c.feeds[key] = &feed{key: key, url: url}
		c.schedule(c.feeds[key])
	}
}
