package folder

import (
	"iter"
	"sync"
	"sync/atomic"
)

// Each calls do with the items, n at a time, and waits for the calls. With n 1 they are made in the items' order. It
// stops at an error, of do or among the items, and returns it.
func Each[T any](n int, items iter.Seq2[T, error], do func(T) error) error {
	if n == 1 {
		return inOrder(items, do)
	}
	var (
		slots   = make(chan struct{}, n)
		failed  = make(chan error, 1)
		running sync.WaitGroup
		// One place: the first error is kept. No sender may wait, for nobody receives before the end.
	)
	// Also when items ends with an error: what calls use must not be cleaned up beneath them.
	defer running.Wait()
	for item, err := range items {
		if err != nil {
			return err
		}
		// The slot is taken before the goroutine is made, so that there are never more than n, however many items
		// there are.
		slots <- struct{}{}
		// Looked at once a slot is free, when a call has just ended and may have failed.
		if len(failed) > 0 {
			break
		}
		running.Go(func() {
			if err := do(item); err != nil {
				select {
				case failed <- err:
				default: // another was first
				}
			}
			<-slots
		})
	}
	running.Wait()
	close(failed)
	// A closed channel without an error gives nil.
	return <-failed
}

// Numbers calls do for 0 to n-1, some atOnce, and waits for the calls. It is for many short ones: there are no more
// goroutines than atOnce.
func Numbers(atOnce, n int, do func(i int)) {
	var group sync.WaitGroup
	var next atomic.Int64
	for range min(atOnce, n) {
		group.Go(func() {
			// Numbers are taken one by one: calls of different length spread evenly over the goroutines.
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}

// inOrder is Each with no goroutine, whose start and end cost as much as renaming a file.
func inOrder[T any](items iter.Seq2[T, error], do func(T) error) error {
	for item, err := range items {
		if err == nil {
			err = do(item)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
