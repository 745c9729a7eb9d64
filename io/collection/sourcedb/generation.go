package sourcedb

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

const (
	// shardBytes is how large a shard of states or pages becomes, so that reading can be divided.
	shardBytes = 256 << 20
	// maxFeeds is how many feeds get a page that all of them link to: those with the smallest keys.
	maxFeeds = 100
	// maxHops is how many redirects are followed from an item's link to a page.
	maxHops = 3
)

func cmpStrings(a, b string) int { return strings.Compare(a, b) }

// generation is one that is being made.
type generation struct {
	ctx    context.Context
	f      folder.Folder
	o      Options
	before Manifest
	next   Manifest

	last int64 // capture time of the last thing known of any source
}

// make merges, joins and describes.
// Everything is streamed in the order of keys, and sorted on the disk in between: the memory does not grow with the
// number of sources.
func (g *generation) make(parts []Part) (err error) {
	links, hits := extsort.New(g.o.Sort), extsort.New(g.o.Sort)
	defer func() { err = errors.Join(err, links.Close(), hits.Close()) }()
	// The states of the generation before are one of the runs: what was known is merged with what is new.
	states := fold(g.runs(g.before.States, parts, func(p Part) schemas.Shard { return p.States }), joinStates)
	if g.next.States, err = g.write("states", states, func(r record) error { return g.addLinks(links, r) }); err != nil {
		return err
	}
	// Pages likewise. A later capture of a page takes the place of an earlier one.
	pages := fold(g.runs(g.before.Pages, parts, func(p Part) schemas.Shard { return p.Pages }), joinPages)
	count := func(record) error { g.next.Counts.Pages++; return nil }
	if g.next.Pages, err = g.write("pages", pages, count); err != nil {
		return err
	}
	if err := g.join(links, hits, maxHops); err != nil {
		return err
	}
	return g.describe(hits)
}

// write writes records as shards, and gives each to see.
func (g *generation) write(
	kind string, records iter.Seq2[record, error], see func(record) error,
) (list []schemas.Shard, err error) {
	var w *runWriter
	defer func() {
		// After an error the shard that was begun is removed.
		if w != nil {
			w.abort()
		}
	}()
	finish := func() error {
		s, err := w.commit()
		list, w = append(list, s), nil
		return err
	}
	for r, err := range records {
		if err != nil {
			return nil, err
		}
		if w == nil {
			if w, err = newRun(g.f, shardName(kind, len(list), ".bin.zst")); err != nil {
				return nil, err
			}
		}
		if err := errors.Join(w.add(r.key, r.value), see(r)); err != nil {
			return nil, err
		}
		if w.size >= shardBytes {
			if err := finish(); err != nil {
				return nil, err
			}
		}
	}
	if w != nil {
		err = finish()
	}
	return list, err
}

// asked is what a link is asked for: the page of an item, or the feed itself, which may have failed or moved.
type asked byte

const (
	item asked = 'i'
	feed asked = 'f'
)

// addLinks adds the links of a state's items, and the feed's own.
func (g *generation) addLinks(links *extsort.Sorter, r record) error {
	s, err := source.Decode(r.value)
	if err != nil {
		return err
	}
	g.last = max(g.last, s.Last)
	// Several items may have one link, and one question is enough.
	seen := map[uint64]bool{}
	for _, i := range s.Items {
		if seen[i.Link] || i.Marks&source.Unfollowed != 0 {
			continue
		}
		seen[i.Link] = true
		if err := links.Add(linkKey(i.Link), question(item, i.Link, r.key)); err != nil {
			return err
		}
	}
	g.next.Counts.Items += int64(len(seen))
	own := source.Hash(string(r.key)) // a feed's key is the SURT of its URL, as a page's is
	return links.Add(linkKey(own), question(feed, own, r.key))
}

// question is a value of the sorter of links: what is asked, for which link at first, and by which feed.
func question(what asked, link uint64, key []byte) []byte {
	b := append(make([]byte, 0, 9+len(key)), byte(what))
	return append(binary.BigEndian.AppendUint64(b, link), key...)
}

// join finds the pages of links, and gives them to the feeds: hits has the feed's key, then the page. A link whose page
// is a redirect asks again, for the page that it leads to.
// Both the links and the pages are sorted by the link's hash.
func (g *generation) join(links, hits *extsort.Sorter, hops int) (err error) {
	again := extsort.New(g.o.Sort)
	defer func() { err = errors.Join(err, again.Close()) }()
	next, stop := iter.Pull2(g.chain(g.next.Pages))
	defer stop()
	page, err, ok := next()
	feeds, last, more := 0, "", false
	err = errors.Join(err, links.Merge(func(key, question []byte) error {
		for ok && err == nil && string(page.key) < string(key) {
			page, err, ok = next()
		}
		if err != nil || !ok || string(page.key) != string(key) {
			return err
		}
		// maxFeeds is counted for each link anew. The sorter keeps the sequence in which the questions of one key came:
		// in the first pass that of the feeds' keys.
		if last != string(key) {
			feeds, last = 0, string(key)
		}
		if feeds++; feeds > maxFeeds {
			return nil
		}
		p, err := source.DecodePage(page.value)
		if err != nil {
			return err
		}
		// After the last hop a redirect counts as the page.
		if p.Redirect != 0 && hops > 0 {
			more = true
			return again.Add(linkKey(p.Redirect), question)
		}
		return addHit(hits, p, question)
	}))
	if err != nil || !more {
		return err
	}
	// Each hop is another pass over all pages; most links need none.
	return g.join(again, hits, hops-1)
}

// addHit gives a page to the feed that asked.
func addHit(hits *extsort.Sorter, p source.Page, question []byte) error {
	what, link, key := asked(question[0]), binary.BigEndian.Uint64(question[1:9]), question[9:]
	return hits.Add(key, source.EncodePage([]byte{byte(what)}, p.At(link)))
}

func (g *generation) asOf() time.Time {
	if !g.o.AsOf.IsZero() {
		return g.o.AsOf.UTC()
	}
	return time.Unix(g.last, 0).UTC()
}
