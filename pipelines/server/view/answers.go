package view

import (
	"slices"
	"sync"

	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
)

// The bounds of what is kept of a snapshot: some 30 MB, as an answer of 20 hits takes 60 kB.
const (
	mostAnswers = 512
	mostKept    = 50 // hits of an answer: longer ones are for programs, which ask for each once
)

// answers are the searches of a snapshot that were answered last. People go back, load a page again, send each other
// links, and many look for what was in the news; counting two frequent words in a million documents takes 0.2 s.
type answers struct {
	mu   sync.Mutex
	list []*Search // the one that was asked for last is the last
}

// answersOf are those of a snapshot: they go with it, so that none outlives a manifest.
func answersOf(now *shelf.Snapshot) (*answers, error) {
	return shelf.Once(now, "answers", func() (*answers, error) { return &answers{}, nil })
}

// get is the answer to a request if it is kept, else nil. It is not to be changed.
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

// keep keeps an answer, which is not to be changed any more.
func (a *answers) keep(s *Search) {
	if len(s.Hits) > mostKept || len(s.Request.Cursor) > 1000 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	// Two who have asked for the same at once have one answer each.
	a.list = slices.DeleteFunc(a.list, func(old *Search) bool { return old.Request == s.Request })
	if len(a.list) == mostAnswers {
		a.list = slices.Delete(a.list, 0, 1)
	}
	a.list = append(a.list, s)
}
