package sourcedb

import (
	"bufio"
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

// describe writes the sources and the links. What a source is about is told by what other sources do not name, so the
// states are passed over twice: once to count names, once to write.
func (g *generation) describe(hits *extsort.Sorter) error {
	// What was found is written out once, since it is read twice: by the count of names and by the rows.
	run, err := newRun(g.f, hidden("hits-%s"))
	if err != nil {
		return err
	}
	defer run.abort()
	if err := hits.Merge(run.add); err != nil {
		return err
	}
	found, err := run.commit()
	if err != nil {
		return err
	}
	defer func() { _ = g.f.Remove(found.Name) }() // the next run sweeps it
	names, tongues, sources := new(sketch), languages{}, 0
	// A first pass over everything; nothing is held of a state but its names' counts.
	for key, s := range g.whole(found) {
		if s.err != nil {
			return s.err
		}
		sources++
		names.add(s.state)
		tongues.add(key, s.state)
	}
	g.next.AsOf = g.asOf().Format(time.RFC3339)
	return g.writeSources(found, source.World{Rarity: names.rarity(sources), Language: tongues.of})
}

// whole yields the states with their pages, in the order of their keys.
// Both streams are sorted by the feed's key, so this is a merge: pages of a feed that is not there, which cannot be by
// how they were asked for, would be passed over.
func (g *generation) whole(found schemas.Shard) iter.Seq2[string, wholeState] {
	return func(yield func(string, wholeState) bool) {
		next, stop := iter.Pull2(readRun(g.f, found.Name))
		defer stop()
		hit, err, ok := next()
		for r, bad := range g.chain(g.next.States) {
			if err = errors.Join(err, bad); err != nil {
				yield("", wholeState{err: err})
				return
			}
			w := wholeState{}
			w.state, w.err = source.Decode(r.value)
			for ok && err == nil && string(hit.key) <= string(r.key) {
				if string(hit.key) == string(r.key) {
					w.err = errors.Join(w.err, w.add(hit.value))
				}
				hit, err, ok = next()
			}
			// Pages came in the order of their hits, and a state's lists are sorted.
			w.state = source.Of(w.state)
			if !yield(string(r.key), w) || w.err != nil {
				return
			}
		}
		if err != nil {
			yield("", wholeState{err: err})
		}
	}
}

// wholeState is a state with the pages that its items link to.
type wholeState struct {
	state source.State
	err   error
}

// add adds a page that was found, or what became of the feed.
func (w *wholeState) add(hit []byte) error {
	p, err := source.DecodePage(hit[1:])
	if err != nil {
		return err
	}
	if asked(hit[0]) == feed {
		w.state = source.WithFate(w.state, p)
		return nil
	}
	w.state.Pages = append(w.state.Pages, p)
	// Of a feed with very many pages a sample is kept; to sort now and then bounds what is held.
	if len(w.state.Pages) >= 4*source.MaxPages {
		w.state = source.Of(w.state)
	}
	return nil
}

// writeSources writes the rows.
func (g *generation) writeSources(found schemas.Shard, world source.World) error {
	sources, links := &rows{f: g.f, kind: "sources"}, &rows{f: g.f, kind: "links"}
	defer sources.abort()
	defer links.abort()
	c := &g.next.Counts
	// Maps of their own, since the generation before has its own in its manifest.
	for _, m := range []*map[string]int64{&c.Verdicts, &c.Classes, &c.States, &c.Reasons} {
		*m = map[string]int64{}
	}
	for key, s := range g.whole(found) {
		if s.err != nil {
			return s.err
		}
		row := source.Describe(key, s.state, g.asOf(), g.o.Policy, world)
		if err := sources.write(row); err != nil {
			return err
		}
		c.Sources++
		c.Verdicts[row.Verdict]++
		c.Classes[row.Class]++
		c.States[row.Health.State]++
		for _, reason := range row.Reasons {
			c.Reasons[reason]++
		}
		// These are the pages that the state has kept, and not all that its items link to.
		for _, p := range s.state.Pages {
			c.Linked++
			l := Link{URL: p.URL, Timestamp: stamp(p.Time), Source: row.ID, Filename: p.Filename, Offset: p.Offset}
			if err := links.write(l); err != nil {
				return err
			}
		}
	}
	var err, errLinks error
	g.next.Sources, err = sources.close()
	g.next.Links, errLinks = links.close()
	return errors.Join(err, errLinks)
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
