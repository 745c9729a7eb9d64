package crawl

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// Load takes in the feeds that are due in this round, by the book and by what the Source DB says of them, and the pages
// of their newest items that are not captured. What is gone for good or of another class than is asked for is not
// visited, and what was rejected seldom. A feed takes some 3 KB. It is called after Fill.
func (c *Crawl) Load(ctx context.Context, f folder.Folder, m sourcedb.Manifest, b *Book) error {
	// links answers "is it captured?" for every item at once: one pass over the captures takes the place
	// of a look-up for each.
	links, wanted, over := map[uint64]bool{}, []wantedPage{}, map[string]bool{}
	waits := map[string]bool{} // keys of what was rejected, and is not to be looked at yet
	for key, e := range b.Feeds {
		if e.Over != "" {
			over[source.ID(key)] = true
		}
	}
	for k, err := range sourcedb.All(ctx, f, m) {
		if err != nil {
			return err
		}
		// Of feeds that are one source, one is visited: not the one that has moved.
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
		// Kept encoded: decoded states of all feeds would take much more memory.
		known.state = source.Encode(nil, k.State)
		pages := unread(k.State, links)
		// Of what was rejected, only what is new at this visit can say something else.
		if k.Source.Verdict != source.Rejected {
			wanted = append(wanted, pages...)
		}
	}
	// It sets those to true that have a capture.
	if err := sourcedb.Captured(ctx, f, m, links); err != nil {
		return err
	}
	for link, captured := range links {
		if captured {
			c.seen[link] = struct{}{}
		}
	}
	for key, e := range b.Feeds {
		// Behind the Source DB's feeds, which know more: remember leaves alone what is there.
		if !waits[key] {
			c.remember(key, e)
		}
	}
	for _, known := range c.feeds {
		// Only now, when all feeds are known. The order of a map does no harm: the queue sorts by time and
		// name.
		c.schedule(known)
	}
	// Behind the feeds, so that a feed which is an item of another is not taken for a page.
	for _, p := range wanted {
		// The zero time is due at once: these pages have been known since an earlier round.
		c.want(p.url, time.Time{}, p.published)
	}
	return nil
}

// wantedPage is the page of an item, with the date that its feed gives it.
type wantedPage struct {
	url       string
	published time.Time
}

// unread are the pages of a state's newest items, and adds those of all items to the links that are asked for.
func unread(s source.State, links map[uint64]bool) (list []wantedPage) {
	known := map[uint64]source.Item{}
	for _, i := range s.Items {
		// Marks are kept with the items, URLs with the entries: an ID joins them.
		known[i.ID] = i
		// What is captured need not be among the entries, which are few, to be shown by the feed again.
		links[i.Link] = false
	}
	for _, e := range s.Entries {
		if i, ok := known[e.ID]; ok && i.Marks&(source.OffSite|source.Unfollowed) == 0 {
			links[source.LinkKey(e.URL)] = false
			list = append(list, wantedPage{e.URL, i.Published()})
		}
	}
	return list
}

const (
	// A source that was rejected, or that has not answered for long, is looked at again after the first of these, and
	// then after twice as long each time, up to the second: it may have been down, or not have begun yet.
	waitRejected = 30 * 24 * time.Hour
	mostRejected = 360 * 24 * time.Hour
)

// due is the feed of a source that is due in this round; nil for another.
func (c *Crawl) due(s schemas.Source, b *Book) *feed {
	key := source.Key(s.URL)
	e, visited := b.Feeds[key]
	switch {
	// Over is this crawler's own observation and counts even while the Source DB still has the feed as
	// alive.
	case !c.asksFor(s), e.Over != "":
		return nil
	// One that this crawler has visited is judged by its book, which knows more than what the health was
	// computed from.
	case !visited && isOver(s):
		return nil
	}
	// An empty or odd time is an error, and then the zero time makes the feed due at once.
	next, err := time.Parse(time.RFC3339, s.Refresh.Next)
	// What the book says of a feed that another crawl has visited since is out of date.
	booked := visited && (err != nil || s.LastRefresh <= e.Visited.UTC().Format(time.RFC3339))
	if booked {
		next = e.Next
	}
	rejected := s.Verdict == source.Rejected
	// A visit that failed has shown nothing, and is made up for as any other.
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

// asksFor reports whether a source is of the classes that are asked for. That of a rejected one says what it held,
// which may change: what it is called counts as well.
func (c *Crawl) asksFor(s schemas.Source) bool {
	return slices.Contains(c.o.Classes, s.Class) ||
		s.Verdict == source.Rejected && slices.Contains(c.o.Classes, source.Class(s.URL, s.Title, ""))
}

// isOver reports whether a source has said that it is gone for good.
func isOver(s schemas.Source) bool {
	return s.Health.State == source.Gone && len(s.Health.Last) > 0 && s.Health.Last[0] == http.StatusGone
}

// lastLook is when a source was asked for last, by the Source DB and by the book.
func lastLook(s schemas.Source, e FeedEntry) time.Time {
	// The zero time, where it never was, is due at once.
	t, _ := time.Parse(time.RFC3339, s.LastRefresh)
	return later(t, e.Visited)
}

// feed is what the book says of one.
func (e FeedEntry) feed() *feed {
	return &feed{
		key: e.Key, url: e.URL, next: e.Next, visited: e.Visited, etag: e.ETag, modified: e.Modified, checked: e.Checked,
		read: e.Read, fails: e.Fails, over: e.Over, again: e.Again,
	}
}

// remember adds a feed that is in the book alone: one that was never read, as where it was moved to, or is over.
func (c *Crawl) remember(key string, e FeedEntry) {
	if c.feeds[key] == nil && (e.Over != "" || e.Checked == "" && !e.Next.After(c.o.Due)) {
		c.feeds[key] = e.feed()
	}
}

// Know adds feeds that no Source DB has yet, as those of a list: they are due at once, unless the book says when.
func (c *Crawl) Know(b *Book, urls ...string) {
	for _, url := range urls {
		key := source.Key(url)
		if _, ok := b.Feeds[key]; ok || c.feeds[key] != nil {
			continue
		}
		// Without a state: the first answer makes one. Its next visit is the zero time, which is due.
		c.feeds[key] = &feed{key: key, url: url}
		c.schedule(c.feeds[key])
	}
}
