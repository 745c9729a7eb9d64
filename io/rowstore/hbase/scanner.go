package hbase

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// regionScanner is a scanner that a server has open for us on one region: ScanRequest and ScanResponse of Client.proto.
// It belongs to one goroutine, and another one keeps it from running out.
type regionScanner struct {
	s       *Store
	address string

	mu    sync.Mutex // held while it is asked: a server refuses calls that overtake each other
	id    uint64
	open  bool
	seq   uint64 // number of the next call
	ended bool   // the region has no more rows
	done  bool   // the scan has no more rows, whatever regions follow
	lease time.Duration
	stop  context.CancelFunc // of the goroutine that renews the lease
}

// part is a row, or cells of one that go on in the next part.
type part struct {
	rowstore.Row
	partial bool
}

// start opens the scanner with a request, and returns the first rows.
func (x *regionScanner) start(ctx context.Context, m message) ([]part, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.ask(ctx, m)
}

// more reports whether the region may have more rows.
// It needs no lock: open is changed by the goroutine that asks, and the one that renews only reads it.
func (x *regionScanner) more() bool { return x.open }

// following returns the rows that follow; there may be none this time, since a server that has looked for long without
// finding any says that it is alive.
func (x *regionScanner) following(ctx context.Context, rows int) ([]part, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	// next_call_seq, field 6, has to be one more than the time before, else the server takes the call for a repetition
	// and refuses it. Fields 7 and 8 say that this client can take parts of rows and heartbeats.
	m := message(nil).num(3, x.id).num(4, uint64(rows)).num(6, x.seq).yes(7).yes(8)
	x.seq++
	return x.ask(ctx, m)
}

// ask sends a request. The caller holds mu.
func (x *regionScanner) ask(ctx context.Context, m message) ([]part, error) {
	a, err := x.s.call(ctx, x.address, regionService, "Scan", m)
	if err != nil {
		return nil, err
	}
	return x.parse(a)
}

// parse reads a ScanResponse. The cells are after it, in a block.
func (x *regionScanner) parse(a answer) ([]part, error) {
	var counts, partials []uint64
	// They are said again with each answer.
	x.ended, x.done = false, false
	err := each(a.param, func(field protowire.Number, v uint64, b []byte) error {
		var err error
		switch field {
		case 1:
			counts, err = numbers(counts, v, b)
		case 2:
			x.id, x.open = v, true
		// more_results is false: the filter or the limit has ended the scan.
		case 3:
			x.done = v == 0
		case 4:
			x.lease = time.Duration(v) * time.Millisecond
		case 5:
			return errInside
		case 7:
			partials, err = numbers(partials, v, b)
		case 8:
			// more_results_in_region is false.
			x.ended = v == 0
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if x.ended || x.done {
		x.open = false // the server has closed it
	}
	cells := cellReader{block: a.cells}
	// A false count takes no memory beyond what the block could hold: a cell has cellOverhead bytes at least.
	parts := make([]part, 0, min(len(counts), 1+len(a.cells)/cellOverhead))
	for i, n := range counts {
		p := part{partial: i < len(partials) && partials[i] != 0}
		if p.Row, err = cells.row(n); err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// numbers appends numbers of a repeated field, which writers may pack.
func numbers(list []uint64, v uint64, packed []byte) ([]uint64, error) {
	// A number that stands alone has no bytes: see each.
	if packed == nil {
		return append(list, v), nil
	}
	for len(packed) > 0 {
		v, n := protowire.ConsumeVarint(packed)
		if n < 0 {
			return nil, errWire
		}
		list, packed = append(list, v), packed[n:]
	}
	return list, nil
}

// row takes n cells off the block, of one row.
func (r *cellReader) row(n uint64) (row rowstore.Row, err error) {
	if n > uint64(len(r.block)/cellOverhead) {
		return row, fmt.Errorf("%w: more cells than the block has bytes for", errWire)
	}
	row.Cells = make([]rowstore.Cell, n)
	for i := range row.Cells {
		key, c, err := r.next()
		if err != nil {
			return row, err
		}
		if i == 0 {
			row.Key = string(key)
		} else if row.Key != string(key) {
			return row, fmt.Errorf("%w: cells of two rows as one", errWire)
		}
		row.Cells[i] = c
	}
	return row, nil
}

// hold keeps the scanner from running out while nobody asks: its reader may take minutes over a row. A server closes
// scanners that were not asked for 60 s, or what it is set to, which it says.
func (x *regionScanner) hold(ctx context.Context) {
	// One goroutine a scanner is enough, and none for one that the server has closed.
	if x.stop != nil || !x.open || x.lease <= 0 {
		return
	}
	ctx, x.stop = context.WithCancel(ctx)
	// A third of the lease leaves time for two more attempts. The lower bound is for servers that are set to very
	// little.
	pause := max(x.lease/3, 100*time.Millisecond)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(pause):
			}
			if !x.renew(ctx) {
				return
			}
		}
	}()
}

// renew renews the lease. Whether that failed, the next call will tell.
func (x *regionScanner) renew(ctx context.Context) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.open || ctx.Err() != nil {
		return false
	}
	// Renewing is a call with no rows, and with a number as every other.
	m := message(nil).num(3, x.id).num(4, 0).num(6, x.seq).yes(10)
	x.seq++
	_, err := x.s.call(ctx, x.address, regionService, "Scan", m)
	return err == nil
}

// closing is how long closing a scanner may take. A server closes it by itself later on.
const closing = 2 * time.Second

// close ends the scanner, and who keeps it.
func (x *regionScanner) close() {
	if x.stop != nil {
		x.stop()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.open {
		return
	}
	x.open = false
	// Not the caller's context: that may have ended already, and the server would keep the scanner until its lease is
	// over.
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	_, err := x.s.call(ctx, x.address, regionService, "Scan", message(nil).num(3, x.id).num(4, 0).yes(5))
	if errors.Is(err, context.Canceled) {
		return // nobody waits for it
	}
}
