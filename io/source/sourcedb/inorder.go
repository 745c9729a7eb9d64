package sourcedb

import (
	"errors"
	"iter"
	"runtime"
	"sync"
)

// mostAtWork limits the goroutines that describe sources. One goroutine compresses their output, so more would only
// wait.
const mostAtWork = 8

// inOrder works on items with a goroutine for each processor, and passes each to write in the original order, one at a
// time. It holds a limited number of items. It returns the first error of items, work and write; after an error it
// begins no more items.
func inOrder[T any](items iter.Seq2[T, error], work, write func(T) error) error {
	type job struct {
		item T
		done chan error
	}
	n := min(runtime.GOMAXPROCS(0), mostAtWork)
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
			// Items after an error are still received, so that no goroutine waits forever.
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

// Limits of reading ahead, in records and in bytes: states may be long.
const (
	aheadRecords = 512
	aheadBytes   = 256 << 10
)

// pullAhead reads records in a goroutine while the caller handles earlier ones. Records must not share memory. stop
// must be called, and closes the input.
func pullAhead(records iter.Seq2[record, error]) (next func() (record, error, bool), stop func()) {
	type some struct {
		list []record
		err  error
	}
	full, enough := make(chan some, 1), make(chan struct{})
	send := func(s some) bool {
		select {
		case full <- s:
			return true
		case <-enough:
			return false
		}
	}
	go func() {
		defer close(full)
		var now some
		size := 0
		for r, err := range records {
			if err != nil {
				now.err = err
				break
			}
			now.list, size = append(now.list, r), size+len(r.key)+len(r.value)
			if len(now.list) < aheadRecords && size < aheadBytes {
				continue
			}
			if !send(now) {
				return
			}
			now, size = some{list: make([]record, 0, aheadRecords)}, 0
		}
		send(now)
	}()
	var now some
	next = func() (record, error, bool) {
		for len(now.list) == 0 {
			if err := now.err; err != nil {
				now.err = nil
				return record{}, err, true
			}
			var ok bool
			if now, ok = <-full; !ok {
				return record{}, nil, false
			}
		}
		r := now.list[0]
		now.list = now.list[1:]
		return r, nil, true
	}
	stop = sync.OnceFunc(func() {
		close(enough)
		for range full {
		}
	})
	return next, stop
}

// ahead is pullAhead as a sequence.
func ahead(records iter.Seq2[record, error]) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		next, stop := pullAhead(records)
		defer stop()
		for {
			r, err, ok := next()
			if !ok || !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// beside runs two functions in parallel, and returns the errors of both.
func beside(one, other func() error) error {
	result := make(chan error)
	go func() { result <- other() }()
	err := one()
	return errors.Join(err, <-result)
}
