package sourcedb

import (
	"bytes"
	"encoding/json"
	"iter"
	"time"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// teller describes sources. Several goroutines may use it.
type teller struct {
	g      *generation
	asOf   time.Time
	twins  groups
	stands map[string]bool // feeds that represent others
	world  source.World

	samePolicy bool // same as in the previous generation
}

// description is a source as written.
type description struct {
	row, facts []byte
	links      [][]byte
	about      source.Facts // for the counts
	health     string
	isTwin     bool
}

// batch is some consecutive sources, which one goroutine describes.
type batch struct {
	subjects []subject
	told     []description
	size     int
	room     []byte
}

// A batch takes some milliseconds, so that goroutines rarely wait, and some hundred kilobytes.
const (
	batchSources = 256
	batchBytes   = 512 << 10
)

// keep copies bytes that are only valid now.
func (b *batch) keep(p []byte) []byte {
	if len(p) > cap(b.room)-len(b.room) {
		b.room = make([]byte, 0, max(len(p), slabBytes))
	}
	start := len(b.room)
	b.room = append(b.room, p...)
	return b.room[start:len(b.room):len(b.room)]
}

func (b *batch) isFull() bool { return len(b.subjects) == batchSources || b.size >= batchBytes }

// batches yields all sources, with the previous rows of those that the crawl has not met.
func (g *generation) batches(found schemas.Shard, gifts *extsort.Sorter) iter.Seq2[*batch, error] {
	return func(yield func(*batch, error) bool) {
		before := g.openBefore()
		defer before.stop()
		// Gifts are in the order of their receivers, as the states are.
		given, stop := iter.Pull2(sortedRecords(gifts))
		defer stop()
		gift, err, ok := given()
		b := new(batch)
		for s, bad := range g.whole(found, func([]byte) bool { return true }) {
			if bad != nil {
				yield(nil, bad)
				return
			}
			for ; ok && err == nil && bytes.Equal(gift.key, s.key); gift, err, ok = given() {
				if err = s.join(gift.value); err != nil {
					break
				}
			}
			// If all are described again, previous rows are not reused.
			if err == nil && !g.touched.all && s.is&wasKnown != 0 {
				err = before.add(b, &s)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			b.subjects, b.size = append(b.subjects, s), b.size+s.size()
			if b.isFull() {
				if !yield(b, nil) {
					return
				}
				b = new(batch)
			}
		}
		yield(b, nil)
	}
}

// add adds the previous row of a source if it can be reused.
func (b *rowsBefore) add(to *batch, s *subject) error {
	isTouched := s.is&isTouched != 0
	err := b.next(string(s.key), func(link []byte) error {
		if !isTouched {
			s.links = append(s.links, to.keep(link))
		}
		return nil
	})
	if err == nil && !isTouched {
		s.row, s.facts = to.keep(b.row), to.keep(b.facts)
	}
	return err
}

// tell describes the sources of a batch.
func (t *teller) tell(b *batch) error {
	b.told = make([]description, 0, len(b.subjects))
	for _, s := range b.subjects {
		describe := t.fromPages
		if s.row != nil {
			describe = t.fromRow
		}
		one, err := describe(s)
		if err != nil {
			return err
		}
		b.told = append(b.told, one)
	}
	return nil
}

// fromRow describes a source that the crawl has not met by its previous row.
func (t *teller) fromRow(s subject) (description, error) {
	state, err := source.DecodeTimes(s.state)
	if err != nil {
		return description{}, err
	}
	f, err := source.DecodeFacts(s.facts)
	if err != nil {
		return description{}, err
	}
	room := make([]byte, 0, len(s.row)+len(s.row)/4)
	row, err := source.Renew(room, s.row, state, f, t.asOf, t.g.o.Policy, t.samePolicy, t.world)
	if err != nil {
		return description{}, err
	}
	return description{row: row.Row, facts: s.facts, links: s.links, about: f, health: row.Health}, nil
}

// fromPages describes a source from its pages.
func (t *teller) fromPages(s subject) (description, error) {
	k, err := s.known()
	if err != nil {
		return description{}, err
	}
	row, f := source.DescribeWhole(k.key, k.state, t.asOf, t.g.o.Policy, t.world)
	row.Aliases = namesOf(k.key, s.members, row.Aliases)
	to, isTwin := t.twins[k.key]
	if isTwin {
		// A twin has a row, so that its URL can be looked up.
		row.SameAs = &schemas.SameAs{ID: source.ID(to.key), URL: to.url, Evidence: to.evidence}
	}
	f.Fates = k.fates
	f.Grouped = isTwin || t.stands[k.key]
	facts := source.EncodeFacts(make([]byte, 0, factsBytes), f)
	one := description{facts: facts, about: f, health: row.Health.State, isTwin: isTwin}
	if one.row, err = lineOf(row); err != nil || isTwin {
		return one, err // its pages belong to its representative
	}
	// Only the pages that the state has kept.
	for _, p := range k.state.Pages {
		l := Link{URL: p.URL, Timestamp: stamp(p.Time), Source: row.ID, Filename: p.Filename, Offset: p.Offset}
		one.links = append(one.links, l.appendTo(make([]byte, 0, len(l.URL)+len(l.Filename)+linkBytes)))
	}
	return one, nil
}

// namesOf returns the other URLs of a source: proven ones, then those that only its feeds claim.
func namesOf(key string, proven, said []schemas.Alias) []schemas.Alias {
	known := map[string]bool{key: true}
	for _, a := range proven {
		known[source.Key(a.URL)] = true
	}
	for _, a := range said {
		if !known[source.Key(a.URL)] {
			proven = append(proven, a)
		}
	}
	return proven
}

// factsBytes is about the size of facts with a hundred names, linkBytes that of a link besides its texts.
const (
	factsBytes = 2 << 10
	linkBytes  = 128
)

// lineOf returns a line as package jsonl writes it.
func lineOf(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
