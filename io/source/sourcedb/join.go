package sourcedb

import (
	"encoding/binary"
	"errors"
	"iter"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// asked is the purpose of looking up a link: an item's page, or the feed itself, which may have failed or moved.
type asked byte

const (
	item asked = 'i'
	feed asked = 'f'
)

// mostSharing is how many feeds that link to one page are compared: those with the smallest keys. An article is in a
// site's feed, and in the feeds of its category, tags and author.
const mostSharing = 8

// joining holds the sorters of the join of feeds and pages.
type joining struct {
	sort   SortOptions
	shares *extsort.Sorter // by link hash: the feeds that have an item with it
	asks   *extsort.Sorter // by page hash: feeds and purposes
	hits   *extsort.Sorter // by feed: purposes and pages
	pairs  *extsort.Sorter // by two feeds: why they may be equal
	moves  *extsort.Sorter // by hash of a feed's key: feeds that are redirected to it
	moved  bool            // there are such
	line   []byte          // room for a hit, which the sorter copies

	link    string   // whose sharers are being collected
	sharers [][]byte // feeds of which an item links to it

	shared *runWriter // links that have several sharers
}

func newJoin(o SortOptions) *joining {
	o = shared(o, joinSorters)
	return &joining{
		sort: o, shares: extsort.New(o), asks: extsort.New(o), hits: extsort.New(o), pairs: extsort.New(o),
		moves: extsort.New(o),
	}
}

// joinSorters is how many sorters of the join are full at the same time, at most: the small ones count as one.
const joinSorters = 4

// shared are options with which n sorters together hold what one may hold.
func shared(o SortOptions, n int) SortOptions {
	if o.MemoryBytes > 0 {
		o.MemoryBytes = max(1, o.MemoryBytes/n)
	}
	return o
}

func (j *joining) close() error {
	return errors.Join(j.shares.Close(), j.asks.Close(), j.hits.Close(), j.pairs.Close(), j.moves.Close())
}

// asker is a state that asks for pages.
type asker struct {
	record
	outline source.Outline
	shared  []uint64 // links that other feeds may have, too
	own     uint64   // a feed's key is the SURT of its URL, as a page's is
	changed bool     // the crawl has met it or a page of it, or it is described together with others
}

// Limits of a batch of askers, in number and bytes.
const (
	askersAtATime = 256
	askerBytes    = 512 << 10
)

// askers yields the merged states, some at a time.
func (g *generation) askers(parts []Part) iter.Seq2[[]asker, error] {
	return func(yield func([]asker, error) bool) {
		facts, stop := iter.Pull2(g.chain(g.before.Facts))
		defer stop()
		var list []asker
		size := 0
		// Old and new states are merged.
		runs := g.runs(g.before.States, parts, func(p Part) schemas.Shard { return p.States }, joinStates)
		for r, err := range fold(runs, joinStates) {
			a := asker{record: r, changed: g.touched.all || r.fresh}
			// Facts are in the order of the states, one for each.
			if err == nil && r.before && !g.touched.all {
				f, bad, ok := facts()
				if bad != nil || !ok || string(f.key) != string(r.key) {
					err = errors.Join(errRun, bad)
				}
				a.changed = a.changed || source.IsGrouped(f.value)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			list, size = append(list, a), size+len(r.value)
			if len(list) < askersAtATime && size < askerBytes {
				continue
			}
			if !yield(list, nil) {
				return
			}
			list, size = nil, 0
		}
		yield(list, nil)
	}
}

// lookAt reads from states what they ask for, and whether the crawl has met their pages.
func (g *generation) lookAt(list []asker) (err error) {
	for i := range list {
		a := &list[i]
		if a.outline, err = outline(a.value, nil); err != nil {
			return err
		}
		a.own = source.HashBytes(a.key)
		g.lookFor(a, a.own)
		for _, link := range a.outline.Links {
			if g.lookFor(a, link) {
				a.shared = append(a.shared, link)
			}
		}
	}
	return nil
}

// lookFor reports whether several feeds may have a link, and records whether the crawl has its page or a redirect's
// target.
func (g *generation) lookFor(a *asker, link uint64) (shared bool) {
	if g.touched.links == nil {
		return true
	}
	shared, isNew := g.touched.links.has(link)
	if a.changed = a.changed || isNew; !a.changed {
		g.resolve(link, func(hop uint64) {
			// The link itself was checked, and this runs tens of millions of times.
			if hop != link {
				_, isNew := g.touched.links.has(hop)
				a.changed = a.changed || isNew
			}
		})
	}
	return shared || g.anyMayShare()
}

// anyMayShare reports whether any link may be shared: generations of earlier versions do not list shared links.
func (g *generation) anyMayShare() bool { return g.touched.all || len(g.before.Shared) == 0 }

// ask finds the links that a state shares with others. If the crawl has met the feed or its pages, it requests the
// pages.
func (g *generation) ask(j *joining, a *asker) error {
	// The default time of the description.
	g.last = max(g.last, a.outline.Last)
	g.sources++
	g.next.Counts.Items += int64(len(a.outline.Links))
	g.touched.note(a.before, a.changed)
	if err := g.relate(j, a); err != nil || !a.changed {
		return err
	}
	return g.askPages(j, a.key, a.own, a.outline.Links)
}

// relate records the feeds to which a feed may be equal. These share its links, are named by it, or are targets of
// redirects from its URL.
func (g *generation) relate(j *joining, a *asker) error {
	for _, link := range a.shared {
		if err := j.shares.Add(linkKey(link), a.key); err != nil {
			return err
		}
	}
	// Comparing pairs shows whether the other feed exists: see alongStates.
	for _, url := range a.outline.Names {
		// A name is a proposal: whether they are one is recognised by comparing them.
		if err := j.pair(a.key, []byte(source.Key(url)), names); err != nil {
			return err
		}
	}
	var err error
	g.resolve(a.own, func(link uint64) {
		if link != a.own {
			// A redirected feed may be another name of the target.
			err = errors.Join(err, j.move(link, a.key))
		}
	})
	return err
}

// askPages requests the pages of a feed's items, and the result of visiting its own URL.
func (g *generation) askPages(j *joining, key []byte, own uint64, links []uint64) error {
	nobody := func(uint64) {}
	for _, link := range links {
		if err := j.asks.Add(linkKey(g.resolve(link, nobody)), question(item, link, key)); err != nil {
			return err
		}
	}
	return j.asks.Add(linkKey(g.resolve(own, nobody)), question(feed, own, key))
}

// askForGroups requests the pages of equal feeds that have not requested theirs: the representative's row depends on
// all of them.
func (g *generation) askForGroups(j *joining, twins groups) error {
	// If all are described again, all have asked.
	if len(twins) == 0 || g.touched.all {
		return nil
	}
	stands := map[string]bool{}
	for _, to := range twins {
		stands[to.key] = true
	}
	n := -1
	var o source.Outline
	for r, err := range g.chain(g.next.States) {
		if n++; err != nil {
			return err
		}
		_, isTwin := twins[string(r.key)]
		if g.touched.flags[n]&isTouched != 0 || !isTwin && !stands[string(r.key)] {
			continue
		}
		g.touched.flags[n] |= isTouched
		if o, err = outline(r.value, o.Links); err != nil {
			return err
		}
		if err := g.askPages(j, r.key, source.HashBytes(r.key), o.Links); err != nil {
			return err
		}
	}
	return nil
}

// question encodes a value of the sorter asks: purpose, link, and feed.
func question(what asked, link uint64, key []byte) []byte {
	// 1 byte, 8 bytes, and the feed's key from offset 9 on.
	b := append(make([]byte, 0, 9+len(key)), byte(what))
	return append(binary.BigEndian.AppendUint64(b, link), key...)
}

// join finds the requested pages and gives them to the feeds. Questions and pages are both sorted by the page's hash.
func (g *generation) join(j *joining) (err error) {
	pull, stop := pullAhead(g.lastPages())
	defer stop()
	next := func() (record, error, bool) {
		page, err, ok := pull()
		if ok && err == nil {
			g.next.Counts.Pages++
		}
		return page, err, ok
	}
	page, err, ok := next()
	if err != nil {
		return err
	}
	err = j.asks.Merge(func(key, question []byte) error {
		// Both ascend, so pages before the question are skipped.
		for ok && err == nil && string(page.key) < string(key) {
			page, err, ok = next()
		}
		if err != nil || !ok || string(page.key) != string(key) {
			return err
		}
		return j.hit(page.value, question)
	})
	// Pages after the last question are counted as well.
	for ok && err == nil {
		_, err, ok = next()
	}
	return err
}

// hit gives a page to the feed that asked.
func (j *joining) hit(page, question []byte) (err error) {
	what, link, key := question[0], binary.BigEndian.Uint64(question[1:9]), question[9:]
	if j.line, err = source.AppendPageAt(append(j.line[:0], what), page, link); err != nil {
		return err
	}
	return j.hits.Add(key, j.line)
}

// share collects the feeds of one link. Input is sorted by link, then by feed.
func (j *joining) share(link, key []byte) error {
	if j.link != string(link) {
		if err := j.flush(); err != nil {
			return err
		}
		j.link = string(link)
	}
	// Copied, because the sorter reuses its memory.
	if len(j.sharers) < mostSharing {
		j.sharers = append(j.sharers, append([]byte{}, key...))
	}
	return nil
}

// sharing finds the links that several feeds may have: the shared links of the previous generation, and the links of
// the crawl's items. Other links still have one feed. So only the crawl's links are sorted.
func (g *generation) sharing(parts []Part) error {
	if g.anyMayShare() {
		return nil
	}
	for r, err := range g.chain(g.before.Shared) {
		if err != nil {
			return err
		}
		link, err := linkOf(r.key)
		if err != nil {
			return err
		}
		g.touched.links.add(mayShare, link)
	}
	var o source.Outline
	for _, p := range parts {
		for r, err := range passRun(g.f, p.States.Name) {
			if err != nil {
				return err
			}
			if o, err = outline(r.value, o.Links); err != nil {
				return err
			}
			for _, link := range o.Links {
				g.touched.links.add(mayShare, link)
			}
		}
	}
	return nil
}

// share pairs the feeds of each link, and writes the shared links.
func (g *generation) share(j *joining) (err error) {
	if j.shared, err = newRun(g.f, shardName("shared", 0, ".bin.s2"), wideBlock); err != nil {
		return err
	}
	defer j.shared.abort()
	if err := errors.Join(j.shares.Merge(j.share), j.flush()); err != nil {
		return err
	}
	s, err := j.shared.commit()
	g.next.Shared = []schemas.Shard{s}
	return err
}

// flush makes pairs of the feeds of a link.
func (j *joining) flush() error {
	if len(j.sharers) > 1 {
		if err := j.shared.add([]byte(j.link), nil); err != nil {
			return err
		}
	}
	// At most 28 pairs, because of mostSharing.
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
