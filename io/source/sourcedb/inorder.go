package sourcedb

import (
	"errors"
	"iter"
	"runtime"
	"sync"
)

// mostAtWork is how many goroutines describe sources at most. What they give is compressed by one, which more of them
// would only wait for.
const mostAtWork = 8

// inOrder has a goroutine for each processor work on items, and hands each to write in the order in which it came, one
// at a time. It holds some items for each of them, whatever comes. It returns the first error of each of the three,
// after which no item is worked on that was not begun.
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
			// What follows an error is taken all the same, so that nobody waits for ever.
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

// What is read ahead at a time, and how many bytes of it at most: states may be long.
const (
	aheadRecords = 512
	aheadBytes   = 256 << 10
)

// pullAhead has a goroutine read records while those before them are worked on. It is for records that are new memory.
// stop has to be called; what is read is closed when it returns.
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

// beside runs two functions at the same time, and returns the errors of both.
func beside(one, other func() error) error {
	result := make(chan error)
	go func() { result <- other() }()
	err := one()
	return errors.Join(err, <-result)
}
