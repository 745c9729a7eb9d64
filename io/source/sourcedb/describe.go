package sourcedb

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// Link assigns a captured page to a source: one line of links-*.jsonl.
type Link struct {
	URL       string `json:"url"`
	Timestamp string `json:"timestamp"`
	Source    string `json:"source_id"`
	Filename  string `json:"filename,omitempty"`
	Offset    int64  `json:"offset"`
}

// appendTo appends the line of a link as package encoding/json would, but faster: there are millions.
func (l Link) appendTo(b []byte) []byte {
	b = source.AppendText(append(b, `{"url":`...), l.URL)
	b = source.AppendText(append(b, `,"timestamp":`...), l.Timestamp)
	b = source.AppendText(append(b, `,"source_id":`...), l.Source)
	if l.Filename != "" {
		b = source.AppendText(append(b, `,"filename":`...), l.Filename)
	}
	b = strconv.AppendInt(append(b, `,"offset":`...), l.Offset, 10)
	return append(b, '}')
}

// rowsPerShard is the number of sources or links in a shard.
const rowsPerShard = 200_000

// describe writes the sources and the links. names and tongues have the values of sources that the crawl has not met.
func (g *generation) describe(hits *extsort.Sorter, twins groups, names *sketch, tongues *languages) (err error) {
	// Names and languages are counted before the first description: rarity depends on all sources.
	var hashes []uint64
	name := func(kind, text []byte) { hashes = append(hashes, nameHash(kind, text)) }
	found, err := g.writeHits(hits, func(key []byte, pages []hit) error {
		if _, ok := twins[string(key)]; ok {
			return nil // equal feeds count as one source
		}
		host := hostHash(key)
		tongue := func(language []byte, words int) { tongues.add(host, language, words) }
		hashes = hashes[:0]
		for _, p := range pages {
			if err := source.WalkPage(p.page, tongue, name); err != nil {
				return err
			}
		}
		names.addOnce(hashes)
		return nil
	})
	if err != nil {
		return err
	}
	defer func() { _ = g.f.Remove(found.Name) }() // otherwise the next run sweeps it
	gifts := extsort.New(shared(g.o.Sort, joinSorters))
	defer func() { err = errors.Join(err, gifts.Close()) }()
	if err := g.giveUp(found, twins, gifts); err != nil {
		return err
	}
	// Known only now, after g.last has covered all states.
	if at := g.asOf(); at.Unix() != 0 {
		g.next.AsOf = at.Format(time.RFC3339)
	}
	// A feed and its twins count as one.
	w := source.World{Rarity: names.rarity(int(g.sources) - len(twins)), Language: tongues.main}
	return g.writeSources(found, twins, gifts, w)
}

// countOthers counts the names in the pages of sources that the crawl has not met.
func (g *generation) countOthers(names *sketch, tongues *languages) error {
	if g.touched.all {
		return nil
	}
	facts, stop := iter.Pull2(g.chain(g.before.Facts))
	defer stop()
	for _, is := range g.touched.flags {
		if is&wasKnown == 0 {
			continue
		}
		r, err, ok := facts()
		if err != nil || !ok {
			return errors.Join(errRun, err)
		}
		if is&isTouched != 0 {
			continue
		}
		last, err := source.FateOfFacts(r.value)
		if err != nil {
			return err
		}
		g.last = max(g.last, last)
		host := hostHash(r.key)
		tongue := func(language []byte, words int) { tongues.add(host, language, words) }
		if err := source.WalkFacts(r.value, tongue, names.add); err != nil {
			return err
		}
	}
	return nil
}

// hit is an encoded page that a link found.
type hit struct {
	link uint64
	page []byte
}

// settle sorts hits by link, chooses a page for each link, and keeps as many as a state does.
func settle(hits []hit) (kept []hit, err error) {
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Compare(a.link, b.link) })
	for _, h := range hits {
		last := len(kept) - 1
		if last < 0 || kept[last].link != h.link {
			kept = append(kept, h)
			continue
		}
		if kept[last].page, err = source.JoinEncodedPages(kept[last].page, h.page); err != nil {
			return nil, err
		}
	}
	return kept[:min(source.MaxPages, len(kept))], nil
}

// writeHits writes the found pages as a run, which is read several times: of each feed those that its state keeps. It
// calls see with the pages of one feed at a time.
func (g *generation) writeHits(
	hits *extsort.Sorter, see func(key []byte, pages []hit) error,
) (found schemas.Shard, err error) {
	// On disk: giveUp and writeSources read it.
	run, err := newRun(g.f, hidden("hits-%s"), wideBlock)
	if err != nil {
		return found, err
	}
	run.passing = true
	defer run.abort()
	var key, line []byte
	var pages []hit
	flush := func() error {
		kept, err := settle(pages)
		if err == nil {
			err = see(key, kept)
		}
		for _, p := range kept {
			line = append(append(line[:0], byte(item)), p.page...)
			err = errors.Join(err, run.add(key, line))
		}
		pages = pages[:0]
		return err
	}
	err = hits.Merge(func(k, value []byte) error {
		if !bytes.Equal(k, key) {
			if err := flush(); err != nil {
				return err
			}
			key = append(key[:0], k...)
		}
		if asked(value[0]) == feed {
			// The feed's own result precedes its pages, which are written at the next key.
			last, err := source.FateOf(value[1:])
			g.last = max(g.last, last)
			return errors.Join(err, run.add(k, value))
		}
		link, err := source.LinkOf(value[1:])
		if err != nil {
			return err
		}
		pages = append(pages, hit{link, bytes.Clone(value[1:])})
		// A sample of very many pages is kept; sorting now and then limits memory.
		if len(pages) >= 4*source.MaxPages {
			pages, err = settle(pages)
		}
		return err
	})
	if err = errors.Join(err, flush()); err != nil {
		return found, err
	}
	return run.commit()
}

