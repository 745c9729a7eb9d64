package hbase

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gleaner-web/gleaner/internal/servertest"
	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/memory"
	"github.com/gleaner-web/gleaner/schemas/odm"
)

// slow is what tests need that take longer than others together.
func slow(t testing.TB) {
	t.Helper()
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("takes a minute: GLEANER_SLOW=1 has it run")
	}
}

// value is n bytes that do not compress.
func value(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rand.IntN(256))
	}
	return b
}

func key(i int) string { return fmt.Sprintf("com,example%03d)/%05d", i%1000, i) }

// fill puts n rows of about size bytes, of which every hundredth is a PDF.
func fill(t testing.TB, s rowstore.Store, n, size int) {
	t.Helper()
	body, at := value(size), time.UnixMilli(1.7e12)
	for done := 0; done < n; {
		var rows []rowstore.Row
		for ; done < n && len(rows) < 500; done++ {
			mime := "mime=text/html"
			if done%100 == 0 {
				mime = "mime=application/pdf"
			}
			rows = append(rows, rowstore.Row{Key: key(done), Cells: []rowstore.Cell{
				{Family: "a", Qualifier: mime, Time: at}, {Family: "b", Qualifier: "content", Time: at, Value: body},
			}})
		}
		if err := s.Put(t.Context(), rows); err != nil {
			t.Fatal(err)
		}
	}
}

// count scans, and calls each with the number of rows so far.
func count(t *testing.T, s rowstore.Store, r rowstore.Range, each func(n int)) (n int) {
	t.Helper()
	last := ""
	for row, err := range s.Scan(t.Context(), r) {
		if err != nil {
			t.Fatalf("after %d rows: %v", n, err)
		}
		if row.Key <= last {
			t.Fatalf("row %q after %q", row.Key, last)
		}
		last = row.Key
		n++
		each(n)
	}
	return n
}

