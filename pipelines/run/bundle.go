package run

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"

	"github.com/gleaner-web/gleaner/io/storage/folder"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// Bundle does the elements of a bundle side by side: while one is slow, others go on. That holds on every runner, also
// on those that call a function from one thread only. It is for the goroutine that the runner calls the function in.
type Bundle struct {
	ctx    context.Context // of the bundle, kept because elements outlive the call that starts them
	cancel context.CancelFunc
	ended  chan end
	limit  int
	open   int // elements that were started and not yet collected
}

type end struct {
	row []byte
	err error
}

// NewBundle begins a bundle of which limit elements are done at once.
func NewBundle(ctx context.Context, limit int) *Bundle {
	b := &Bundle{ended: make(chan end, limit), limit: limit}
	b.ctx, b.cancel = context.WithCancel(ctx)
	return b
}

// Start does an element once fewer than the limit are under way, and emits the rows of those that ended meanwhile. The
// process is held while it is done; see cli.Hold. The first error ends the context of the others.
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

// collect waits for one element to end and emits its row.
func (b *Bundle) collect(emit func([]byte)) error {
	e := <-b.ended
	b.open--
	if e.err != nil {
		b.cancel()
		return e.err
	}
	emit(e.row)
	return nil
}

// Finish waits for the elements that are under way.
func (b *Bundle) Finish(emit func([]byte)) error {
	defer b.cancel()
	for b.open > 0 {
		if err := b.collect(emit); err != nil {
			return err
		}
	}
	return nil
}

// Drop ends the elements that are under way and waits for that: for callers that give the bundle up.
func (b *Bundle) Drop() {
	b.cancel()
	for ; b.open > 0; b.open-- {
		<-b.ended
	}
}

// EncodeRows makes rows of values: JSON, which reads the same in every version of the worker.
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

// DecodeRows reads all rows of an iterator, and decodes several at a time.
func DecodeRows[T any](next func(*[]byte) bool) ([]T, error) {
	const many = 1000 // rows, of some kilobytes, that are in memory as bytes
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
