package plan_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/job/plan"
)

// TestMake_shardByOtherName: a folder's archive is known by any of its names, and in any place of a unit.
func TestMake_shardByOtherName(t *testing.T) {
	s := newShelf(t)
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		s.put(name, name, 30)
	}
	c := s.config(plan.Schedule{})
	c.Shard = plan.Shard{I: 1, N: 2}
	makeRun(t, c)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(s.in, link); err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(c *plan.Request){
		func(c *plan.Request) { c.Inputs = []string{link} },
		func(c *plan.Request) { c.Inputs = []string{s.in + "/../" + filepath.Base(s.in)} },
		func(c *plan.Request) { c.UnitSize = 1 << 20 }, // several archives a unit
	} {
		c := s.config(plan.Schedule{})
		c.Shard = plan.Shard{I: 2, N: 2}
		change(&c)
		p, err := plan.Make(t.Context(), c)
		if err == nil && len(p.Units) > 0 || err != nil && !isUsage(err) {
			t.Errorf("%v: %v, want a refusal", c.Inputs, err)
		}
	}
}

// TestMake_shardOfOthers: a shard is not made in a folder that has archives of another shard, which it would remove.
func TestMake_shardOfOthers(t *testing.T) {
	first, second := plan.Shard{I: 1, N: 2}, plan.Shard{I: 2, N: 2}
	for _, tt := range []struct {
		name       string
		first, now plan.Shard
		come       string // an archive that came in between
		keep       plan.Keeping
		fresh      bool
		want       string
	}{
		{name: "the same", first: first, now: first},
		{name: "the next", first: first, now: second, want: "in shard 1 of 2"},
		{name: "of all", now: first, want: "in shard 2 of 2"},
		{name: "of more", first: first, now: plan.Shard{I: 1, N: 4}, want: "in shard 3 of 4"},
		{name: "added", first: first, now: second, keep: plan.Keeping{Add: true}, want: "shard"},
		{name: "an archive before", first: first, now: first, come: "0", want: "in shard 2 of 2"},
		{name: "an archive behind", first: first, now: first, come: "z"},
		{name: "all after one", first: first},
		{name: "fresh", first: first, now: second, fresh: true},
		{name: "pruned", first: first, now: second, keep: plan.Keeping{Prune: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShelf(t)
			for _, name := range []string{"a", "b", "c", "d"} {
				s.put(name, name, 30)
			}
			c := s.config(plan.Schedule{})
			c.Shard = tt.first
			makeRun(t, c)
			if tt.come != "" {
				s.put(tt.come, tt.come, 1)
			}
			c = s.config(plan.Schedule{})
			c.Shard, c.Keep, c.Fresh = tt.now, tt.keep, tt.fresh
			_, err := plan.Make(t.Context(), c)
			if (err == nil) != (tt.want == "") || err != nil && (!isUsage(err) || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}
