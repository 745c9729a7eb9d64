package sourcedb

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"iter"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// Link says of a captured page which source it is of: one line of links-*.jsonl.
type Link struct {
	URL       string `json:"url"`
	Timestamp string `json:"timestamp"`
	Source    string `json:"source_id"`
	Filename  string `json:"filename,omitempty"`
	Offset    int64  `json:"offset"`
}

// rowsPerShard is how many sources or links a shard has.
const rowsPerShard = 200_000

// describe writes the sources and the links.
func (g *generation) describe(hits *extsort.Sorter, twins groups) (err error) {
	// The sketch takes 2 MiB, whatever the number of names.
	names, tongues := new(sketch), languages{}
	// Names and languages of all sources have to be counted before the first is described: what is rare
	// depends on all.
	found, err := g.writeHits(hits, func(key string, pages []source.Page) {
		if _, ok := twins[key]; !ok { // what two equal feeds name is named by one source
			names.add(pages)
			tongues.add(key, pages)
		}
	})
	if err != nil {
		return err
	}
	defer func() { _ = g.f.Remove(found.Name) }() // the next run sweeps it
	gifts := extsort.New(g.o.Sort)
	defer func() { err = errors.Join(err, gifts.Close()) }()
	if err := g.giveUp(found, twins, gifts); err != nil {
		return err
	}
	// Known only now: g.last has gone over all states.
	g.next.AsOf = g.asOf().Format(time.RFC3339)
	// Of sources that stand for themselves: a feed and its twins count as one.
	w := source.World{Rarity: names.rarity(int(g.sources) - len(twins)), Language: tongues.of}
	return g.writeSources(found, twins, gifts, w)
}

// writeHits writes the pages that were found as a run, of each feed those that its state keeps. It is read more than
// once. see gets the pages of one feed at a time.
func (g *generation) writeHits(
	hits *extsort.Sorter, see func(key string, pages []source.Page),
) (found schemas.Shard, err error) {
	// On the disk and not in memory: it is read by giveUp and again by writeSources.
	run, err := newRun(g.f, hidden("hits-%s"))
	if err != nil {
		return found, err
	}
	defer run.abort()
	var key []byte
	var pages source.State
	flush := func() error {
		pages = source.Of(pages)
		see(string(key), pages.Pages)
		for _, p := range pages.Pages {
			if err := run.add(key, source.EncodePage([]byte{byte(item)}, p)); err != nil {
				return err
			}
		}
		pages = source.State{}
		return nil
	}
	err = hits.Merge(func(k, hit []byte) error {
		if string(k) != string(key) {
			if err := flush(); err != nil {
				return err
			}
			key = append(key[:0], k...)
		}
		if asked(hit[0]) == feed {
			// What became of the feed itself comes before its pages, which are written at the next key.
			return run.add(k, hit)
		}
		p, err := source.DecodePage(hit[1:])
		pages.Pages = append(pages.Pages, p)
		// Of a feed with very many pages a sample is kept; to sort now and then bounds what is held.
		if len(pages.Pages) >= 4*source.MaxPages {
			pages = source.Of(pages)
		}
		return err
	})
	if err = errors.Join(err, flush()); err != nil {
		return found, err
	}
	return run.commit()
}

// giveUp gives what is known of feeds that are equal to others to those that stand for them.
func (g *generation) giveUp(found schemas.Shard, twins groups, gifts *extsort.Sorter) error {
	// No pass over the states for nothing.
	if len(twins) == 0 {
		return nil
	}
	for r, err := range g.whole(found, func(key []byte) bool { _, ok := twins[string(key)]; return ok }) {
		if err != nil {
			return err
		}
		to := twins[r.key]
		if err := gifts.Add([]byte(to.key), gift(r.key, to.evidence, r.state)); err != nil {
			return err
		}
	}
	return nil
}

// gift is a state on its way to the feed that stands for it: its key, the evidence, and the state.
func gift(key, evidence string, s source.State) []byte {
	// With its length, since keys may hold any byte; the evidence ends with a zero, which it never has.
	b := binary.AppendUvarint(nil, uint64(len(key)))
	b = append(append(b, key...), evidence...)
	return source.Encode(append(b, 0), s)
}

