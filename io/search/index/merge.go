package index

import (
	"errors"
	"iter"

	"github.com/gleaner-web/gleaner/transforms/query"
)

type sorter struct {
	order query.Order
	// one means that a query takes one version of a page: of several with one moment the newest comes first and is
	// taken.
	one bool
}

func (s sorter) compare(a, b Hit) int {
	switch {
	case s.order == query.Relevance && a.Score != b.Score:
		if a.Score > b.Score {
			return -1
		}
		return 1
	// Only between versions of one page and moment: the requested order would put the older place first.
	case s.one && a.ts == b.ts && a.SURT == b.SURT:
		return -s.order.Compare(a.Key(), b.Key())
	}
	return s.order.Compare(a.Key(), b.Key())
}

// source yields hits in an order.
type source func(yield func(Hit) bool) error

// merge merges several ordered sources, and visits their hits with the number of the source.
func merge(list []source, compare func(a, b Hit) int, visit func(i int, h Hit) (more bool, err error)) (err error) {
	if len(list) == 1 { // nearly always
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
		// Pulled, because several sources alternate; stop ends unfinished ones.
		heads[i].next, heads[i].stop = iter.Pull2(s.seq())
		defer heads[i].stop()
		if err := heads[i].advance(); err != nil {
			return err
		}
	}
	for {
		first := -1
		// A linear search: volumes are few, and a heap would gain little.
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
	// An error comes with an empty hit.
	h.hit, err, h.ok = h.next()
	return err
}

// seq returns the source as an iterator, whose last element may be an error.
func (s source) seq() iter.Seq2[Hit, error] {
	return func(yield func(Hit, error) bool) {
		if err := s(func(h Hit) bool { return yield(h, nil) }); err != nil {
			yield(Hit{}, err)
		}
	}
}
