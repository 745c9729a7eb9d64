package sourcedb

import (
	"encoding/binary"
	"errors"
	"iter"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// asked is what a link is asked for: the page of an item, or the feed itself, which may have failed or moved.
type asked byte

const (
	item asked = 'i'
	feed asked = 'f'
)

// mostSharing is of how many feeds that link to one page it is asked whether they are equal: those with the smallest
// keys. A piece stands in a site's feed, and in those of its category, its tags and its author.
const mostSharing = 8

// joining is what the join of feeds and pages sorts.
type joining struct {
	sort  SortOptions
	links *extsort.Sorter // by the hash of a link: which feed asks what
	hits  *extsort.Sorter // by feed: what was asked, and the page
	pairs *extsort.Sorter // by two feeds: why they may be equal
	moves *extsort.Sorter // by the hash of a feed's key: which feeds' URLs are redirected to it
	moved bool            // there are such

	link    string   // whose sharers are being collected
	sharers [][]byte // feeds of which an item links to it
}

func newJoin(o SortOptions) *joining {
	return &joining{
		sort: o, links: extsort.New(o), hits: extsort.New(o), pairs: extsort.New(o), moves: extsort.New(o),
	}
}

func (j *joining) close() error {
	return errors.Join(j.links.Close(), j.hits.Close(), j.pairs.Close(), j.moves.Close())
}

// ask adds the links of a state's items, and the feed's own.
func (g *generation) ask(j *joining, r record) error {
	s, err := source.Decode(r.value)
	if err != nil {
		return err
	}
	// The moment of the description, where none was asked for.
	g.last = max(g.last, s.Last)
	g.sources++
	// Several items may have one link, and one question is enough.
	seen := make(map[uint64]bool, len(s.Items))
	for _, i := range s.Items {
		if seen[i.Link] || i.Marks&source.Unfollowed != 0 {
			continue
		}
		seen[i.Link] = true
		if err := j.links.Add(linkKey(i.Link), question(item, i.Link, r.key)); err != nil {
			return err
		}
	}
	g.next.Counts.Items += int64(len(seen))
	// Whether the other feed is there is found when pairs are compared: see alongStates.
	for _, a := range s.Aliases {
		// A name is a proposal: whether they are one is told by comparing them.
		if err := j.pair(r.key, []byte(source.Key(a.URL)), names); err != nil {
			return err
		}
	}
	own := source.Hash(string(r.key)) // a feed's key is the SURT of its URL, as a page's is
	return j.links.Add(linkKey(own), question(feed, own, r.key))
}

// question is a value of the sorter of links: what is asked, for which link at first, and by which feed.
func question(what asked, link uint64, key []byte) []byte {
	// 1 byte, 8 bytes, the rest: the feed's key begins at offset 9.
	b := append(make([]byte, 0, 9+len(key)), byte(what))
	return append(binary.BigEndian.AppendUint64(b, link), key...)
}

// join finds the pages of links, and gives them to the feeds. A link whose page is a redirect asks again, for the page
// that it leads to. Both the links and the pages are sorted by the link's hash.
func (g *generation) join(j *joining, links *extsort.Sorter, hops int) (err error) {
	// For links whose pages are redirects; mostly it stays empty.
	again, more := extsort.New(j.sort), false
	defer func() { err = errors.Join(err, again.Close()) }()
	next, stop := iter.Pull2(g.chain(g.next.Pages))
	defer stop()
	page, err, ok := next()
	if err != nil {
		return err
	}
	err = links.Merge(func(key, question []byte) error {
		// In the first pass alone: later ones ask for redirects, and the links themselves were all seen.
		if hops == maxHops {
			if err := j.share(key, question); err != nil {
				return err
			}
		}
		// Both ascend: pages that nobody asks for are passed over.
		for ok && err == nil && string(page.key) < string(key) {
			page, err, ok = next()
		}
		if err != nil || !ok || string(page.key) != string(key) {
			return err
		}
		p, err := source.DecodePage(page.value)
		if err != nil {
			return err
		}
		if p.Redirect == 0 || hops == 0 { // after the last hop a redirect counts as the page
			return j.hit(p, question)
		}
		if asked(question[0]) == feed {
			// A feed that leads elsewhere may be another name of the feed there.
			if err := j.move(p.Redirect, question[9:]); err != nil {
				return err
			}
		}
		more = true
		return again.Add(linkKey(p.Redirect), question)
	})
	if err = errors.Join(err, j.flush()); err != nil || !more {
		return err
	}
	// Each hop is another pass over all pages; most links need none.
	return g.join(j, again, hops-1)
}

// hit gives a page to the feed that asked.
func (j *joining) hit(p source.Page, question []byte) error {
	what, link, key := question[0], binary.BigEndian.Uint64(question[1:9]), question[9:]
	return j.hits.Add(key, source.EncodePage([]byte{what}, p.At(link)))
}

// share collects the feeds of one link. Questions come sorted by it, and those of one link by feed.
func (j *joining) share(link, question []byte) error {
	if j.link != string(link) {
		if err := j.flush(); err != nil {
			return err
		}
		j.link = string(link)
	}
	// Copied: the sorter uses its memory again.
	if asked(question[0]) == item && len(j.sharers) < mostSharing {
		j.sharers = append(j.sharers, append([]byte{}, question[9:]...))
	}
	return nil
}

// flush makes pairs of the feeds of a link.
func (j *joining) flush() error {
	// 28 pairs at most, since mostSharing feeds are collected.
	for i, left := range j.sharers {
		for _, right := range j.sharers[i+1:] {
			if err := j.pair(left, right, shares); err != nil {
				return err
			}
		}
	}
	j.sharers = j.sharers[:0]
	return nil
}
