package sourcedb

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// rowsBefore iterates over the rows of the previous generation, sorted by key, with their links and facts.
type rowsBefore struct {
	row, facts []byte // of the current source; valid until the next call of next

	nextRow, nextLink func() ([]byte, error, bool)
	nextFacts         func() (record, error, bool)
	stops             []func()
	link              []byte // first link that was not given yet
	linked            bool
}

func (g *generation) openBefore() *rowsBefore {
	b := &rowsBefore{}
	pull := func(shards []schemas.Shard) func() ([]byte, error, bool) {
		next, stop := iter.Pull2(g.rawLines(shards))
		b.stops = append(b.stops, stop)
		return next
	}
	b.nextRow, b.nextLink = pull(g.before.Sources), pull(g.before.Links)
	facts, stop := iter.Pull2(g.chain(g.before.Facts))
	b.nextFacts, b.stops = facts, append(b.stops, stop)
	return b
}

func (b *rowsBefore) stop() {
	for _, stop := range b.stops {
		stop()
	}
}

// next advances to a source of the previous generation, and calls see with its links. It must be called for each source
// in order, because rows, links and facts are sorted alike.
func (b *rowsBefore) next(key string, see func(link []byte) error) error {
	id := []byte(source.ID(key))
	row, err, ok := b.nextRow()
	if err != nil || !ok || !bytes.HasPrefix(row, append([]byte(`{"source_id":"`), id...)) {
		return errors.Join(errRun, err)
	}
	facts, err, ok := b.nextFacts()
	if err != nil || !ok || string(facts.key) != key {
		return errors.Join(errRun, err)
	}
	b.row, b.facts = row, facts.value
	// Quotes in a URL are escaped, so no value contains this.
	name := append([]byte(`,"source_id":"`), id...)
	for {
		if !b.linked {
			if b.link, err, b.linked = b.nextLink(); err != nil || !b.linked {
				return err
			}
		}
		if !bytes.Contains(b.link, name) {
			return nil
		}
		if err := see(b.link); err != nil {
			return err
		}
		b.linked = false
	}
}

// rawLines yields the lines of shards unchanged. A line is valid until the next.
func (g *generation) rawLines(shards []schemas.Shard) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, s := range shards {
			more, err := g.eachLine(s.Name, func(line []byte) bool { return yield(line, nil) })
			if err != nil {
				yield(nil, fmt.Errorf("%s: %w", g.f.Path(s.Name), err))
			}
			if err != nil || !more {
				return
			}
		}
	}
}

func (g *generation) eachLine(name string, yield func([]byte) bool) (more bool, err error) {
	in, err := g.f.Open(name)
	if err != nil {
		return false, err
	}
	defer func() { _ = in.Close() }() // only read
	r, err := jsonl.NewReader(in)
	if err != nil {
		return false, err
	}
	for line, err := range r.All() {
		if err != nil {
			return false, err
		}
		if !yield(line) {
			return false, nil
		}
	}
	return true, nil
}
