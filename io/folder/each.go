package folder

import (
	"iter"
	"sync"
)

// Each calls do with the items, n at a time, and waits for the calls. With n 1 they are made in the items' order. It stops
// at an error, of do or among the items, and returns it.
func Each[T any](n int, items iter.Seq2[T, error], do func(T) error) error {
	if n == 1 {
		return inOrder(items, do)
	}
	var (
		slots   = make(chan struct{}, n)
		failed  = make(chan error, 1)
		running sync.WaitGroup
	)
	defer running.Wait()
	for item, err := range items {
		if err != nil {
			return err
		}
		slots <- struct{}{}
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
	return <-failed
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
