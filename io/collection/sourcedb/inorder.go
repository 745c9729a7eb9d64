package sourcedb

import (
	"errors"
	"iter"
	"runtime"
	"sync"
)

// inOrder has as many goroutines as there are processors work on items, and hands each to write in the order in which
// it came, one at a time. It holds two items a processor at most. It returns the first error of each of the three, after
// which no item is worked on that was not begun.
func inOrder[T any](items iter.Seq2[T, error], work, write func(T) error) error {
	type job struct {
		item T
		done chan error
	}
	n := runtime.GOMAXPROCS(0)
	todo, order := make(chan job), make(chan job, n)
	var workers sync.WaitGroup
	for range n {
		workers.Go(func() {
			for j := range todo {
				j.done <- work(j.item)
			}
		})
	}
	failed, result := make(chan struct{}), make(chan error)
	go func() {
		var err error
		for j := range order {
			// What comes behind an error is taken all the same, so that nobody waits for ever.
			switch bad := <-j.done; {
			case err != nil:
				continue
			case bad != nil:
				err = bad
			default:
				err = write(j.item)
			}
			if err != nil {
				close(failed)
			}
		}
		result <- err
	}()
	read := func() error {
		for item, err := range items {
			if err != nil {
				return err
			}
			j := job{item, make(chan error, 1)}
			select {
			case order <- j:
				todo <- j
			case <-failed:
				return nil
			}
		}
		return nil
	}
	err := read()
	close(todo)
	close(order)
	workers.Wait()
	return errors.Join(<-result, err)
}
