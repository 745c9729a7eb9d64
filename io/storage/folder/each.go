package folder

import (
	"iter"
	"sync"
	"sync/atomic"
)

// Each calls do with the items, n at a time, and waits for the calls. If n is 1, it calls in the items' order. It stops
// at an error, of do or among the items, and returns it.
func Each[T any](n int, items iter.Seq2[T, error], do func(T) error) error {
	if n == 1 {
		return inOrder(items, do)
	}
	var (
		slots   = make(chan struct{}, n)
		failed  = make(chan error, 1)
		running sync.WaitGroup
		// One place keeps the first error. Senders must not wait, because nobody receives before the end.
	)
	// Also if items ends with an error: resources of running calls must not be cleaned up.
	defer running.Wait()
	for item, err := range items {
		if err != nil {
			return err
		}
		// The slot is taken before the goroutine starts, so that there are never more than n.
		slots <- struct{}{}
		// Tested once a slot is free, when a call has just ended and may have failed.
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

// Numbers calls do for 0 to n-1, atOnce at a time, and waits for the calls. It suits many short calls: there are no
// more goroutines than atOnce.
func Numbers(atOnce, n int, do func(i int)) {
	var group sync.WaitGroup
	var next atomic.Int64
	for range min(atOnce, n) {
		group.Go(func() {
			// Numbers are taken one by one, so that calls of different length spread evenly over the goroutines.
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}

// inOrder is Each without goroutines, whose start and end take as long as renaming a file.
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
