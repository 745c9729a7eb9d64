package index

import (
	"errors"
	"iter"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// sorter compares hits.
type sorter struct {
	order query.Order
	// one is for queries that take one version of a page: the newest of several with one moment comes first, so that it
	// is the one which is taken.
	one bool
}

func (s sorter) compare(a, b Hit) int {
	switch {
	case s.order == query.Relevance && a.Score != b.Score:
		if a.Score > b.Score {
			return -1
		}
		return 1
	// Only between versions of one page and moment: there the order that is asked for would bring the
	// older place first.
	case s.one && a.ts == b.ts && a.SURT == b.SURT:
		return -s.order.Compare(a.Key(), b.Key())
	}
	return s.order.Compare(a.Key(), b.Key())
}

// source yields hits in an order.
type source func(yield func(Hit) bool) error

// merge visits the hits of several sources, each in order, in one order, with the number of the source.
func merge(list []source, compare func(a, b Hit) int, visit func(i int, h Hit) (more bool, err error)) (err error) {
	if len(list) == 1 { // as nearly always
		var failed error
		err := list[0](func(h Hit) bool {
			var more bool
			more, failed = visit(0, h)
			return more && failed == nil
		})
		return errors.Join(err, failed)
	}
	heads := make([]head, len(list))
	for i, s := range list {
		// Pulled, since several sources have to be asked in turn; stop ends those that are not read to their
		// end.
		heads[i].next, heads[i].stop = iter.Pull2(s.seq())
		defer heads[i].stop()
		if err := heads[i].advance(); err != nil {
			return err
		}
	}
	for {
		first := -1
		// A look at each: sources are volumes, which are few, and a heap would gain little.
		for i, h := range heads {
			if h.ok && (first < 0 || compare(h.hit, heads[first].hit) < 0) {
				first = i
			}
		}
		if first < 0 {
			return nil
		}
		if more, err := visit(first, heads[first].hit); err != nil || !more {
			return err
		}
		if err := heads[first].advance(); err != nil {
			return err
		}
	}
}

// head is the next hit of a source.
type head struct {
	next func() (Hit, error, bool)
	stop func()
	hit  Hit
	ok   bool
}

func (h *head) advance() (err error) {
	// An error comes with an empty hit: it is looked at first.
	h.hit, err, h.ok = h.next()
	return err
}

// seq is the source as an iterator, whose last element may be an error.
func (s source) seq() iter.Seq2[Hit, error] {
	return func(yield func(Hit, error) bool) {
		if err := s(func(h Hit) bool { return yield(h, nil) }); err != nil {
			yield(Hit{}, err)
		}
	}
}
