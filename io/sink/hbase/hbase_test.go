package hbase

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/hbase"
	"github.com/gleaner-web/gleaner/io/rowstore/webtable"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/sink/sinktest"
	"github.com/gleaner-web/gleaner/schemas"
)

// cluster returns the address of a master: of the running cluster that $GLEANER_TEST_HBASE names, or of a cluster that
// it starts.
func cluster(t *testing.T) string {
	if m := os.Getenv("GLEANER_TEST_HBASE"); m != "" {
		return m
	}
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("starts a cluster, as the test of io/rowstore/hbase does: GLEANER_SLOW=1 has it run")
	}
	return servertest.StartHBase(t).Master
}

// TestSink_contract: servers fail by losing their connections, since clients find them by themselves.
func TestSink_contract(t *testing.T) {
	t.Parallel() // it mostly waits
	kit := sinktest.Kit{
		Open:    openFailing,
		Refused: func(p *sink.Page) { p.Document.Text = strings.Repeat("x", 200_000) },
		Adds:    true,
	}
	if !sinktest.IsChild() {
		master := cluster(t)
		kit.Start = func(t *testing.T) sinktest.Server { return newTable(t, master) }
	}
	sinktest.Test(t, kit)
}

// faults are how many writes to servers are left, by a table's address, before connections end.
var faults sync.Map // of *atomic.Int64 by address

var tables atomic.Int64

func newTable(t *testing.T, master string) sinktest.Server {
	address := fmt.Sprintf("hbase://%s/s%d_%d", master, os.Getpid(), tables.Add(1))
	left := &atomic.Int64{}
	left.Store(1 << 40)
	faults.Store(address, left)
	return sinktest.Server{
		Address: address,
		Content: func(t *testing.T) []string { return content(t, address) },
		Fail: func(n int) {
			if n == 0 {
				n = 1 << 40
			}
			left.Store(int64(n))
		},
	}
}

func content(t *testing.T, address string) (all []string) {
	o, _, err := hbase.ParseURL(address)
	if err != nil {
		t.Fatal(err)
	}
	s, err := hbase.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // the test is over by then
	for row, err := range s.Scan(t.Context(), rowstore.Range{Versions: -1}) {
		if err != nil {
			t.Fatal(err)
		}
		list, err := webtable.Documents(row)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range list {
			// Values keep their types, to the last bit.
			if list := d.CustomIntegers["stars"]; len(list) != 2 || list[1] != 1<<63-1 ||
				!slices.Equal(d.CustomFloats["score"], []schemas.Float{.1, 2}) ||
				!slices.Equal(d.CustomBooleans["sold"], []bool{true, false}) ||
				!slices.Equal(d.CustomTimes["seen"], []string{"2026-03-04T10:30:00.123456Z"}) {
				t.Errorf("%s has other typed values: %+v", d.URL, d)
			}
			all = append(all, d.URL+" "+d.Title)
		}
	}
	return all
}

// openFailing opens a table through connections that end when a request is one too many.
func openFailing(ctx context.Context, address string) (sink.Sink, error) {
	c := Config{URL: address, RetryTimeout: time.Second, MaxRow: 100_000}
	if err := c.Complete(); err != nil {
		return nil, err
	}
	if err := c.Ask(ctx); err != nil {
		return nil, err
	}
	o, _, err := hbase.ParseURL(address)
	if err != nil {
		return nil, err
	}
	o.RetryTimeout = 300 * time.Millisecond
	left, known := faults.Load(address)
	if !known { // the process that is killed
		left = &atomic.Int64{}
		left.(*atomic.Int64).Store(1 << 40)
	}
	o.Dial = func(ctx context.Context, network, to string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, to)
		return &failing{conn, left.(*atomic.Int64)}, err
	}
	s, err := hbase.Open(o)
	if err != nil {
		return nil, err
	}
	return &table{store: s, layout: c.layout(), maxRow: c.MaxRow}, nil
}

// failing is a connection that ends when something is written once too often.
type failing struct {
	net.Conn
	left *atomic.Int64
}

func (f *failing) Write(b []byte) (int, error) {
	if f.left.Add(-1) < 0 {
		_ = f.Close()
		return 0, io.ErrClosedPipe
	}
	return f.Conn.Write(b)
}

func TestComplete(t *testing.T) {
	for url, want := range map[string]string{
		"http://a/b": "no address", "hbase://h": "no address", "hbase://h/": "no name", "hbase://h/a b": "no name",
		"hbase://u:p@h/t": "no passwords", "hbase://h/t?row_key=url": "--hbase_row_key", "hbase:///t": "no address",
	} {
		c := Config{URL: url}
		if err := c.Complete(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
	c := Config{URL: "hbase://me@a,b:1/ns:t", SplitsFile: t.TempDir() + "/splits"}
	if err := os.WriteFile(c.SplitsFile, []byte("org,\r\ncom,\n\ncom,\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := c.Complete(); err != nil || !slices.Equal(c.Splits, []string{"com,", "org,"}) || c.RowKey != BySURT {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestEncode_sameBytes: the same page is the same message.
func TestEncode_sameBytes(t *testing.T) {
	p := &sink.Page{
		Document: &schemas.Document{URL: "http://a/", SURT: "a)/", Title: "x", Crawl: map[string]string{"a": "1", "b": "2"}},
		Capture:  &schemas.Capture{Crawl: map[string]string{"a": "1", "b": "2", "c": "3"}},
	}
	x := &table{layout: webtable.Layout{Inline: true}, maxRow: 1 << 20}
	first, err := x.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if m, err := x.Encode(p); err != nil || string(m.Value) != string(first.Value) {
			t.Fatalf("other bytes, %v", err)
		}
	}
}
