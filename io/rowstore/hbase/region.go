package hbase

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gleaner-web/gleaner/io/rowstore"
)

// region is a part of the table, and its server.
type region struct {
	rowstore.Span
	name    []byte // "table,start,id.hash."
	info    []byte // its RegionInfo
	address string // of its server
}

// regions are the known regions, in order and without overlaps. It is a cache. Regions are split, merged and moved at
// any time, so an entry may be outdated. The server then says so, the region is dropped, and hbase:meta is asked again.
type regions struct {
	mu   sync.Mutex
	list []*region
}

// find returns the region of a key, or nil if it is unknown.
func (r *regions) find(key string) *region {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, found := slices.BinarySearchFunc(r.list, key, func(x *region, k string) int { return strings.Compare(x.From, k) })
	if !found {
		at-- // the one that begins before key
	}
	// There may be gaps, because only requested regions are known.
	if at < 0 || !r.list[at].Has(key) {
		return nil
	}
	return r.list[at]
}

// add adds a region and removes those that it overlaps, which no longer exist.
func (r *regions) add(x *region) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = slices.DeleteFunc(r.list, func(old *region) bool {
		return (x.To == "" || old.From < x.To) && (old.To == "" || x.From < old.To)
	})
	at, _ := slices.BinarySearchFunc(r.list, x.From, func(x *region, k string) int { return strings.Compare(x.From, k) })
	r.list = slices.Insert(r.list, at, x)
}

// drop removes a region that has moved.
func (r *regions) drop(x *region) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = slices.DeleteFunc(r.list, func(old *region) bool { return old == x })
}

// locate returns the region of a key.
func (s *Store) locate(ctx context.Context, key string) (*region, error) {
	if r := s.regions.find(key); r != nil {
		return r, nil
	}
	// A region's row is "table,start,id.hash.". The last one at or before this key belongs to the region, since ids are
	// digits, and a colon sorts after these. Field 15 makes the scan go backwards from the key, so that this row comes
	// first. The stop row keeps it in this table: for a missing table it would otherwise return another one's region.
	found, err := s.askMeta(ctx, message(nil).
		text(3, s.table.String()+","+key+",:").text(4, s.table.String()+",,").yes(15), 1)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: %w: %w", s.table, ErrMissing, rowstore.ErrRefused)
	}
	r := found[0]
	// hbase:meta gives the recent places of regions. A gap between them, or a region without a server, closes after a
	// while: the caller waits and asks again.
	if !r.Has(key) || r.address == "" {
		return nil, fmt.Errorf("the region of %.80q is on its way", key) // being split, moved or opened
	}
	s.regions.add(r)
	return r, nil
}

// moved drops a region if an error says that it is elsewhere.
func (s *Store) moved(r *region, err error) {
	// Other errors say nothing of the region's place.
	if what := remedyOf(err); what == relocate {
		s.regions.drop(r)
	}
}

// all returns all regions of the table, in order.
func (s *Store) all(ctx context.Context) ([]*region, error) {
	// A blank sorts before the comma that ends the table's name, as section "hbase:meta" has it for stop rows.
	return s.askMeta(ctx, message(nil).text(3, s.table.String()+",,").text(4, s.table.String()+" ,,"), maxRegions)
}

// maxRegions exceeds the number in any table: HBase's own guide advises some hundred on a server.
const maxRegions = 1 << 20

// metaRegion is the name of the only region of hbase:meta.
var metaRegion = []byte("hbase:meta,,1")

