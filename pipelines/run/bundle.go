package run

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/folder"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// Bundle does the elements of a bundle concurrently, even on runners that call a function in one thread only. Its
// methods are for the goroutine in which the runner calls the function.
type Bundle struct {
	ctx    context.Context // of the bundle; elements outlive the call that starts them
	cancel context.CancelFunc
	ended  chan end
	limit  int
	open   int // elements started and not yet collected

	// Show is called each second while Start and Finish wait, and at the end of Finish; nil for nothing to show.
	Show func()
}

// showEvery is how often a waiting bundle shows its progress.
const showEvery = time.Second

type end struct {
	row []byte
	err error
}

// NewBundle begins a bundle that does limit elements at the same time.
func NewBundle(ctx context.Context, limit int) *Bundle {
	b := &Bundle{ended: make(chan end, limit), limit: limit}
	b.ctx, b.cancel = context.WithCancel(ctx)
	return b
}

// Start does an element once fewer than the limit are under way, and emits the rows of finished ones. It holds the
// process meanwhile; see cli.Hold. The first error cancels the others.
func (b *Bundle) Start(emit func([]byte), do func(context.Context) ([]byte, error)) error {
	for b.open >= b.limit {
		if err := b.collect(emit); err != nil {
			return err
		}
	}
	b.open++
	release := cli.Hold()
	go func() {
		defer release()
		row, err := do(b.ctx)
		b.ended <- end{row, err}
	}()
	return nil
}

func (b *Bundle) collect(emit func([]byte)) error {
	e := b.wait()
	b.open--
	if e.err != nil {
		b.cancel()
		return e.err
	}
	emit(e.row)
	return nil
}

// wait waits for the end of an element.
func (b *Bundle) wait() end {
	if b.Show == nil {
		return <-b.ended
	}
	tick := time.NewTicker(showEvery)
	defer tick.Stop()
	for {
		select {
		case e := <-b.ended:
			return e
		case <-tick.C:
			b.Show()
		}
	}
}

// Finish waits for the remaining elements.
func (b *Bundle) Finish(emit func([]byte)) error {
	defer b.cancel()
	if b.Show != nil {
		defer b.Show()
	}
	for b.open > 0 {
		if err := b.collect(emit); err != nil {
			return err
		}
	}
	return nil
}

// Drop cancels the remaining elements and waits for them, when the caller gives up the bundle.
func (b *Bundle) Drop() {
	b.cancel()
	for ; b.open > 0; b.open-- {
		<-b.ended
	}
}

// EncodeRows encodes values as JSON, which reads the same in every version of the worker.
func EncodeRows[T any](list []T) ([][]byte, error) {
	rows := make([][]byte, len(list))
	for i, v := range list {
		b, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		rows[i] = b
	}
	return rows, nil
}

// DecodeRows reads all rows of an iterator, and decodes several at the same time.
func DecodeRows[T any](next func(*[]byte) bool) ([]T, error) {
	const many = 1000 // rows in memory as bytes, of some kilobytes each
	var list []T
	for {
		var rows [][]byte
		for row := []byte(nil); len(rows) < many && next(&row); row = nil {
			rows = append(rows, row)
		}
		if len(rows) == 0 {
			return list, nil
		}
		part, err := decodeRows[T](rows)
		if err != nil {
			return nil, err
		}
		list = append(list, part...)
	}
}

func decodeRows[T any](rows [][]byte) ([]T, error) {
	list := make([]T, len(rows))
	errs := make([]error, len(rows))
	folder.Numbers(runtime.GOMAXPROCS(0), len(rows), func(i int) { errs[i] = json.Unmarshal(rows[i], &list[i]) })
	return list, errors.Join(errs...)
}