// giveUp gives the values of equal feeds to the feed that represents them.
func (g *generation) giveUp(found schemas.Shard, twins groups, gifts *extsort.Sorter) error {
	// Saves a pass over the states.
	if len(twins) == 0 {
		return nil
	}
	for s, err := range g.whole(found, func(key []byte) bool { _, ok := twins[string(key)]; return ok }) {
		if err != nil {
			return err
		}
		k, err := s.known()
		if err != nil {
			return err
		}
		to := twins[k.key]
		if err := gifts.Add([]byte(to.key), gift(k.key, to.evidence, k.state)); err != nil {
			return err
		}
	}
	return nil
}

// gift encodes a state for the feed that represents it: its key, the evidence, and the state.
func gift(key, evidence string, s source.State) []byte {
	// The key's length precedes it, because keys may contain any byte. A zero ends the evidence, which contains none.
	b := binary.AppendUvarint(nil, uint64(len(key)))
	b = append(append(b, key...), evidence...)
	return source.Encode(append(b, 0), s)
}

// accept is the inverse of gift.
func accept(b []byte) (key, evidence string, s source.State, err error) {
	n, size := binary.Uvarint(b)
	// Not validated, because this process wrote it.
	key, b = string(b[size:size+int(n)]), b[size+int(n):]
	before, rest, _ := bytes.Cut(b, []byte{0})
	s, err = source.Decode(rest)
	return key, string(before), s, err
}

// known is a state with the pages that its items link to.
type known struct {
	key   string
	state source.State
	fates []source.Fetch // visits to its URL that failed or showed nothing new
}

// subject is a source to be described, with its values as stored.
type subject struct {
	key, state []byte
	hits       [][]byte // pages that its items link to, and the result of visiting the feed
	is         flags

	// If others are equal to it: its values including theirs, and their names. There may be any number of them.
	joined  *known
	members []schemas.Alias

	// If the crawl has not met it: its values in the previous generation.
	row, facts []byte
	links      [][]byte
}

// whole yields the wanted sources with their pages, sorted by key. Both streams are sorted by the feed's key, so it
// merges them.
func (g *generation) whole(found schemas.Shard, wanted func(key []byte) bool) iter.Seq2[subject, error] {
	return func(yield func(subject, error) bool) {
		next, stop := pullAhead(readRun(g.f, found.Name))
		defer stop()
		hit, err, ok := next()
		place := -1
		for r, bad := range ahead(g.chainBy(readRun, g.next.States)) {
			if err = errors.Join(err, bad); err != nil {
				break
			}
			place++
			s := subject{key: r.key, state: r.value, is: g.touched.flags[place]}
			for ; ok && err == nil && bytes.Compare(hit.key, s.key) <= 0; hit, err, ok = next() {
				if bytes.Equal(hit.key, s.key) {
					s.hits = append(s.hits, hit.value)
				}
			}
			if err != nil {
				break
			}
			if wanted(s.key) && !yield(s, nil) {
				return
			}
		}
		if err != nil {
			yield(subject{}, err)
		}
	}
}

// known decodes the values of a source.
func (s subject) known() (k known, err error) {
	if s.joined != nil {
		return *s.joined, nil
	}
	k.key = string(s.key)
	if k.state, err = source.Decode(s.state); err != nil {
		return known{}, err
	}
	for _, hit := range s.hits {
		if err := k.add(hit); err != nil {
			return known{}, err
		}
	}
	return k, nil
}

// join adds the values of an equal feed.
func (s *subject) join(gift []byte) error {
	if s.joined == nil {
		k, err := s.known()
		if err != nil {
			return err
		}
		s.joined = &k
	}
	a, err := s.joined.take(gift)
	s.members = append(s.members, a)
	return err
}

// size returns about how many bytes it holds.
func (s *subject) size() (n int) {
	for _, list := range [][][]byte{s.hits, s.links, {s.state, s.row, s.facts}} {
		for _, b := range list {
			n += len(b)
		}
	}
	return n
}

// add adds a found page, or the result of visiting the feed. Pages come in the order of links, as in the state.
func (k *known) add(hit []byte) error {
	p, err := source.DecodePage(hit[1:])
	if err != nil {
		return err
	}
	if asked(hit[0]) == feed {
		k.fates = p.Visits
		k.state = source.WithFate(k.state, p)
		return nil
	}
	k.state.Pages = append(k.state.Pages, p)
	return nil
}

// take adds the values of an equal feed.
func (k *known) take(b []byte) (schemas.Alias, error) {
	key, evidence, s, err := accept(b)
	if err != nil {
		return schemas.Alias{}, err
	}
	k.state = k.state.Join(s)
	return schemas.Alias{URL: source.URLOf(key, s), Evidence: evidence}, nil
}
