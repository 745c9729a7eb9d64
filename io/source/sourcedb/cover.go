package sourcedb

import (
	"context"
	"encoding/binary"
	"errors"
	"net/url"
	"slices"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Cover is how far the feeds of a site lead to its pages.
type Cover struct {
	Site string `json:"site"` // registrable domain
	// Pages are those that are captured with status 200, without front pages, lists, goods and pages that say that there
	// is no such page.
	Pages   int           `json:"pages"`
	Covered int           `json:"covered"` // to which some feed leads
	Share   schemas.Float `json:"share"`
	Feeds   []CoverFeed   `json:"feeds"`  // the fewest that lead to all that any feed leads to: see source.Cover
	Others  int           `json:"others"` // feeds that are not needed
	// TooLarge says that no feeds were chosen: the site has too many feeds and pages, as a host of many sites has.
	TooLarge bool `json:"too_large,omitempty"`
}

// CoverFeed is a feed of a Cover.
type CoverFeed struct {
	ID    string `json:"source_id"`
	URL   string `json:"url"`
	Class string `json:"class"`
	Pages int    `json:"pages"` // to which it leads
	Adds  int    `json:"adds"`  // to which none before it does
}

// The bounds of a site of which feeds are chosen; choosing takes time by the square of the feeds.
const (
	mostFeeds = 1000
	mostBits  = 1 << 28 // feeds, each with a bit for each page
)

// Covers gives the cover of each site that has a feed which is neither rejected nor gone, by site, to see. One site is
// held in memory at a time.
func Covers(ctx context.Context, f folder.Folder, m Manifest, o SortOptions, see func(Cover) error) (err error) {
	sorted := extsort.New(o)
	defer func() { err = errors.Join(err, sorted.Close()) }()
	feeds, err := addItems(ctx, f, m, sorted)
	if err != nil {
		return err
	}
	if err := addPages(ctx, f, m, sorted, feeds); err != nil {
		return err
	}
	site := newCovering("", nil)
	err = sorted.Merge(func(key, value []byte) error {
		name := string(key[:len(key)-1])
		if name != site.name {
			if err := site.give(see); err != nil {
				return err
			}
			site = newCovering(name, feeds[name])
		}
		site.add(key[len(key)-1], value)
		return nil
	})
	return errors.Join(err, site.give(see))
}

// The kinds of records of a site, in their sequence: redirections and pages have to be known before items.
const (
	movedRecord = iota
	pageRecord
	itemRecord
)

// addItems adds the links of all feeds that count, and returns these by site.
func addItems(ctx context.Context, f folder.Folder, m Manifest, to *extsort.Sorter) (map[string][]CoverFeed, error) {
	feeds := map[string][]CoverFeed{}
	for k, err := range All(ctx, f, m) {
		if err != nil {
			return nil, err
		}
		s := k.Source
		if s.SameAs != nil || s.Verdict == source.Rejected || s.Health.State == source.Gone || s.Domain == "" {
			continue
		}
		n := len(feeds[s.Domain])
		feeds[s.Domain] = append(feeds[s.Domain], CoverFeed{ID: s.ID, URL: s.URL, Class: s.Class})
		for _, i := range k.State.Items {
			value := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(nil, i.Link), uint32(n))
			if err := to.Add(append([]byte(s.Domain), itemRecord), value); err != nil {
				return nil, err
			}
		}
	}
	return feeds, nil
}

// addPages adds the captured pages of the sites that have feeds.
func addPages(
	ctx context.Context, f folder.Folder, m Manifest, to *extsort.Sorter, feeds map[string][]CoverFeed,
) error {
	g := generation{ctx: ctx, f: f}
	for r, err := range g.chain(m.Pages) {
		if err != nil {
			return err
		}
		p, err := source.DecodePage(r.value)
		if err != nil {
			return err
		}
		site := siteOf(p.URL)
		if len(feeds[site]) == 0 {
			continue
		}
		value := binary.BigEndian.AppendUint64(nil, p.Link)
		switch {
		case p.Redirect != 0:
			err = to.Add(append([]byte(site), movedRecord), binary.BigEndian.AppendUint64(value, p.Redirect))
		case p.Status == 200 && p.Marks&(source.Root|source.NotFound|source.Goods) == 0:
			err = to.Add(append([]byte(site), pageRecord), value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func siteOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return urlkey.RegistrableDomain(u.Hostname())
}

// covering is a site that is being read.
type covering struct {
	name  string
	feeds []CoverFeed
	moved map[uint64]uint64 // where links lead
	pages map[uint64]int    // their numbers
	found map[int]bool      // pages to which some feed leads
	sets  []map[int]bool    // of pages, by feed; nil for a site that is too large
}

func newCovering(name string, feeds []CoverFeed) *covering {
	c := &covering{name: name, feeds: feeds, moved: map[uint64]uint64{}, pages: map[uint64]int{}, found: map[int]bool{}}
	c.sets = make([]map[int]bool, len(feeds))
	for i := range c.sets {
		c.sets[i] = map[int]bool{}
	}
	return c
}

func (c *covering) add(kind byte, value []byte) {
	link := binary.BigEndian.Uint64(value)
	switch kind {
	case movedRecord:
		c.moved[link] = binary.BigEndian.Uint64(value[8:])
	case pageRecord:
		if _, known := c.pages[link]; !known {
			c.pages[link] = len(c.pages)
		}
	case itemRecord:
		// One step is what links take in nearly all cases.
		if to, is := c.moved[link]; is {
			link = to
		}
		n, captured := c.pages[link]
		if !captured {
			return
		}
		c.found[n] = true
		// All pages of a site come before its items.
		if c.sets != nil && (len(c.feeds) > mostFeeds || len(c.feeds)*len(c.pages) > mostBits) {
			c.sets = nil
		}
		if c.sets != nil {
			c.sets[binary.BigEndian.Uint32(value[8:])][n] = true
		}
	}
}

// give makes the cover of the site, if it has pages and feeds.
func (c *covering) give(see func(Cover) error) error {
	if len(c.feeds) == 0 || len(c.pages) == 0 {
		return nil
	}
	sets := make([][]int, len(c.sets))
	for i, s := range c.sets {
		for n := range s {
			sets[i] = append(sets[i], n)
		}
	}
	cover := Cover{
		Site: c.name, Pages: len(c.pages), Covered: len(c.found), Feeds: []CoverFeed{}, TooLarge: c.sets == nil,
	}
	cover.Share = schemas.Float(float64(cover.Covered) / float64(cover.Pages))
	have := make([]bool, len(c.pages))
	for _, i := range c.order(sets) {
		one := c.feeds[i]
		one.Pages = len(sets[i])
		for _, n := range sets[i] {
			if !have[n] {
				have[n] = true
				one.Adds++
			}
		}
		cover.Feeds = append(cover.Feeds, one)
	}
	cover.Others = len(c.feeds) - len(cover.Feeds)
	return see(cover)
}

// order is the choice. Of equal feeds the site's main one comes first, then by their keys, in which they came.
func (c *covering) order(sets [][]int) []int {
	rank := make([]int, len(sets))
	for i := range rank {
		rank[i] = i
	}
	slices.SortStableFunc(rank, func(a, b int) int {
		main := func(i int) int {
			if c.feeds[i].Class == source.ClassMain {
				return 0
			}
			return 1
		}
		return main(a) - main(b)
	})
	ranked := make([][]int, len(sets))
	for i, k := range rank {
		ranked[i] = sets[k]
	}
	chosen := source.Cover(ranked, len(c.pages))
	for i, k := range chosen {
		chosen[i] = rank[k]
	}
	return chosen
}
