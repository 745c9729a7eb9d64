package crawl

import (
	"context"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// Load takes in the feeds that are due in this round, by the book and by what the Source DB says of them, and the pages
// of their items that are not captured. What is rejected, gone, or of another class than is asked for is not visited. A
// feed takes some 3 KB. It is called after Fill.
func (c *Crawl) Load(ctx context.Context, f folder.Folder, m sourcedb.Manifest, b *Book) error {
	due := map[string]*feed{} // by the id of the source
	for s, err := range sourcedb.Sources(ctx, f, m) {
		if err != nil {
			return err
		}
		if known := c.due(s, b); known != nil {
			due[s.ID] = known
		}
	}
	if err := c.loadStates(ctx, f, m, due); err != nil {
		return err
	}
	c.bookFeeds(b)
	for _, known := range c.feeds {
		c.schedule(known)
	}
	return nil
}

// due is the feed of a source that is due in this round; nil for another.
func (c *Crawl) due(s schemas.Source, b *Book) *feed {
	key := source.Key(s.URL)
	e, visited := b.Feeds[key]
	switch {
	case s.Verdict == source.Rejected, !slices.Contains(c.o.Classes, s.Class), e.Over != "":
		return nil
	case !visited && s.Health.State == source.Gone:
		return nil
	}
	next, err := time.Parse(time.RFC3339, s.Refresh.Next)
	// What the book says of a feed that another crawl has visited since is out of date.
	if visited && (err != nil || s.LastRefresh <= e.Visited.UTC().Format(time.RFC3339)) {
		next = e.Next
	}
	if next.After(c.o.Due) {
		return nil
	}
	known := e.feed()
	if !visited {
		known = &feed{key: key, url: s.URL}
	}
	known.next = next
	c.feeds[key] = known
	return known
}

// feed is what the book says of one.
func (e FeedEntry) feed() *feed {
	return &feed{
		key: e.Key, url: e.URL, next: e.Next, visited: e.Visited, etag: e.ETag, modified: e.Modified, checked: e.Checked,
		fails: e.Fails, over: e.Over,
	}
}

// bookFeeds adds feeds that are in the book alone: those that have not been read yet where they were moved to.
func (c *Crawl) bookFeeds(b *Book) {
	for key, e := range b.Feeds {
		if c.feeds[key] == nil && (e.Over != "" || e.Checked == "" && !e.Next.After(c.o.Due)) {
			c.feeds[key] = e.feed()
		}
	}
}

// loadStates fills in the states of feeds, and queues the pages of their newest items that are not captured.
func (c *Crawl) loadStates(ctx context.Context, f folder.Folder, m sourcedb.Manifest, due map[string]*feed) error {
	links, wanted := map[uint64]bool{}, []string{}
	for key, s := range sourcedb.States(ctx, f, m, func(key string) bool { return due[source.ID(key)] != nil }) {
		if s.Err != nil {
			return s.Err
		}
		due[source.ID(key)].state = source.Encode(nil, s.State)
		marks := map[uint64]source.ItemMarks{}
		for _, i := range s.State.Items {
			marks[i.ID] = i.Marks
		}
		for _, e := range s.State.Entries {
			if mark, ok := marks[e.ID]; ok && mark&(source.OffSite|source.Unfollowed) == 0 {
				links[source.LinkKey(e.URL)] = false
				wanted = append(wanted, e.URL)
			}
		}
		// What is captured need not be among the entries, which are few, to be shown again by the feed.
		for _, i := range s.State.Items {
			links[i.Link] = false
		}
	}
	if err := sourcedb.Captured(ctx, f, m, links); err != nil {
		return err
	}
	for link, captured := range links {
		if captured {
			c.seen[link] = struct{}{}
		}
	}
	for _, link := range wanted {
		c.want(link, time.Time{})
	}
	return nil
}

// resumePage queues a page of the book.
func (c *Crawl) resumePage(p PageEntry) {
	key := source.LinkKey(p.URL)
	if _, ok := c.seen[key]; !ok && c.add(&job{kind: pageJob, url: p.URL, due: p.Due, tries: p.Tries, hops: p.Hops}) {
		c.seen[key] = struct{}{}
	}
}

// Know adds feeds that no Source DB has yet, as those of a list: they are due at once, unless the book says when.
func (c *Crawl) Know(b *Book, urls ...string) {
	for _, url := range urls {
		key := source.Key(url)
		if _, ok := b.Feeds[key]; ok || c.feeds[key] != nil {
			continue
		}
		c.feeds[key] = &feed{key: key, url: url}
		c.schedule(c.feeds[key])
	}
}