// accept is gift undone.
func accept(b []byte) (key, evidence string, s source.State, err error) {
	n, size := binary.Uvarint(b)
	// Written by gift in this very process: its form is not checked again.
	key, b = string(b[size:size+int(n)]), b[size+int(n):]
	before, rest, _ := bytes.Cut(b, []byte{0})
	s, err = source.Decode(rest)
	return key, string(before), s, err
}

// known is a state with the pages that its items link to.
type known struct {
	key   string
	state source.State
}

// whole yields the states that are wanted with their pages, in the order of their keys.
// Both streams are sorted by the feed's key, so this is a merge: pages of a feed that is not there, which cannot be by
// how they were asked for, would be passed over.
func (g *generation) whole(found schemas.Shard, wanted func(key []byte) bool) iter.Seq2[known, error] {
	return func(yield func(known, error) bool) {
		next, stop := iter.Pull2(readRun(g.f, found.Name))
		defer stop()
		hit, err, ok := next()
		for r, bad := range g.chain(g.next.States) {
			if err = errors.Join(err, bad); err != nil {
				break
			}
			k := known{key: string(r.key)}
			// A state that nobody wants is not decoded.
			take := wanted == nil || wanted(r.key)
			if take {
				k.state, err = source.Decode(r.value)
			}
			for ok && err == nil && string(hit.key) <= k.key {
				if take && string(hit.key) == k.key {
					err = k.add(hit.value)
				}
				if err == nil {
					hit, err, ok = next()
				}
			}
			if err != nil {
				break
			}
			if take && !yield(k, nil) {
				return
			}
		}
		if err != nil {
			yield(known{}, err)
		}
	}
}

// add adds a page that was found, or what became of the feed. Pages come in the order of their links, which is the
// state's.
func (k *known) add(hit []byte) error {
	p, err := source.DecodePage(hit[1:])
	if err != nil {
		return err
	}
	if asked(hit[0]) == feed {
		k.state = source.WithFate(k.state, p)
		return nil
	}
	k.state.Pages = append(k.state.Pages, p)
	return nil
}

// writer writes sources and links.
type writer struct {
	g              *generation
	twins          groups
	world          source.World
	sources, links *rows
}

// writeSources writes the rows.
func (g *generation) writeSources(found schemas.Shard, twins groups, gifts *extsort.Sorter, world source.World) error {
	w := writer{
		g: g, twins: twins, world: world,
		sources: &rows{f: g.f, kind: "sources"}, links: &rows{f: g.f, kind: "links"},
	}
	defer w.sources.abort()
	defer w.links.abort()
	// Maps of their own, since the generation before has its own in its manifest.
	c := &g.next.Counts
	for _, m := range []*map[string]int64{&c.Verdicts, &c.Classes, &c.States, &c.Reasons} {
		*m = map[string]int64{}
	}
	// Gifts come in the order of the feeds that get them, as the states do.
	given, stop := iter.Pull2(sortedRecords(gifts))
	defer stop()
	next, err, ok := given()
	for k, bad := range g.whole(found, nil) {
		if err = errors.Join(err, bad); err != nil {
			return err
		}
		var members []schemas.Alias
		// Both come by key, so the gifts of a feed stand at the head when it is its turn.
		for ; ok && err == nil && string(next.key) == k.key; next, err, ok = given() {
			var a schemas.Alias
			if a, err = k.take(next.value); err != nil {
				return err
			}
			members = append(members, a)
		}
		if err = errors.Join(err, w.write(k, members)); err != nil {
			return err
		}
	}
	var errLinks error
	g.next.Sources, err = w.sources.close()
	g.next.Links, errLinks = w.links.close()
	return errors.Join(err, errLinks)
}

