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

// regionScanner is an open scanner on one region of a server: ScanRequest and ScanResponse of Client.proto. It belongs
// to one goroutine; another one renews its lease.
type regionScanner struct {
	s       *Store
	address string

	mu    sync.Mutex // held during requests: a server refuses calls that overtake each other
	id    uint64
	open  bool
	seq   uint64 // number of the next call
	ended bool   // the region has no more rows
	done  bool   // the scan has no more rows, even in later regions
	lease time.Duration
	stop  context.CancelFunc // of the goroutine that renews the lease
}

// part is a row, or some cells of one that continues in the next part.
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

// more reports whether the region may have more rows. It needs no lock: only the calling goroutine changes open.
func (x *regionScanner) more() bool { return x.open }

// following returns the next rows. There may be none: a server that has searched for long without a result sends a
// heartbeat.
func (x *regionScanner) following(ctx context.Context, rows int) ([]part, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	// next_call_seq, field 6, has to grow by one each time: otherwise the server takes the call for a repetition and
	// refuses it. Fields 7 and 8 say that this client accepts parts of rows and heartbeats.
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

// parse parses a ScanResponse. The cells follow it in a block.
func (x *regionScanner) parse(a answer) ([]part, error) {
	var counts, partials []uint64
	// Each answer sets them again.
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
	// A false count takes no more memory than the block could hold: a cell has at least cellOverhead bytes.
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

// numbers appends numbers of a repeated field, which may be packed.
func numbers(list []uint64, v uint64, packed []byte) ([]uint64, error) {
	// A single number has no bytes: see each.
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

// row reads n cells of one row from the block.
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

// hold keeps the scanner open between requests, because its reader may take minutes over a row. A server closes idle
// scanners after 60 s, or after a configured time, which its answer gives.
func (x *regionScanner) hold(ctx context.Context) {
	// One goroutine a scanner is enough, and none if the server has closed it.
	if x.stop != nil || !x.open || x.lease <= 0 {
		return
	}
	ctx, x.stop = context.WithCancel(ctx)
	// A third of the lease leaves time for two more attempts. The minimum is for servers with a very short lease.
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

// renew renews the lease. A failure shows in the next call.
func (x *regionScanner) renew(ctx context.Context) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.open || ctx.Err() != nil {
		return false
	}
	// Renewing is a call without rows, and with a number like every other.
	m := message(nil).num(3, x.id).num(4, 0).num(6, x.seq).yes(10)
	x.seq++
	_, err := x.s.call(ctx, x.address, regionService, "Scan", m)
	return err == nil
}

// closing is the time limit for closing a scanner, which a server also closes by itself later.
const closing = 2 * time.Second

// close closes the scanner, and ends the renewal.
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
	// Not the caller's context: that may have ended already, and the server would keep the scanner until the end of its
	// lease.
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	_, err := x.s.call(ctx, x.address, regionService, "Scan", message(nil).num(3, x.id).num(4, 0).yes(5))
	if errors.Is(err, context.Canceled) {
		return // nobody waits for it
	}
}
