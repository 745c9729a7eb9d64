package linkgraph

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTally_asBuilder: a tally makes the same graph as the builder, also if it has to give it some counts.
func TestTally_asBuilder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	name := func() string {
		n := r.IntN(60)
		return fmt.Sprintf([]string{"www.h%d.example", "h%d.co.uk", "192.0.2.%d"}[n%3], n)
	}
	for _, memory := range []int64{1 << 20, 100 << 10} {
		o := Options{TempDir: t.TempDir(), Memory: memory}
		b, c := NewBuilder(o), NewBuilder(o)
		tally := c.Tally()
		for range 5000 {
			from, to, year, n := name(), name(), r.IntN(3)*2010, int64(1+r.IntN(4))
			if from == to {
				continue
			}
			if err := b.Count(from, to, year, n); err != nil {
				t.Fatal(err)
			}
			x, err := tally.Host(from)
			y, failed := tally.Host(to)
			if err := errors.Join(err, failed, tally.Count(x, y, year, n)); err != nil {
				t.Fatal(err)
			}
		}
		if moved := memory < 1<<20; tally.moved != moved {
			t.Errorf("memory of %d bytes: moved %v", memory, tally.moved)
		}
		if _, err := tally.Host("alone.example"); err != nil {
			t.Fatal(err)
		}
		var files [2]bytes.Buffer
		var links [2]int64
		for i, hosts := range []func() (*Graph, error){b.Hosts, tally.Hosts} {
			g, err := hosts()
			if err != nil {
				t.Fatal(err)
			}
			links[i] = g.Links
			if err := g.WriteAs(&files[i], FormatGEXF); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(files[0].String(), files[1].String()); diff != "" || links[0] != links[1] {
			t.Errorf("memory of %d bytes: %s", memory, diff)
		}
		if b.Links != c.Links {
			t.Errorf("memory of %d bytes: %d and %d links", memory, b.Links, c.Links)
		}
		if err := errors.Join(b.Close(), c.Close()); err != nil {
			t.Error(err)
		}
	}
}

// TestTally_hosts: the number of hosts is limited.
func TestTally_hosts(t *testing.T) {
	b := NewBuilder(Options{TempDir: t.TempDir(), Memory: 16 << 10})
	defer func() { _ = b.Close() }() // the test is over
	tally := b.Tally()
	var err error
	for i := 0; i < 1000 && err == nil; i++ {
		_, err = tally.Host(fmt.Sprint(i))
	}
	if !errors.Is(err, ErrHosts) {
		t.Errorf("1,000 hosts: %v", err)
	}
}

func BenchmarkTally(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		builder := NewBuilder(Options{TempDir: b.TempDir()})
		t, r := builder.Tally(), rand.New(rand.NewPCG(1, 2))
		for i := range 2000 {
			if _, err := t.Host(fmt.Sprintf("h%d.example", i)); err != nil {
				b.Fatal(err)
			}
		}
		for range 100_000 {
			if err := t.Count(r.Uint32N(2000), r.Uint32N(2000), 2020, 1); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := t.Hosts(); err != nil {
			b.Fatal(err)
		}
	}
}
