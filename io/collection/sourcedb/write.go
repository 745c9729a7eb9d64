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

// writer writes sources, links and facts.
type writer struct {
	g              *generation
	twins          groups
	stands         map[string]bool // feeds that stand for others
	world          source.World
	before         *rowsBefore
	sources, links *rows
	facts          *runWriter
	list           []schemas.Shard // of facts
	line           []byte
}

// writeSources writes the rows.
func (g *generation) writeSources(found schemas.Shard, twins groups, gifts *extsort.Sorter, world source.World) error {
	w := writer{
		g: g, twins: twins, world: world, stands: map[string]bool{}, before: g.openBefore(),
		sources: &rows{f: g.f, kind: "sources"}, links: &rows{f: g.f, kind: "links"},
	}
	for _, to := range twins {
		w.stands[to.key] = true
	}
	defer w.abort()
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
		if err = errors.Join(err, w.source(k, members)); err != nil {
			return err
		}
	}
	return w.close()
}

// source writes one: from its pages, or from what the generation before has said of it.
func (w *writer) source(k known, members []schemas.Alias) error {
	is := w.g.met.flags[k.place]
	if w.g.met.anew || is&wasKnown == 0 {
		return w.write(k, members)
	}
	if is&isMet == 0 {
		return w.renew(k)
	}
	// What was said of it before is passed over.
	if err := w.before.next(k.key, func([]byte) error { return nil }); err != nil {
		return err
	}
	return w.write(k, members)
}

// renew writes a source that the crawl has not met.
func (w *writer) renew(k known) error {
	b, c := w.before, &w.g.next.Counts
	err := b.next(k.key, func(line []byte) error {
		c.Linked++
		return w.links.line(line)
	})
	if err != nil {
		return err
	}
	f, err := source.DecodeFacts(b.facts)
	if err != nil {
		return err
	}
	row, err := source.Renew(w.line[:0], b.row, k.state, f, w.g.asOf(), w.g.o.Policy, w.world)
	if err != nil {
		return err
	}
	w.line = row.Row
	c.count(f, row.Health)
	return errors.Join(w.sources.line(row.Row), w.fact(k.key, b.facts))
}

// count counts a source that stands for itself.
func (c *Counts) count(f source.Facts, health string) {
	c.Sources++
	c.Verdicts[f.Verdict]++
	c.Classes[f.Class]++
	c.States[health]++
	for _, reason := range f.Reasons {
		c.Reasons[reason]++
	}
}

// write writes one source from its pages.
func (w *writer) write(k known, members []schemas.Alias) error {
	row, f := source.DescribeWhole(k.key, k.state, w.g.asOf(), w.g.o.Policy, w.world)
	// Proven names before those that the feed only says.
	row.Aliases = append(members, row.Aliases...)
	// A twin has a row, so that its URL can be looked up. It counts among the sources and the twins, and
	// in no other number.
	to, isTwin := w.twins[k.key]
	c := &w.g.next.Counts
	if isTwin {
		row.SameAs = &schemas.SameAs{ID: source.ID(to.key), URL: to.url, Evidence: to.evidence}
		c.Sources++
		c.Twins++
	} else {
		c.count(f, row.Health.State)
	}
	if k.fate.Status >= 400 {
		f.Fate = k.fate
	}
	f.Grouped = isTwin || w.stands[k.key]
	w.line = source.EncodeFacts(w.line[:0], f)
	if err := errors.Join(w.fact(k.key, w.line), w.sources.write(row)); err != nil || isTwin {
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

// fact writes the facts of a source.
func (w *writer) fact(key string, facts []byte) (err error) {
	if w.facts == nil {
		if w.facts, err = newRun(w.g.f, shardName("facts", len(w.list), ".bin.zst"), wideWindow); err != nil {
			return err
		}
	}
	if err := w.facts.add([]byte(key), facts); err != nil || w.facts.size < shardBytes {
		return err
	}
	return w.endFacts()
}

func (w *writer) endFacts() error {
	s, err := w.facts.commit()
	w.list, w.facts = append(w.list, s), nil
	return err
}

// close ends the files.
func (w *writer) close() error {
	var errs [3]error
	w.g.next.Sources, errs[0] = w.sources.close()
	w.g.next.Links, errs[1] = w.links.close()
	if w.facts != nil {
		errs[2] = w.endFacts()
	}
	w.g.next.Facts = w.list
	return errors.Join(errs[:]...)
}

// abort drops what was not ended.
func (w *writer) abort() {
	w.before.stop()
	w.sources.abort()
	w.links.abort()
	if w.facts != nil {
		w.facts.abort()
	}
}

// sortedRecords are what a sorter has.
func sortedRecords(s *extsort.Sorter) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		errStop := errors.New("enough")
		err := s.Merge(func(key, value []byte) error {
			if !yield(record{key: key, value: value}, nil) {
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

// open begins a shard, unless one is open.
func (r *rows) open() (err error) {
	if r.out != nil {
		return nil
	}
	if r.out, err = newPlain(r.f, shardName(r.kind, len(r.list), ".jsonl.zst")); err != nil {
		return err
	}
	r.buf = bufio.NewWriterSize(r.out, 128<<10)
	r.w, err = jsonl.NewFastWriter(r.buf)
	return err
}

// write writes a row.
func (r *rows) write(row any) error {
	if err := r.open(); err != nil {
		return err
	}
	if err := r.w.Write(row); err != nil {
		return err
	}
	return r.wrote()
}

// line writes a row that is JSON already.
func (r *rows) line(line []byte) error {
	if err := r.open(); err != nil {
		return err
	}
	if err := r.w.WriteLine(line); err != nil {
		return err
	}
	return r.wrote()
}

// wrote ends the shard when it is full.
func (r *rows) wrote() error {
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
	if err := r.open(); err != nil {
		return nil, err
	}
	err := r.finish()
	return r.list, err
}

func (r *rows) abort() {
	if r.out != nil {
		r.out.abort()
	}
}
