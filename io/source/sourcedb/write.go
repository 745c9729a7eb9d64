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
	sources, links *rows
	facts          *shards
	lanes          [2]*lane // of the sources and the links
}

// writeSources writes the rows.
func (g *generation) writeSources(found schemas.Shard, twins groups, gifts *extsort.Sorter, world source.World) error {
	w := writer{
		g: g, sources: &rows{f: g.f, kind: "sources"}, links: &rows{f: g.f, kind: "links"}, facts: g.shards("facts"),
	}
	w.lanes = [2]*lane{newLane(w.writeSources), newLane(w.writeLinks)}
	defer w.abort()
	t := teller{
		g: g, asOf: g.asOf(), twins: twins, world: world, stands: map[string]bool{},
		samePolicy: g.o.hasPolicyOf(g.before.Options),
	}
	for _, to := range twins {
		t.stands[to.key] = true
	}
	// New maps, because the previous manifest has its own.
	c := &g.next.Counts
	for _, m := range []*map[string]int64{&c.Verdicts, &c.Classes, &c.States, &c.Reasons} {
		*m = map[string]int64{}
	}
	if err := inOrder(g.batches(found, gifts), t.tell, w.write); err != nil {
		return err
	}
	return w.close()
}

// write writes the sources of a batch.
func (w *writer) write(b *batch) error {
	c := &w.g.next.Counts
	for i, one := range b.told {
		c.count(one)
		if err := w.facts.add(b.subjects[i].key, one.facts); err != nil {
			return err
		}
	}
	return errors.Join(w.lanes[0].put(b), w.lanes[1].put(b))
}

func (w *writer) writeSources(b *batch) error {
	for _, one := range b.told {
		if err := w.sources.line(one.row); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) writeLinks(b *batch) error {
	for _, one := range b.told {
		for _, line := range one.links {
			if err := w.links.line(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// count counts a source. A twin only counts in Sources and Twins.
func (c *Counts) count(d description) {
	c.Sources++
	if d.isTwin {
		c.Twins++
		return
	}
	c.Linked += int64(len(d.links))
	c.Verdicts[d.about.Verdict]++
	c.Classes[d.about.Class]++
	c.States[d.health]++
	for _, reason := range d.about.Reasons {
		c.Reasons[reason]++
	}
}

// close ends the files.
func (w *writer) close() error {
	if err := errors.Join(w.lanes[0].close(), w.lanes[1].close()); err != nil {
		return err
	}
	var errs [3]error
	w.g.next.Sources, errs[0] = w.sources.close()
	w.g.next.Links, errs[1] = w.links.close()
	w.g.next.Facts, errs[2] = w.facts.close()
	return errors.Join(errs[:]...)
}

// abort drops unfinished files.
func (w *writer) abort() {
	for _, l := range w.lanes {
		_ = l.close() // its error is known, or another one is returned
	}
	w.sources.abort()
	w.links.abort()
	w.facts.abort()
}

// sortedRecords yields the records of a sorter.
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

// wrote ends a full shard.
func (r *rows) wrote() error {
	// By rows, so that shards can be read in equal parts.
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
	// Now abort has nothing to remove.
	r.list, r.out = append(r.list, s), nil
	return err
}

// close ends the last shard. There is always a shard, so that a reader's pattern matches a file.
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
