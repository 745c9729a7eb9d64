package index

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// manyHosts are documents of n hosts and authors, and one of host "" without an author.
func manyHosts(n int) []*schemas.Document {
	list := []*schemas.Document{{SURT: "com,example)/none", URL: "http://example.com/none", Filename: "a"}}
	for i := range n {
		host := fmt.Sprintf("h%05d.example", (i*7919)%n) // numbers of names are not in the order of names
		list = append(list, &schemas.Document{
			URL: "http://" + host + "/", SURT: fmt.Sprintf("example,h%05d)/", (i*7919)%n), Host: host,
			Authors: []string{"By " + host}, Filename: "a", Offset: int64(i + 1), Length: 1,
		})
	}
	return list
}

// TestFacets_order: the first of many equal values are always the same. The order of names is in memory, or has no room
// there, or has more names than it may have. Only a kept order takes memory.
func TestFacets_order(t *testing.T) {
	const hosts = 2 * singly
	s := newShelf(t)
	s.put(t, 0, manyHosts(hosts))
	few := defaultLimits
	few.namesInOrder = hosts - 1
	exact := defaultLimits
	exact.namesInOrder = hosts + 1
	for _, tt := range []struct {
		name string
		o    Options
		kept int64 // names
	}{
		{"order", Options{}, 2*hosts + 1},
		{"as many names as an order may have", Options{limits: exact}, 2*hosts + 1},
		{"more names than an order may have", Options{limits: few}, 0},
		{"without room", Options{CacheBytes: 1 << 10}, 0},
	} {
		before := countedBytes.Load()
		x, _ := s.open(t, tt.o)
		for _, by := range []string{"host", "authors"} {
			for _, top := range []int{1, 2, 10, 10} {
				want := []Facet{{[]string{""}, 1}}
				for i := range top - 1 {
					host := fmt.Sprintf("h%05d.example", i)
					if by == "authors" {
						host = "By " + host
					}
					want = append(want, Facet{[]string{host}, 1})
				}
				got, err := x.Facets(t.Context(), query.Query{AllVersions: true}, []string{by}, top, nil)
				if diff := cmp.Diff(want, got); diff != "" || err != nil {
					t.Errorf("%s, %d of %s: %v (-want +got):\n%s", tt.name, top, by, err, diff)
				}
			}
		}
		if n := x.volumes[0].kept.orders.bytes; n != 8*tt.kept {
			t.Errorf("%s: orders have %d bytes, want %d", tt.name, n, 8*tt.kept)
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		if n := countedBytes.Load(); n != before {
			t.Errorf("%s: %d bytes are counted after Close, %d before", tt.name, n, before)
		}
	}
}

// TestNameOrder_stops: names beyond the limit are not read, and not tried again.
func TestNameOrder_stops(t *testing.T) {
	s := newShelf(t)
	s.put(t, 0, manyHosts(50))
	for _, tt := range []struct{ limit, names int }{{0, 0}, {1, 0}, {50, 0}, {51, 51}, {1000, 51}} {
		l := defaultLimits
		l.namesInOrder = tt.limit
		x, _ := s.open(t, Options{limits: l})
		view, err := x.volumes[0].snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		order, err := view.nameOrder(t.Context(), kindHost)
		if len(order) != tt.names || cap(order) > 64 || err != nil {
			t.Errorf("limit %d: %d names in %d places, %v; want %d", tt.limit, len(order), cap(order), err, tt.names)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if again, err := view.nameOrder(ended, kindHost); len(again) != tt.names || err != nil {
			t.Errorf("limit %d: %d names again, %v; want %d from memory", tt.limit, len(again), err, tt.names)
		}
		if _, err := view.nameOrder(ended, kindAuthor); !errors.Is(err, context.Canceled) {
			t.Errorf("limit %d: %v of an order that is not in memory", tt.limit, err)
		}
		view.close()
	}
}

// TestOrders: an order is used for its own generation and kind, and the kept orders stay within their bound.
func TestOrders(t *testing.T) {
	o := orders{room: room{limit: 100, all: new(atomic.Int64)}}
	check := func(when string, generation int64, k kind, names int, known bool, bytes int64) {
		t.Helper()
		order, ok := o.get(generation, k)
		if len(order) != names || ok != known || o.bytes != bytes || o.all.Load() != bytes {
			t.Errorf("%s: %d names, known %v, %d bytes; want %d, %v, %d", when, len(order), ok, o.bytes, names, known, bytes)
		}
	}
	check("at first", 1, kindHost, 0, false, 0)
	o.keep(1, kindHost, make([]int64, 10))
	check("kept", 1, kindHost, 10, true, 80)
	check("of another kind", 1, kindAuthor, 0, false, 80)
	o.keep(1, kindHost, make([]int64, 10)) // of another request
	check("kept twice", 1, kindHost, 10, true, 80)
	o.keep(1, kindAuthor, make([]int64, 3))
	check("without room", 1, kindAuthor, 0, true, 80)
	check("newer", 2, kindHost, 0, false, 80)
	o.keep(2, kindAuthor, make([]int64, 3))
	check("of the newer", 2, kindAuthor, 3, true, 24)
	o.keep(1, kindHost, make([]int64, 10))
	check("of the older", 1, kindHost, 0, false, 24)
	o.close()
	o.keep(2, kindHost, make([]int64, 1))
	check("closed", 2, kindHost, 0, true, 0)
}
