package hbase

import (
	"cmp"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/storetest"
)

// running names the master of a cluster that runs, for callers that work on this package; without it, tests start one.
const running = "GLEANER_TEST_HBASE"

func start(t testing.TB) (master string) {
	if m := os.Getenv(running); m != "" {
		return m
	}
	return servertest.StartHBase(t).Master
}

var tables atomic.Int64

// open opens a table of its own, with the families of storetest.
func open(t testing.TB, master string, o Options, splits ...string) *Store {
	t.Helper()
	o.Masters, o.RetryTimeout = []string{master}, cmp.Or(o.RetryTimeout, 4*time.Second)
	o.Table = cmp.Or(o.Table, fmt.Sprintf("t%d_%d", os.Getpid(), tables.Add(1)))
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Prepare(t.Context(), storetest.Families, splits); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) {
	t.Parallel() // it mostly waits
	master := start(t)
	t.Run("contract", func(t *testing.T) {
		storetest.Test(t, func(t *testing.T) rowstore.Store { return open(t, master, Options{}) })
	})
	t.Run("contract over regions", func(t *testing.T) {
		storetest.Test(t, func(t *testing.T) rowstore.Store {
			return open(t, master, Options{ScanBytes: 300}, "com,example)/a", "k1", "k2", "k30", "k45")
		})
	})
	for _, test := range []struct {
		name string
		test func(*testing.T, string)
	}{
		{"regions move", testMoves},
		{"filters", testFilterBytes},
		{"parts", testParts},
		{"leases", testLease},
		{"wide rows", testWideRow},
		{"collections", testDatabase},
	} {
		t.Run(test.name, func(t *testing.T) { test.test(t, master) })
	}
}
