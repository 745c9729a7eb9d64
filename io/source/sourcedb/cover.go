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

// Cover tells how many of a site's pages its feeds list.
type Cover struct {
	Site string `json:"site"` // registrable domain
	// Pages are the captured pages with status 200 or without a status. Images, styles, plain texts and feeds do not
	// count. Front pages, lists and products do not count, nor do pages that only say that a page does not exist. A
	// canonical URL is not another page.
	Pages   int           `json:"pages"`
	Covered int           `json:"covered"` // listed by some feed
	Share   schemas.Float `json:"share"`
	Feeds   []CoverFeed   `json:"feeds"`  // fewest feeds that list all pages that any feed lists: see source.Cover
	Others  int           `json:"others"` // feeds that are not needed
	// TooLarge means that no feeds were chosen, because the site has too many feeds and pages, as a host of many sites
	// has.
	TooLarge bool `json:"too_large,omitempty"`
}

// CoverFeed is a feed of a Cover.
type CoverFeed struct {
	ID    string `json:"source_id"`
	URL   string `json:"url"`
	Class string `json:"class"`
	Pages int    `json:"pages"` // listed by it
	Adds  int    `json:"adds"`  // listed by it and by no feed before it
}

// Limits of a site for choosing feeds, whose time grows with the square of their number.
const (
	mostFeeds = 1000
	mostBits  = 1 << 28 // each feed has a bit for each page
)

// Covers calls see with the cover of each site that has a feed which is neither rejected nor gone, sorted by site. It
// holds one site in memory at a time.
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

// The kinds of records of a site, in order: items need redirects, pages and canonical URLs, and these need pages.
const (
	movedRecord = iota
	pageRecord
	namedRecord // a canonical URL, and the captured URL that names it
	itemRecord
)

// addItems adds the links of all feeds that count, and returns these feeds by site.
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

// addPages adds the captured pages of sites with feeds.
func addPages(
	ctx context.Context, f folder.Folder, m Manifest, to *extsort.Sorter, feeds map[string][]CoverFeed,
) error {
	// Only the last capture of each counts: an old redirect may be a page now.
	g := generation{ctx: ctx, f: f, next: m}
	for r, err := range g.lastPages() {
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
		// Formats without a status have 0.
		case (p.Status == 200 || p.Status == 0) && p.Marks&(source.Root|source.NotFound|source.Goods|source.Asset) == 0:
			kind := byte(pageRecord)
			if own := p.Own(); own != p.Link {
				kind, value = namedRecord, binary.BigEndian.AppendUint64(value, own)
			}
			err = to.Add(append([]byte(site), kind), value)
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

// covering is the site that is being read.
type covering struct {
	name  string
	feeds []CoverFeed
	moved map[uint64]uint64 // targets of redirected links, and the captured URLs of canonical ones
	pages map[uint64]int    // page numbers by link
	found map[int]bool      // pages listed by some feed
	sets  []map[int]bool    // of page numbers, by feed; nil for a site that is too large
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
	case namedRecord:
		// The captured URL may be a redirect by now. Then its page is found under the canonical URL alone.
		if own := binary.BigEndian.Uint64(value[8:]); c.has(own) {
			c.moved[link] = own
		} else {
			c.pages[link] = len(c.pages)
		}
	case itemRecord:
		n, captured := c.pages[c.target(link)]
		if !captured {
			return
		}
		c.found[n] = true
		// All pages of a site precede its items.
		if c.sets != nil && (len(c.feeds) > mostFeeds || len(c.feeds)*len(c.pages) > mostBits) {
			c.sets = nil
		}
		if c.sets != nil {
			c.sets[binary.BigEndian.Uint32(value[8:])][n] = true
		}
	}
}

func (c *covering) has(link uint64) bool {
	_, is := c.pages[link]
	return is
}

// target follows a link. Nearly all links have at most one redirect, which may lead to a canonical URL.
func (c *covering) target(link uint64) uint64 {
	for range 2 {
		if to, is := c.moved[link]; is {
			link = to
		}
	}
	return link
}

// give calls see with the cover of the site, if it has pages and feeds.
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

// order returns the choice. Among equal feeds the site's main one comes first, then the smaller key.
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
