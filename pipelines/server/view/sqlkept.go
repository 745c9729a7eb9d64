package view

import (
	"context"
	"slices"
	"sync"
)

// mostStatements is how many answers are kept, at most 4 MiB of JSON each. So the next page of a list does not run the
// statement again.
const mostStatements = 6

// statements are the latest answers to statements, by snapshot and text.
type statements struct {
	mu   sync.Mutex
	list []*keptRows // the latest is last
}

// keptRows is an answer, or a statement that runs: then done is open.
type keptRows struct {
	key    string
	done   chan struct{}
	answer *sqlAnswer // nil after an error
}

// rows returns the kept answer of a key, or that of ask. Several requests with one key run it once. If the first one
// fails, for example because its client has left, the next one asks again.
func (s *statements) rows(ctx context.Context, key string, ask func() (*sqlAnswer, error)) (*sqlAnswer, error) {
	for {
		k, mine := s.find(key)
		if mine {
			return s.run(k, ask)
		}
		select {
		case <-k.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if k.answer != nil {
			return k.answer, nil
		}
	}
}

// run asks, and keeps the answer.
func (s *statements) run(k *keptRows, ask func() (*sqlAnswer, error)) (answer *sqlAnswer, err error) {
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if k.answer = answer; answer == nil {
			s.list = slices.DeleteFunc(s.list, func(other *keptRows) bool { return other == k })
		}
		close(k.done)
	}()
	return ask()
}

// find returns the entry of a key, or a new one that the caller fills.
func (s *statements) find(key string) (k *keptRows, mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.list, func(k *keptRows) bool { return k.key == key })
	if i < 0 {
		k, mine = &keptRows{key: key, done: make(chan struct{})}, true
		if len(s.list) >= mostStatements {
			s.list = slices.Delete(s.list, 0, 1)
		}
	} else {
		k = s.list[i]
		s.list = slices.Delete(s.list, i, i+1)
	}
	s.list = append(s.list, k)
	return k, mine
}
