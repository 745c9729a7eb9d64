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

// Put writes cells in batches, to all servers in parallel. Of cells with the same version it writes the last one.
func (s *Store) Put(ctx context.Context, rows []rowstore.Row) error {
	if err := check(rows); err != nil {
		return err
	}
	// HBase would accept two cells of one version in a call, but does not define which of them is read.
	rows = rowstore.Merge(rows)
	for len(rows) > 0 {
		n, size := 0, 0
		// A row is never split, since it must be complete: one larger than a batch goes alone.
		for n < len(rows) && (n == 0 || size+sizeOf(rows[n]) <= s.o.BatchBytes) {
			size += sizeOf(rows[n])
			n++
		}
		if err := s.putBatch(ctx, rows[:n]); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// check finds rows that HBase's format cannot hold.
func check(rows []rowstore.Row) error {
	if err := rowstore.Check(rows); err != nil {
		return fmt.Errorf("hbase: %w", err)
	}
	for _, r := range rows {
		for _, c := range r.Cells {
			// The length of a family is one byte: appendCell would cut it.
			if len(c.Family) > maxFamily || len(c.Qualifier) > maxRow {
				return fmt.Errorf("hbase: row %.80q: a family of %d and a qualifier of %d bytes: %w", r.Key, len(c.Family),
					len(c.Qualifier), rowstore.ErrRefused)
			}
		}
	}
	return nil
}

// sizeOf returns the approximate transfer size of a row.
func sizeOf(r rowstore.Row) (n int) {
	for _, c := range r.Cells {
		n += cellOverhead + len(r.Key) + len(c.Family) + len(c.Qualifier) + len(c.Value)
	}
	return n
}

// putBatch writes rows until all are written. It retries rows that a server did not take, at that server or another.
func (s *Store) putBatch(ctx context.Context, rows []rowstore.Row) error {
	for p := s.patience(); ; {
		left, err := s.putOnce(ctx, rows)
		if err == nil {
			return nil
		}
		// Some were taken, so the servers are alive.
		if len(left) < len(rows) {
			p.progress()
		}
		if err := p.wait(ctx, err); err != nil {
			return err
		}
		rows = left
	}
}

// putOnce writes rows, and returns the unwritten ones with an error about them, a final one if there is any.
func (s *Store) putOnce(ctx context.Context, rows []rowstore.Row) (left []rowstore.Row, worst error) {
	// Regions of one server share a call: a table with many regions would need many small ones.
	byServer := map[string]*multi{}
	for i, row := range rows {
		r, err := s.locate(ctx, row.Key)
		if err != nil { // hbase:meta does not answer, so later rows will not be found either
			left, worst = append(left, rows[i:]...), err
			break
		}
		m := byServer[r.address]
		if m == nil {
			m = &multi{s: s, address: r.address}
			byServer[r.address] = m
		}
		m.add(r, row)
	}
	var wg sync.WaitGroup
	for _, m := range byServer {
		// Each multi belongs to one goroutine until Wait. Servers are called in parallel, since one is seldom at its
		// limit.
		wg.Go(func() { m.do(ctx) })
	}
	wg.Wait()
	for _, m := range byServer {
		left = append(left, m.left...)
		// A final error takes precedence: retrying the others would be useless.
		if m.err != nil && (worst == nil || remedyOf(m.err) >= refused) {
			worst = m.err
		}
	}
	return left, worst
}

// multi is the rows for one server: MultiRequest, Client.proto.
type multi struct {
	s       *Store
	address string
	regions []*regionRows
	left    []rowstore.Row // unwritten rows
	err     error
}

// regionRows are the rows of a region.
type regionRows struct {
	region *region
	rows   []rowstore.Row
}

func (m *multi) add(r *region, row rowstore.Row) {
	if n := len(m.regions); n == 0 || m.regions[n-1].region != r { // rows come in the order of their keys
		m.regions = append(m.regions, &regionRows{region: r})
	}
	last := m.regions[len(m.regions)-1]
	last.rows = append(last.rows, row)
}

// do sends the rows, and records the unwritten ones.
func (m *multi) do(ctx context.Context) {
	var request message
	var cells []byte
	for _, r := range m.regions {
		action := message(nil).bytes(1, regionNamed(r.region.name))
		for i, row := range r.rows {
			// A MutationProto: the row, 2 for PUT, and the number of its cells in the block. The server takes cells
			// from the block in the order of the rows, so the two loops must agree.
			put := message(nil).text(1, row.Key).num(2, 2).num(8, uint64(len(row.Cells)))
			action = action.bytes(3, message(nil).num(1, uint64(i)).bytes(2, put))
			for _, c := range row.Cells {
				cells = appendCell(cells, row.Key, typePut, c)
			}
		}
		request = request.bytes(1, action)
	}
	a, err := m.s.call(ctx, m.address, regionService, "Multi", request, cells)
	if err == nil {
		err = m.parse(a.param)
	}
	if err == nil {
		return
	}
	// The server may have executed it. Writing it again is harmless, because the cells have the same versions.
	m.left, m.err = nil, err
	for _, r := range m.regions {
		m.s.moved(r.region, err)
		m.left = append(m.left, r.rows...)
	}
}

// parse parses a MultiResponse: a RegionActionResult for each region, in the order of the request.
func (m *multi) parse(answer []byte) error {
	at := 0
	err := each(answer, func(field protowire.Number, _ uint64, b []byte) error {
		if field != 1 {
			return nil
		}
		if at == len(m.regions) {
			return errWire
		}
		// Results have no names: their order is that of the regions in the request.
		at++
		return m.parseRegion(m.regions[at-1], b)
	})
	if err == nil && at < len(m.regions) {
		err = fmt.Errorf("%w: results of %d regions, and %d were asked for", errWire, at, len(m.regions))
	}
	return err
}

// parseRegion parses a RegionActionResult: an exception, or the result of each row, by its index.
func (m *multi) parseRegion(r *regionRows, b []byte) error {
	// Rows that the answer does not name count as unwritten.
	done := make([]bool, len(r.rows))
	var whole error // about all rows
	err := each(b, func(field protowire.Number, _ uint64, b []byte) error {
		switch field {
		case 1:
			i, err, wrong := parseResult(b)
			// The index comes from outside, and must not lead beyond the rows.
			if wrong != nil || i >= uint64(len(done)) {
				return errors.Join(errWire, wrong)
			}
			if done[i] = err == nil; err != nil {
				m.fail(r, err)
			}
		case 2:
			whole = parseNamedException(b)
		}
		return nil
	})
	if err != nil {
		return err
	}
	// An error of the whole region, for example one that has moved: then no row of it was written.
	if whole != nil {
		m.fail(r, whole)
	}
	for i, ok := range done {
		if !ok {
			m.left = append(m.left, r.rows[i])
			if m.err == nil {
				m.err = fmt.Errorf("%w: nothing is said of a row", errWire)
			}
		}
	}
	return nil
}

// fail records an error about rows of a region. A final one takes precedence.
func (m *multi) fail(r *regionRows, err error) {
	m.s.moved(r.region, err)
	if m.err == nil || remedyOf(err) >= refused {
		m.err = err
	}
}

// parseResult parses a ResultOrException.
func parseResult(m []byte) (index uint64, failed, wrong error) {
	wrong = each(m, func(field protowire.Number, v uint64, b []byte) error {
		switch field {
		case 1:
			index = v
		case 3:
			failed = parseNamedException(b)
		}
		return nil
	})
	return index, failed, wrong
}

// Get returns a row.
func (s *Store) Get(ctx context.Context, key string, r rowstore.Range) (row rowstore.Row, err error) {
	return s.get(ctx, key, r, nil)
}

// get returns a row, or what a filter makes of its cells.
func (s *Store) get(ctx context.Context, key string, r rowstore.Range, filter message) (row rowstore.Row, err error) {
	// Filters of rows apply to scans only: Get returns the named row with any content.
	r.Where = nil
	// The server would refuse an empty range of times.
	if r.NoTime() {
		return rowstore.Row{Key: key}, nil
	}
	get := message(nil).text(1, key)
	for _, f := range r.Families {
		get = get.bytes(2, message(nil).text(1, f))
	}
	if filter != nil {
		get = get.bytes(4, filter)
	}
	if t := timeRange(r); t != nil {
		get = get.bytes(5, t)
	}
	get = get.num(6, versions(r))
	// Reading is repeatable.
	err = s.try(ctx, func() error {
		row, err = s.getOnce(ctx, key, get)
		return err
	})
	// A missing row has a key and no cells.
	row.Key = key
	return row, err
}

// getOnce requests a row: GetRequest and GetResponse, Client.proto.
func (s *Store) getOnce(ctx context.Context, key string, get message) (row rowstore.Row, err error) {
	r, err := s.locate(ctx, key)
	if err != nil {
		return row, err
	}
	a, err := s.call(ctx, r.address, regionService, "Get", message(nil).bytes(1, regionNamed(r.name)).bytes(2, get))
	if err != nil {
		s.moved(r, err)
		return row, err
	}
	// The size of the answer, before any cell is read from it.
	if len(a.cells) > s.o.MaxRow {
		return row, fmt.Errorf("row %.80q has more than %d bytes: %w", key, s.o.MaxRow, rowstore.ErrLimit)
	}
	var n uint64
	err = each(a.param, func(field protowire.Number, _ uint64, b []byte) error {
		if field != 1 {
			return nil
		}
		return each(b, func(field protowire.Number, v uint64, _ []byte) error {
			switch field {
			case 1:
				return errInside
			case 2:
				n = v
			}
			return nil
		})
	})
	if err != nil {
		return row, err
	}
	return (&cellReader{block: a.cells}).row(n)
}

// Delete removes versions, in all families of the table. With a zero time these are the versions up to now, or up to
// the row's newest one if that is in the future. Later writes must stay visible.
func (s *Store) Delete(ctx context.Context, key string, till time.Time) error {
	if err := check([]rowstore.Row{{Key: key}}); err != nil {
		return err
	}
	// The server's marks for deletion would hide later writes with older times, so the mark's time is as low as
	// possible.
	if till.IsZero() {
		// The values may exceed the limit of a row.
		row, err := s.get(ctx, key, rowstore.Range{}, filter("KeyOnlyFilter", message(nil).no(1)))
		if err != nil {
			return err
		}
		till = time.Now()
		for _, c := range row.Cells {
			if c.Time.After(till) {
				till = c.Time
			}
		}
		// till is after the last removed version, and HBase counts milliseconds.
		till = till.Add(time.Millisecond)
	}
	// till itself is excluded, and a mark also hides its own time.
	last := rowstore.Millis(till) - 1 // the newest removed version
	if last < 0 {
		return nil
	}
	// A mark for each family: HBase has none for a whole row.
	names, err := s.Families(ctx)
	if err != nil {
		return err
	}
	var cells []byte
	for _, f := range names {
		cells = appendCell(cells, key, typeDeleteFamily, rowstore.Cell{Family: f, Time: rowstore.At(last)})
	}
	// A MutationProto again: 3 is DELETE. The mark covers a whole family, so columns need not be known.
	m := message(nil).text(1, key).num(2, 3).num(8, uint64(len(names)))
	return s.try(ctx, func() error {
		r, err := s.locate(ctx, key)
		if err != nil {
			return err
		}
		request := message(nil).bytes(1, regionNamed(r.name)).bytes(2, m)
		_, err = s.call(ctx, r.address, regionService, "Mutate", request, cells)
		if err != nil {
			s.moved(r, err)
		}
		return err
	})
}