// take joins what is known of an equal feed.
func (k *known) take(b []byte) (schemas.Alias, error) {
	key, evidence, s, err := accept(b)
	if err != nil {
		return schemas.Alias{}, err
	}
	url := source.URLOf(key, s)
	// What the feed says of itself stays its own word, and so do its visits: they tell whether it answers.
	s.Info, s.Visits = source.Info{}, nil
	if k.state.Info.Time == 0 {
		_, _, s, _ = accept(b) // of the one that stands for both nothing is known but its name
		s.Info.URL = k.state.Info.URL
	}
	k.state = source.Merge(k.state, s)
	return schemas.Alias{URL: url, Evidence: evidence}, nil
}

// write writes one source.
func (w *writer) write(k known, members []schemas.Alias) error {
	row := source.Describe(k.key, k.state, w.g.asOf(), w.g.o.Policy, w.world)
	// Proven names before those that the feed only says.
	row.Aliases = append(members, row.Aliases...)
	// A twin has a row, so that its URL can be looked up. It counts among the sources and the twins, and
	// in no other number.
	to, isTwin := w.twins[k.key]
	c := &w.g.next.Counts
	if isTwin {
		row.SameAs = &schemas.SameAs{ID: source.ID(to.key), URL: to.url, Evidence: to.evidence}
		c.Twins++
	} else {
		c.Verdicts[row.Verdict]++
		c.Classes[row.Class]++
		c.States[row.Health.State]++
		for _, reason := range row.Reasons {
			c.Reasons[reason]++
		}
	}
	c.Sources++
	if err := w.sources.write(row); err != nil || isTwin {
		return err // its pages are those of the one that stands for it
	}
	// These are the pages that the state has kept, and not all that its items link to.
	for _, p := range k.state.Pages {
		c.Linked++
		l := Link{URL: p.URL, Timestamp: stamp(p.Time), Source: row.ID, Filename: p.Filename, Offset: p.Offset}
		if err := w.links.write(l); err != nil {
			return err
		}
	}
	return nil
}

// sortedRecords are what a sorter has.
func sortedRecords(s *extsort.Sorter) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		errStop := errors.New("enough")
		err := s.Merge(func(key, value []byte) error {
			if !yield(record{key, value}, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(record{}, err)
		}
	}
}

func stamp(t int64) string { return time.Unix(t, 0).UTC().Format(time.RFC3339) }

// rows writes shards of JSON lines.
type rows struct {
	f    folder.Folder
	kind string
	n    int
	list []schemas.Shard
	out  *runWriter
	buf  *bufio.Writer
	w    *jsonl.Writer
}

func (r *rows) write(row any) (err error) {
	if r.out == nil {
		if r.out, err = newPlain(r.f, shardName(r.kind, len(r.list), ".jsonl.zst")); err != nil {
			return err
		}
		r.buf = bufio.NewWriterSize(r.out, 128<<10)
		if r.w, err = jsonl.NewWriter(r.buf, jsonl.Zstd); err != nil {
			return err
		}
	}
	if err := r.w.Write(row); err != nil {
		return err
	}
	// By rows, so that shards can be read in parallel in even parts.
	if r.n++; r.n%rowsPerShard == 0 {
		return r.finish()
	}
	return nil
}

func (r *rows) finish() error {
	if err := errors.Join(r.w.Close(), r.buf.Flush()); err != nil {
		return err
	}
	s, err := r.out.commit()
	// From here on abort has nothing to remove.
	r.list, r.out = append(r.list, s), nil
	return err
}

// close ends the last shard. There is always one, so that a reader's pattern matches a file.
func (r *rows) close() ([]schemas.Shard, error) {
	if r.out == nil && len(r.list) > 0 {
		return r.list, nil
	}
	if r.out == nil {
		var err error
		if r.out, err = newPlain(r.f, shardName(r.kind, 0, ".jsonl.zst")); err != nil {
			return nil, err
		}
		r.buf = bufio.NewWriterSize(r.out, 4<<10)
		if r.w, err = jsonl.NewWriter(r.buf, jsonl.Zstd); err != nil {
			return nil, err
		}
	}
	err := r.finish()
	return r.list, err
}

func (r *rows) abort() {
	if r.out != nil {
		r.out.abort()
	}
}
