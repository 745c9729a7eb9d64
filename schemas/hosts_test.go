package schemas

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// zipf adds n documents whose hosts are as unequal as those of the web, and returns how many each really has.
func zipf(n int, seed uint64, add func(host string, n int64)) map[string]int64 {
	z := rand.NewZipf(rand.New(rand.NewPCG(seed, 1)), 1.3, 1, 1<<30)
	exact := map[string]int64{}
	for range n {
		host := fmt.Sprintf("%d.example", z.Uint64())
		exact[host]++
		add(host, 1)
	}
	return exact
}

func TestAttack16_hostsAreExactWhenFew(t *testing.T) {
	c := NewHostCounter(2)
	for _, host := range []string{"b.example", "", "a.example", "c.example", "c.example", "d.example"} {
		c.Add(host, 1)
	}
	want := &Hosts{Distinct: 4, Top: []HostCount{{"c.example", 2}, {"a.example", 1}, {"b.example", 1}, {"d.example", 1}}}
	if diff := cmp.Diff(want, c.All()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := NewHostCounter(2).All(); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
}

// TestAttack16_hostsKeepTheirBounds: for many hosts, no number is too large. None is too small by more than the stated
// error, which is within the documented one. The same is true after merging over units, and again.
func TestAttack16_hostsKeepTheirBounds(t *testing.T) {
	const limit, units, each = 64, 20, 20_000
	run := func() (*Hosts, map[string]int64) {
		exact, all := map[string]int64{}, NewHostCounter(limit)
		for u := range uint64(units) {
			c := NewHostCounter(limit)
			for host, n := range zipf(each, u, c.Add) {
				exact[host] += n
			}
			row, err := json.Marshal(c.All())
			if err != nil {
				t.Fatal(err)
			}
			if len(row) > 10_000 {
				t.Errorf("a row has %d bytes", len(row))
			}
			var h Hosts
			if err := json.Unmarshal(row, &h); err != nil {
				t.Fatal(err)
			}
			all.Merge(h)
		}
		return all.Top(10), exact
	}
	got, exact := run()
	if got.Under <= 0 || got.Under > units*each/limit {
		t.Errorf("under %d, want 1 to %d", got.Under, units*each/limit)
	}
	if off := float64(got.Distinct)/float64(len(exact)) - 1; off < -0.07 || off > 0.07 {
		t.Errorf("%d hosts, want about %d", got.Distinct, len(exact))
	}
	for i, h := range got.Top {
		if h.Documents > exact[h.Host] || h.Documents < exact[h.Host]-got.Under {
			t.Errorf("%d of %s, want at most %d and at least %d", h.Documents, h.Host, exact[h.Host], exact[h.Host]-got.Under)
		}
		if want := fmt.Sprintf("%d.example", i); i < 5 && h.Host != want {
			t.Errorf("host %d is %s, want %s", i, h.Host, want)
		}
	}
	if again, _ := run(); !cmp.Equal(got, again) {
		t.Errorf("not the same again: %s", cmp.Diff(got, again))
	}
	if got.Sketch != nil {
		t.Error("the top has the sketch")
	}
}

// TestHostCounter_estimate: within four standard errors for all sizes, those too where other estimators are biased.
func TestHostCounter_estimate(t *testing.T) {
	c := NewHostCounter(1)
	next := 4
	for i := 1; i <= 300_000; i++ {
		c.sketch(fmt.Sprintf("www.%d.example", i))
		if i != next {
			continue
		}
		next = next * 3 / 2
		if got := float64(c.estimate()); got < float64(i)*0.9-1 || got > float64(i)*1.1+1 {
			t.Errorf("%d hosts are estimated as %v", i, got)
		}
	}
	if got := NewHostCounter(1).estimate(); got != 0 {
		t.Errorf("nothing is estimated as %d", got)
	}
}