// split divides the region of a key there, and waits until it is done.
func split(t *testing.T, s *Store, key string) {
	t.Helper()
	s.regions = regions{}
	r, err := s.locate(t.Context(), key)
	if err == nil {
		err = s.procedure(t.Context(), "SplitRegion", message(nil).bytes(1, r.info).text(2, key), 1)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// move moves the region of a key to another server.
func move(t *testing.T, s *Store, key string) {
	t.Helper()
	s.regions = regions{}
	r, err := s.locate(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	encoded := strings.Split(strings.TrimSuffix(string(r.name), "."), ".")
	hash := encoded[len(encoded)-1]
	if _, err := s.askMaster(t.Context(), "MoveRegion",
		message(nil).bytes(1, message(nil).num(1, 2).text(2, hash))); err != nil {
		t.Fatal(err)
	}
	for range 200 { // the answer comes before it is done
		s.regions = regions{}
		if now, err := s.locate(t.Context(), key); err == nil && now.address != r.address {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the region of %q is at %s still", key, r.address)
}

// testMoves divides and moves regions while others scan and write.
func testMoves(t *testing.T, master string) {
	s := open(t, master, Options{RetryTimeout: time.Minute, ScanBytes: 50_000})
	const rows = 3000
	fill(t, s, rows, 1000)
	other := open(t, master, Options{Table: s.o.Table, RetryTimeout: time.Minute})
	stop, wrote := make(chan struct{}), atomic.Int64{}
	var writing sync.WaitGroup
	writing.Go(func() { // rows of their own, which scans do not look at
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			row := rowstore.Row{
				Key:   fmt.Sprintf("%s/%d", key(i), i),
				Cells: []rowstore.Cell{{Family: "b", Qualifier: "w", Time: time.UnixMilli(1)}},
			}
			if err := s.Put(t.Context(), []rowstore.Row{row}); err != nil {
				t.Error(err)
				return
			}
			wrote.Add(1)
		}
	})
	whole := rowstore.Range{Families: []string{"a"}}
	got := count(t, s, whole, func(n int) {
		switch n {
		case 500:
			split(t, other, key(700)) // the region that is being read
		case 1000:
			move(t, other, key(0))
		case 1500:
			move(t, other, key(999))
		case 2000:
			split(t, other, key(900))
		case 2500:
			move(t, other, key(900))
		}
	})
	close(stop)
	writing.Wait()
	if got != rows {
		t.Errorf("%d rows, want %d", got, rows)
	}
	if n := count(t, other, rowstore.Range{Families: []string{"b"}}, func(int) {}); int64(n) != rows+wrote.Load() {
		t.Errorf("%d rows are there, and %d were written", n, rows+wrote.Load())
	}
	if keys, err := s.Splits(t.Context()); err != nil || len(keys) != 2 {
		t.Errorf("divided at %q, %v", keys, err)
	}
	t.Logf("%d rows were written meanwhile", wrote.Load())
}

// counted is a connection that counts the bytes that come.
type counted struct {
	net.Conn
	n *atomic.Int64
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.n.Add(int64(n))
	return n, err
}

// testFilterBytes: of rows that a filter leaves out nothing comes.
func testFilterBytes(t *testing.T, master string) {
	var came atomic.Int64
	s := open(t, master, Options{Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		return counted{c, &came}, err
	}})
	const rows = 2000
	fill(t, s, rows, 20_000)
	came.Store(0)
	began := time.Now()
	if n := count(t, s, rowstore.Range{}, func(int) {}); n != rows {
		t.Errorf("%d rows, want %d", n, rows)
	}
	all, tookAll := came.Swap(0), time.Since(began)
	began = time.Now()
	pdf := rowstore.Column{Family: "a", Qualifier: "mime=application/pdf"}
	if n := count(t, s, rowstore.Range{Where: pdf}, func(int) {}); n != rows/100 {
		t.Errorf("%d PDFs, want %d", n, rows/100)
	}
	some, took := came.Load(), time.Since(began)
	t.Logf("%d rows: %d bytes in %v; those of 1 %%: %d bytes in %v, which is %.2f %%", rows, all, tookAll, some, took,
		100*float64(some)/float64(all))
	if some*50 > all {
		t.Errorf("a filtered scan moves %d bytes, more than 2 %% of %d", some, all)
	}
}

// testLease: a reader that takes longer over a row than a server keeps its scanner reads on.
func testLease(t *testing.T, master string) {
	s := open(t, master, Options{ScanBytes: 1})
	fill(t, s, 20, 10)
	x := &regionScanner{s: s}
	r, err := s.locate(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	x.address = r.address
	scan := message(nil).num(7, 1).num(10, 1)
	parts, err := x.start(t.Context(), message(nil).bytes(1, regionNamed(r.name)).bytes(2, scan).num(4, 1).yes(7).yes(8))
	if err != nil || !x.more() {
		t.Fatalf("%d rows, %v", len(parts), err)
	}
	x.lease = 300 * time.Millisecond // so that it is renewed ten times in a second
	x.hold(t.Context())
	time.Sleep(time.Second)
	if parts, err = x.following(t.Context(), 1); err != nil || len(parts) != 1 {
		t.Errorf("after renewals: %d rows, %v", len(parts), err)
	}
	x.mu.Lock()
	seq := x.seq
	x.mu.Unlock()
	if seq < 5 {
		t.Errorf("%d calls: it was not renewed", seq)
	}
	x.close()
	// Of a scanner that has run out nothing is left, and the scan continues with another one after the last row.
	if _, err := x.following(t.Context(), 1); remedyOf(err) != reopen && remedyOf(err) != again {
		t.Errorf("a scanner that was closed: %v", err)
	}
}

// testWideRow: a row of many cells comes in parts, and one that is too large is an error.
func testWideRow(t *testing.T, master string) {
	s := open(t, master, Options{ScanBytes: 100_000, MaxRow: 40 << 20})
	var want []rowstore.Row
	for _, k := range []string{"k1", "k2"} {
		row := rowstore.Row{Key: k}
		for i := range 300 {
			row.Cells = append(row.Cells, rowstore.Cell{
				Family: "b", Qualifier: fmt.Sprintf("%05d", i),
				Time: time.UnixMilli(1).UTC(), Value: value(10_000),
			})
		}
		want = append(want, row)
	}
	if err := s.Put(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	n := 0
	for row, err := range s.Scan(t.Context(), rowstore.Range{}) {
		if err != nil || len(row.Cells) != 300 || !bytes.Equal(row.Cells[299].Value, want[n].Cells[299].Value) {
			t.Fatalf("%d cells, %v", len(row.Cells), err)
		}
		n++
	}
	small := open(t, master, Options{Table: s.o.Table, ScanBytes: 100_000, MaxRow: 1 << 20})
	for _, err := range small.Scan(t.Context(), rowstore.Range{}) {
		if err == nil || !strings.Contains(err.Error(), "limit") {
			t.Errorf("a row of 3 MB, of at most 1: %v", err)
		}
	}
	if n != 2 {
		t.Errorf("%d rows", n)
	}
	// A limit on the row that a reader holds does not stop its removal.
	if err := small.Delete(t.Context(), "k1", time.Time{}); err != nil {
		t.Errorf("a row of 3 MB is not removed: %v", err)
	}
	if row, err := s.Get(t.Context(), "k1", rowstore.Range{}); err != nil || len(row.Cells) > 0 {
		t.Errorf("%d cells of the removed row, %v", len(row.Cells), err)
	}
}

// allParts returns the keys and the number of cells of a scan, and checks the parts of the row k2.
func allParts(t *testing.T, s *Store, r rowstore.Range) (keys string, cells int, err error) {
	t.Helper()
	seen := map[string]bool{}
	for row, err := range s.Scan(t.Context(), r) {
		if err != nil {
			return keys, cells, err
		}
		keys += row.Key + " "
		times := map[time.Time]int{}
		for _, c := range row.Cells {
			times[c.Time]++
			if name := row.Key + c.Family + c.Qualifier; seen[name] {
				t.Errorf("the cell %s is there twice", name)
			} else {
				seen[name] = true
			}
		}
		for at, n := range times {
			if row.Key == "k2" && n != 2*max(1, 2-len(r.Families)) {
				t.Errorf("%d cells of %v in a part", n, at)
			}
		}
		cells += len(row.Cells)
	}
	return keys, cells, nil
}

// testParts: readers that allow it get a row that is too large in parts, each with all cells of some times.
func testParts(t *testing.T, master string) {
	s := open(t, master, Options{ScanBytes: 100_000, MaxRow: 1 << 20})
	wide := rowstore.Row{Key: "k2"}
	for i := range 60 {
		for _, f := range []string{"a", "b"} {
			wide.Cells = append(wide.Cells, rowstore.Cell{
				Family: f, Qualifier: fmt.Sprintf("%02d", i), Time: time.UnixMilli(int64(1 + i/2)).UTC(),
				Value: value(20_000),
			})
		}
	}
	narrow := func(key string) rowstore.Row {
		return rowstore.Row{Key: key, Cells: []rowstore.Cell{
			{Family: "a", Qualifier: "x", Time: time.UnixMilli(1).UTC(), Value: []byte(key)},
		}}
	}
	if err := s.Put(t.Context(), []rowstore.Row{narrow("k1"), wide, narrow("k3")}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		r     rowstore.Range
		keys  string
		cells int
	}{
		{"all", rowstore.Range{}, "k1 k2 k2 k2 k2 k2 k3 ", 122},
		{"a family", rowstore.Range{Families: []string{"b"}}, "k2 k2 k2 ", 60},
		{"a time", rowstore.Range{Since: time.UnixMilli(11)}, "k2 k2 k2 k2 ", 80},
		{"one row", rowstore.Range{Span: rowstore.Span{From: "k2"}, Limit: 1}, "k2 k2 k2 k2 k2 ", 120},
		{"two rows", rowstore.Range{Limit: 2}, "k1 k2 k2 k2 k2 k2 ", 121},
		{"a filter", rowstore.Range{Where: rowstore.Column{Family: "a", Qualifier: "00"}}, "k2 k2 k2 k2 k2 ", 120},
	} {
		tt.r.Versions, tt.r.Parts = -1, true
		if keys, cells, err := allParts(t, s, tt.r); keys != tt.keys || cells != tt.cells || err != nil {
			t.Errorf("%s: %q with %d cells, %v; want %q with %d", tt.name, keys, cells, err, tt.keys, tt.cells)
		}
	}
	if _, _, err := allParts(t, s, rowstore.Range{Versions: -1}); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("without Parts: %v", err)
	}
	huge := rowstore.Row{Key: "k4"}
	for i := range 120 {
		huge.Cells = append(huge.Cells, rowstore.Cell{
			Family: "a", Qualifier: fmt.Sprintf("%03d", i), Time: time.UnixMilli(5).UTC(), Value: value(20_000),
		})
	}
	if err := s.Put(t.Context(), []rowstore.Row{huge}); err != nil {
		t.Fatal(err)
	}
	_, n, err := allParts(t, s, rowstore.Range{Versions: -1, Parts: true})
	if n != 122 || err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("a time that is too large: %d cells, %v", n, err)
	}
}

// testDatabase: collections of package odm over tables of the cluster.
func testDatabase(t *testing.T, master string) {
	db := &Database{Options: Options{Masters: []string{master}, RetryTimeout: 10 * time.Second}}
	defer func() { _ = db.Close() }() // the test is over by then
	type v struct{ *odm.RowVersion }
	c := odm.NewCollection[string, v](db, func(s *odm.RowSchema) { s.AddColumn("n", "metadata", odm.Long) })
	name := fmt.Sprintf("odm%d_%d", os.Getpid(), tables.Add(1))
	if err := c.UseTable(t.Context(), name); err == nil {
		t.Error("a table is used that is not there")
	}
	if err := c.CreateTable(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	row := c.NewRow("http://example.com/")
	for n := range 3 {
		if err := row.CreateRowVersion(time.UnixMilli(int64(n))).SetQualifierValue("metadata", "n", int64(n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Put(t.Context(), row); err != nil {
		t.Fatal(err)
	}
	got, ok, err := c.At(t.Context(), "http://example.com/", time.UnixMilli(1))
	if err != nil || !ok || odm.Get[int64](got.RowVersion, "metadata", "n") != 1 {
		t.Errorf("%v, %v", ok, err)
	}
}

// TestKilled kills the cluster while rows are written and starts it again: the writer waits, and all is there that it
// was told is.
func TestKilled(t *testing.T) {
	slow(t)
	cluster := servertest.StartHBase(t)
	s := open(t, cluster.Master, Options{RetryTimeout: 3 * time.Minute}, key(500))
	const batches, of = 60, 100
	body := value(20_000)
	want := memory.New()
	var put atomic.Int64
	failed := make(chan error, 1)
	go func() {
		for b := range batches {
			var rows []rowstore.Row
			for i := range of {
				rows = append(rows, rowstore.Row{
					Key:   key(b*of + i),
					Cells: []rowstore.Cell{{Family: "b", Qualifier: "content", Time: time.UnixMilli(1), Value: body}},
				})
			}
			if err := s.Put(t.Context(), rows); err != nil {
				failed <- err
				return
			}
			_ = want.Put(t.Context(), rows)
			put.Add(1)
		}
		failed <- nil
	}()
	for put.Load() < batches/3 {
		time.Sleep(10 * time.Millisecond)
	}
	cluster.Kill()
	before := put.Load()
	cluster.Restart()
	if err := <-failed; err != nil {
		t.Fatal(err)
	}
	if before == batches {
		t.Error("all was written before the cluster was killed")
	}
	n := 0
	for row, err := range s.Scan(t.Context(), rowstore.Range{}) {
		if err != nil {
			t.Fatal(err)
		}
		if len(row.Cells) != 1 || !bytes.Equal(row.Cells[0].Value, body) {
			t.Fatalf("row %q", row.Key)
		}
		n++
	}
	if n != batches*of {
		t.Errorf("%d rows are there, and %d were written; the cluster was killed after %d batches of %d", n, batches*of,
			before, of)
	}
}

// TestHang: calls of a server that accepts and never answers fail in time.
func TestHang(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }() // the test is over by then
	s, err := Open(Options{
		Masters: []string{l.Addr().String()}, Table: "t", CallTimeout: 100 * time.Millisecond,
		RetryTimeout: 300 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // the test is over by then
	began := time.Now()
	if _, err := s.Get(t.Context(), "k", rowstore.Range{}); err == nil || time.Since(began) > 3*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add([]byte("\x02\x08\x01\x00"))
	header := message(nil).num(1, 7).bytes(3, message(nil).num(1, 4))
	f.Add(append(protowire.AppendBytes(nil, header), 0, 0, 0, 0, 0))
	f.Add(protowire.AppendBytes(nil, message(nil).num(1, 7).bytes(2,
		message(nil).text(1, "a.b.NotServingRegionException").text(2, "a.b.X: y\n at"))))
	row := appendCell(nil, "k", typePut, rowstore.Cell{
		Family: "f", Qualifier: "q", Time: time.UnixMilli(1),
		Value: []byte("v"),
	})
	answer := protowire.AppendBytes(nil, message(nil).num(1, 7).bytes(3, message(nil).num(1, uint64(len(row)))))
	f.Add(append(protowire.AppendBytes(answer, message(nil).num(1, 1).num(2, 9).num(4, 60000)), row...))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, a, err := parseAnswer(b)
		if err != nil {
			return
		}
		x := &regionScanner{}
		parts, err := x.parse(a)
		_, _ = numbers(nil, 0, a.param)
		_, _, _ = parseProcedure(a.param)
		_, _, _ = parseResult(a.param)
		_, _ = parseServer(a.param)
		m := &multi{s: &Store{}, regions: []*regionRows{{region: &region{}, rows: []rowstore.Row{{Key: "k"}}}}}
		_ = m.parse(a.param)
		if err == nil {
			for _, p := range parts {
				_, _ = parseRegion(p.Row)
			}
		}
	})
}

func FuzzDecodeRow(f *testing.F) {
	b, err := EncodeRow(rowstore.Row{
		Key:   "k",
		Cells: []rowstore.Cell{{Family: "f", Qualifier: "q", Time: time.UnixMilli(1), Value: []byte("v")}},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		row, err := DecodeRow(b)
		if err != nil || row.Key == "" {
			return
		}
		again, err := EncodeRow(row)
		if err != nil {
			return // a key or a family that is not to be written
		}
		if back, err := DecodeRow(again); err != nil || back.Key != row.Key || len(back.Cells) != len(row.Cells) {
			t.Errorf("%q is read as %v, and then as %v, %v", b, row, back, err)
		}
	})
}

// BenchmarkStore writes and reads rows of 20 kB of a real cluster.
func BenchmarkStore(b *testing.B) {
	master := start(b)
	const rows = 2000
	for _, name := range []string{"put", "scan", "get"} {
		b.Run(name, func(b *testing.B) {
			s := open(b, master, Options{RetryTimeout: time.Minute})
			if name != "put" {
				fill(b, s, rows, 20_000)
			}
			n := 0
			for b.Loop() {
				switch name {
				case "put":
					fill(b, s, rows, 20_000)
				case "scan":
					for _, err := range s.Scan(b.Context(), rowstore.Range{}) {
						if err != nil {
							b.Fatal(err)
						}
					}
				case "get":
					for i := range 200 {
						if _, err := s.Get(b.Context(), key(i), rowstore.Range{}); err != nil {
							b.Fatal(err)
						}
					}
					n += 200 - rows
				}
				n += rows
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
