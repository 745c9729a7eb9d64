package sourcedb

import (
	"bytes"
	"encoding/binary"
	"iter"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// pagesMerge merges pages by periods. A page captured in several periods has the last capture of each; the last of all
// counts.
type pagesMerge struct {
	g        *generation
	calendar calendar
	pages    map[period]*shards // of the periods to be rewritten
	// moves are the changes that each read period makes to the redirects of earlier ones. A change is a link and its
	// target, or 0 if it is no longer redirected.
	moves  map[period]*shards
	before redirects // after the periods that are not read
	now    redirects // after all periods
}

// mergePages merges the pages. It rewrites periods with new pages, and reads those after the first of them, because
// their changes to redirects depend on earlier periods. Others stay as they are.
func (g *generation) mergePages(parts []Part) (err error) {
	m := pagesMerge{g: g, pages: map[period]*shards{}, moves: map[period]*shards{}}
	defer m.abort()
	known, moved := byPeriod(g.before.Pages), byPeriod(g.before.Redirects)
	if err := m.plan(known, parts); err != nil {
		return err
	}
	first := period(1 << 30) // first period to read
	for p := range m.pages {
		first = min(first, p)
	}
	kept := map[period][]schemas.Shard{}
	var runs []iter.Seq2[record, error]
	for _, p := range slices.Sorted(maps.Keys(known)) {
		// A year may now be one of the earlier ones, or a month part of its year.
		now := p.in(m.calendar.newest)
		if p != unknown && m.pages[now] == nil {
			kept[p] = known[p]
		}
		if p == unknown || now >= first {
			runs = append(runs, g.chainBy(readRun, known[p]))
			continue
		}
		g.next.Redirects = append(g.next.Redirects, moved[p]...)
		if m.before, err = m.before.changed(g.chain(moved[p])); err != nil {
			return err
		}
	}
	runs = append(runs, merge(g.fresh(parts, func(p Part) schemas.Shard { return p.Pages }), 0))
	if err := m.merge(merge(runs, len(runs)-1)); err != nil {
		return err
	}
	g.redirects = m.now
	return m.close(kept)
}

// plan chooses the periods to be rewritten.
func (m *pagesMerge) plan(known map[period][]schemas.Shard, parts []Part) error {
	var months []period
	for _, p := range parts {
		months = append(months, p.Months...)
	}
	for r, err := range m.g.chain(known[unknown]) {
		if err != nil {
			return err
		}
		t, err := source.TimeOf(r.value)
		if err != nil {
			return err
		}
		if month := monthOf(t); !slices.Contains(months, month) {
			months = append(months, month)
		}
	}
	all := append(slices.Collect(maps.Keys(known)), months...)
	for _, p := range all {
		m.calendar.newest = max(m.calendar.newest, int(p)/100)
	}
	for _, p := range all {
		now := p.in(m.calendar.newest)
		if p != unknown && (m.g.touched.all || p != now || slices.Contains(months, p)) {
			m.pages[now] = m.g.shards(now.name("pages"))
		}
	}
	return nil
}

// merge writes the pages of a stream, in which those of one link are adjacent.
func (m *pagesMerge) merge(records iter.Seq2[record, error]) error {
	var same []record // of one link
	for r, err := range records {
		if err != nil {
			return err
		}
		if len(same) > 0 && !bytes.Equal(same[0].key, r.key) {
			if err := m.write(same); err != nil {
				return err
			}
			same = same[:0]
		}
		same = append(same, r)
	}
	if len(same) > 0 {
		if err := m.write(same); err != nil {
			return err
		}
	}
	m.passTo(1<<64 - 1)
	return nil
}

// passTo copies the redirects of links before link, and returns its own target so far.
func (m *pagesMerge) passTo(link uint64) (to uint64) {
	n := 0
	for n < len(m.before.from) && m.before.from[n] < link {
		m.now.add(m.before.from[n], m.before.to[n])
		n++
	}
	if n < len(m.before.from) && m.before.from[n] == link {
		to = m.before.to[n]
		n++
	}
	m.before = redirects{m.before.from[n:], m.before.to[n:]}
	return to
}

// write writes the captures of one link: the last one of each period.
func (m *pagesMerge) write(same []record) (err error) {
	link, err := linkOf(same[0].key)
	if err != nil {
		return err
	}
	type capture struct {
		period period
		value  []byte
	}
	var room [4]capture
	list := room[:0]
	for _, r := range same {
		if r.fresh && m.g.touched.links != nil {
			m.g.touched.links.add(captured, link)
		}
		t, err := source.TimeOf(r.value)
		if err != nil {
			return err
		}
		c := capture{m.calendar.of(t), r.value}
		at, there := slices.BinarySearchFunc(list, c.period, func(c capture, p period) int { return int(c.period - p) })
		if !there {
			list = slices.Insert(list, at, c)
			// Joining a page with itself only updates its form, which an older version may have written.
			there = m.g.touched.all
		}
		if there {
			if list[at].value, err = source.JoinEncodedPages(list[at].value, c.value); err != nil {
				return err
			}
		}
	}
	to := m.passTo(link)
	for _, c := range list {
		if w := m.pages[c.period]; w != nil {
			if err := w.add(same[0].key, c.value); err != nil {
				return err
			}
		}
		now, known, err := source.RedirectOf(c.value)
		if err == nil && known && now != to {
			to, err = now, m.move(c.period, same[0].key, now)
		}
		if err != nil {
			return err
		}
	}
	if to != 0 {
		m.now.add(link, to)
	}
	return nil
}

func (m *pagesMerge) move(p period, key []byte, to uint64) error {
	if m.moves[p] == nil {
		m.moves[p] = m.g.shards(p.name("redirects"))
	}
	return m.moves[p].add(key, linkKey(to))
}

// close ends the files.
func (m *pagesMerge) close(kept map[period][]schemas.Shard) error {
	for p, w := range m.pages {
		list, err := w.close()
		if err != nil {
			return err
		}
		kept[p] = list
	}
	for _, p := range slices.Sorted(maps.Keys(kept)) {
		m.g.next.Pages = append(m.g.next.Pages, kept[p]...)
	}
	for _, p := range slices.Sorted(maps.Keys(m.moves)) {
		list, err := m.moves[p].close()
		if err != nil {
			return err
		}
		m.g.next.Redirects = append(m.g.next.Redirects, list...)
	}
	return nil
}

func (m *pagesMerge) abort() {
	for _, all := range []map[period]*shards{m.pages, m.moves} {
		for _, w := range all {
			w.abort()
		}
	}
}

// lastPages yields the pages of a generation, each with its last capture.
func (g *generation) lastPages() iter.Seq2[record, error] {
	of := byPeriod(g.next.Pages)
	var runs []iter.Seq2[record, error]
	for _, p := range slices.Sorted(maps.Keys(of)) {
		runs = append(runs, g.chainBy(readRun, of[p]))
	}
	if len(runs) == 1 {
		return runs[0]
	}
	return fold(merge(runs, 0), source.JoinEncodedPages)
}

// redirects are the redirected pages, ascending by link, in memory: 16 bytes each.
type redirects struct{ from, to []uint64 }

// add adds a redirect. Links must ascend.
func (r *redirects) add(from, to uint64) { r.from, r.to = append(r.from, from), append(r.to, to) }

// next returns the target of a link.
func (r *redirects) next(link uint64) (to uint64, ok bool) {
	i, ok := slices.BinarySearch(r.from, link)
	if !ok {
		return 0, false
	}
	return r.to[i], true
}

// changed returns the redirects after a period's changes.
func (r redirects) changed(moves iter.Seq2[record, error]) (now redirects, err error) {
	i := 0
	for m, err := range moves {
		if err != nil {
			return now, err
		}
		link, err := linkOf(m.key)
		if err != nil || len(m.value) != 8 {
			return now, errRun
		}
		for ; i < len(r.from) && r.from[i] < link; i++ {
			now.add(r.from[i], r.to[i])
		}
		if i < len(r.from) && r.from[i] == link {
			i++
		}
		if to := binary.BigEndian.Uint64(m.value); to != 0 {
			now.add(link, to)
		}
	}
	now.from, now.to = append(now.from, r.from[i:]...), append(now.to, r.to[i:]...)
	return now, nil
}
