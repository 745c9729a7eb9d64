package sourcedb

import (
	"encoding/binary"
	"errors"
	"iter"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// asked is what a link is asked for: the page of an item, or the feed itself, which may have failed or moved.
type asked byte

const (
	item asked = 'i'
	feed asked = 'f'
)

// mostSharing is of how many feeds that link to one page it is asked whether they are equal: those with the smallest
// keys. A piece is in a site's feed, and in those of its category, its tags and its author.
const mostSharing = 8

// joining is what the join of feeds and pages sorts.
type joining struct {
	sort   SortOptions
	shares *extsort.Sorter // by the hash of a link: which feed has an item with it
	asks   *extsort.Sorter // by the hash of a page: which feed asks what
	hits   *extsort.Sorter // by feed: what was asked, and the page
	pairs  *extsort.Sorter // by two feeds: why they may be equal
	moves  *extsort.Sorter // by the hash of a feed's key: which feeds' URLs are redirected to it
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
	shared  []uint64 // of its links, those that may be of other feeds, too
	own     uint64   // a feed's key is the SURT of its URL, as a page's is
	changed bool     // the crawl has met it, or a page of it, or it is told together with others
}

// Askers are worked on so many at a time, or as many as have so many bytes.
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
		// The states of the generation before are one of the runs: what was known is merged with what is new.
		runs := g.runs(g.before.States, parts, func(p Part) schemas.Shard { return p.States }, joinStates)
		for r, err := range fold(runs, joinStates) {
			a := asker{record: r, changed: g.met.anew || r.fresh}
			// Facts are in the order of the states, one for each.
			if err == nil && r.before && !g.met.anew {
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

// lookAt takes from states what they ask for, and reports whether the crawl has met pages of theirs.
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

// lookFor reports whether a link may be of several feeds, and notes whether the crawl has its page, or one that it is
// redirected to.
func (g *generation) lookFor(a *asker, link uint64) (shared bool) {
	if g.met.links == nil {
		return true
	}
	shared, isNew := g.met.links.has(link)
	if a.changed = a.changed || isNew; !a.changed {
		g.resolve(link, func(hop uint64) {
			// The link itself was looked for, and this is asked tens of millions of times.
			if hop != link {
				_, isNew := g.met.links.has(hop)
				a.changed = a.changed || isNew
			}
		})
	}
	return shared || g.anyMayShare()
}

// anyMayShare reports whether any link may be of several feeds: a generation that an earlier version has made does not
// say which were.
func (g *generation) anyMayShare() bool { return g.met.anew || len(g.before.Shared) == 0 }

// ask looks which links a state shares with others, and, if the crawl has met it or a page of it, asks for its pages.
func (g *generation) ask(j *joining, a *asker) error {
	// The moment of the description, where none was asked for.
	g.last = max(g.last, a.outline.Last)
	g.sources++
	g.next.Counts.Items += int64(len(a.outline.Links))
	g.met.note(a.before, a.changed)
	if err := g.relate(j, a); err != nil || !a.changed {
		return err
	}
	return g.askPages(j, a.key, a.own, a.outline.Links)
}

// relate notes what other feeds one may be equal to: those with items of its links, those that it names, and those that
// its URL is redirected to.
func (g *generation) relate(j *joining, a *asker) error {
	for _, link := range a.shared {
		if err := j.shares.Add(linkKey(link), a.key); err != nil {
			return err
		}
	}
	// Whether the other feed is there is found when pairs are compared: see alongStates.
	for _, url := range a.outline.Names {
		// A name is a proposal: whether they are one is recognised by comparing them.
		if err := j.pair(a.key, []byte(source.Key(url)), names); err != nil {
			return err
		}
	}
	var err error
	g.resolve(a.own, func(link uint64) {
		if link != a.own {
			// A feed that leads elsewhere may be another name of the feed there.
			err = errors.Join(err, j.move(link, a.key))
		}
	})
	return err
}

// askPages asks for the pages of a feed's items, and for what became of the feed's own URL.
func (g *generation) askPages(j *joining, key []byte, own uint64, links []uint64) error {
	nobody := func(uint64) {}
	for _, link := range links {
		if err := j.asks.Add(linkKey(g.resolve(link, nobody)), question(item, link, key)); err != nil {
			return err
		}
	}
	return j.asks.Add(linkKey(g.resolve(own, nobody)), question(feed, own, key))
}

// askForGroups asks for the pages of those that are equal to others and have not asked yet: the row of one that stands
// for others depends on all of them.
func (g *generation) askForGroups(j *joining, twins groups) error {
	// When all are described again, all have asked.
	if len(twins) == 0 || g.met.anew {
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
		if g.met.flags[n]&isMet != 0 || !isTwin && !stands[string(r.key)] {
			continue
		}
		g.met.flags[n] |= isMet
		if o, err = outline(r.value, o.Links); err != nil {
			return err
		}
		if err := g.askPages(j, r.key, source.HashBytes(r.key), o.Links); err != nil {
			return err
		}
	}
	return nil
}

// question is a value of the sorter of questions: what is asked, for which link, and by which feed.
func question(what asked, link uint64, key []byte) []byte {
	// 1 byte, 8 bytes, the rest: the feed's key begins at offset 9.
	b := append(make([]byte, 0, 9+len(key)), byte(what))
	return append(binary.BigEndian.AppendUint64(b, link), key...)
}

// join finds the pages that were asked for, and gives them to the feeds. Both the questions and the pages are sorted by
// the page's hash.
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
		// Both ascend: pages that nobody asks for are passed over.
		for ok && err == nil && string(page.key) < string(key) {
			page, err, ok = next()
		}
		if err != nil || !ok || string(page.key) != string(key) {
			return err
		}
		return j.hit(page.value, question)
	})
	// Those after the last question are counted as well.
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

// share collects the feeds of one link. They come sorted by it, and those of one link by feed.
func (j *joining) share(link, key []byte) error {
	if j.link != string(link) {
		if err := j.flush(); err != nil {
			return err
		}
		j.link = string(link)
	}
	// Copied: the sorter uses its memory again.
	if len(j.sharers) < mostSharing {
		j.sharers = append(j.sharers, append([]byte{}, key...))
	}
	return nil
}

// sharing tells which links may be of several feeds: those that were in the generation before, and those that the crawl
// has items of. Any other is of one feed, as it was. So the crawl's share of all links is sorted, and not all of them.
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
		g.met.links.add(mayShare, link)
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
				g.met.links.add(mayShare, link)
			}
		}
	}
	return nil
}

// share gives the feeds of each link to be paired, and writes down those that are of several.
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