// askMeta scans hbase:meta for regions that are not split, at most n. scan has the rows.
func (s *Store) askMeta(ctx context.Context, scan message, n int) ([]*region, error) {
	address, err := s.metaAddress(ctx)
	if err != nil {
		return nil, err
	}
	// One version of the family info is enough: it is rewritten whenever a region moves.
	scan = scan.bytes(1, message(nil).text(1, "info")).num(7, 1).num(17, uint64(n))
	first := message(nil).bytes(1, regionNamed(metaRegion)).bytes(2, scan).num(4, uint64(n)).yes(7).yes(8)
	if n == 1 {
		first = first.yes(5) // close: one answer has everything
	}
	x := &regionScanner{s: s, address: address}
	defer x.close()
	rows, err := x.start(ctx, first)
	found, err := appendRegions(nil, rows, err)
	if n == 1 {
		x.open = false // as requested
	}
	for err == nil && x.more() {
		rows, err = x.following(ctx, n)
		found, err = appendRegions(found, rows, err)
	}
	// After any error hbase:meta may have moved: it is located again before the next attempt.
	if err != nil {
		s.dropMeta(address)
	}
	return found, err
}

// appendRegions appends the regions in rows of hbase:meta, unless err is set.
func appendRegions(list []*region, rows []part, err error) ([]*region, error) {
	for _, row := range rows {
		r, err := parseRegion(row.Row)
		if err != nil {
			return nil, err
		}
		if r != nil {
			list = append(list, r)
		}
	}
	return list, err
}

// metaAddress returns the address of hbase:meta, which any master knows.
func (s *Store) metaAddress(ctx context.Context) (string, error) {
	s.mu.Lock()
	address := s.meta
	s.mu.Unlock()
	// Its address is kept until an error occurs there.
	if address != "" {
		return address, nil
	}
	a, err := s.askMasters(ctx, "GetMetaRegionLocations")
	if err != nil {
		return "", err
	}
	// GetMetaRegionLocationsResponse, Registry.proto, which contains a RegionLocation. Replicas may follow the first.
	err = each(a, func(field protowire.Number, _ uint64, b []byte) error {
		if field != 1 || address != "" {
			return nil
		}
		return each(b, func(field protowire.Number, _ uint64, b []byte) error {
			if field == 2 {
				address, err = parseServer(b)
				return err
			}
			return nil
		})
	})
	if err == nil && address == "" {
		err = errors.New("hbase:meta is not served yet")
	}
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.meta = address
	return address, nil
}

func (s *Store) dropMeta(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Another goroutine may have found the new address, which stays.
	if s.meta == address {
		s.meta = ""
	}
}

// askMasters calls a method of the registry without parameters, at the first master that answers. All masters know the
// answer, including those in reserve, so that one of them may be down.
func (s *Store) askMasters(ctx context.Context, method string) ([]byte, error) {
	var errs []error
	for _, m := range s.o.Masters {
		a, err := s.call(ctx, m, registryService, method, nil)
		if err == nil {
			return a.param, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// parseServer parses a ServerName. HBase.proto.
func parseServer(m []byte) (string, error) {
	var host string
	var port uint64
	err := each(m, func(field protowire.Number, v uint64, b []byte) error {
		switch field {
		case 1:
			host = string(b)
		case 2:
			port = v
		}
		return nil
	})
	return net.JoinHostPort(host, strconv.FormatUint(port, 10)), err
}

// regionMagic precedes a RegionInfo in a cell.
var regionMagic = []byte("PBUF")

// parseRegion parses a row of hbase:meta. It returns nil for a row without a region, or with one that was split and
// replaced.
func parseRegion(row rowstore.Row) (*region, error) {
	r := &region{name: []byte(row.Key)}
	for _, c := range row.Cells {
		switch c.Qualifier {
		case "regioninfo":
			// The cell's bytes belong to the answer, which is as large as all regions together.
			r.info = bytes.Clone(bytes.TrimPrefix(c.Value, regionMagic))
		case "server":
			r.address = string(c.Value)
		}
	}
	if r.info == nil {
		return nil, nil
	}
	gone := false
	err := each(r.info, func(field protowire.Number, v uint64, b []byte) error {
		switch field { // RegionInfo, HBase.proto
		case 3:
			r.From = string(b)
		case 4:
			r.To = string(b)
		case 5, 6: // offline, split
			gone = gone || v != 0
		}
		return nil
	})
	if err != nil || gone {
		return nil, err
	}
	return r, nil
}
