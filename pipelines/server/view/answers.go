package view

import (
	"slices"
	"sync"

	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
)

// These limit the kept answers of a snapshot to some 30 MB, as an answer of 20 hits takes 60 kB.
const (
	mostAnswers = 512
	mostKept    = 50 // hits of an answer: longer answers are for programs, which request each only once
)

// answers are the latest answered searches of a snapshot. People go back, reload pages and send each other links, and
// many search for current news. Counting two frequent words in a million documents takes 0.2 s.
type answers struct {
	mu   sync.Mutex
	list []*Search // the latest request is last
}

// answersOf returns the answers of a snapshot. They belong to it, so none outlives a manifest.
func answersOf(now *shelf.Snapshot) (*answers, error) {
	return shelf.Once(now, "answers", func() (*answers, error) { return &answers{}, nil })
}

// get returns the kept answer to a request, or nil. It must not be changed.
func (a *answers) get(r SearchRequest) *Search {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.list, func(s *Search) bool { return s.Request == r })
	if i < 0 {
		return nil
	}
	s := a.list[i]
	a.list = append(slices.Delete(a.list, i, i+1), s)
	return s
}

// keep keeps an answer, which must not be changed any more.
func (a *answers) keep(s *Search) {
	if len(s.Hits) > mostKept || len(s.Request.Cursor) > 1000 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	// Two users who made the same request at the same time have one answer each.
	a.list = slices.DeleteFunc(a.list, func(old *Search) bool { return old.Request == s.Request })
	if len(a.list) == mostAnswers {
		a.list = slices.Delete(a.list, 0, 1)
	}
	a.list = append(a.list, s)
}
