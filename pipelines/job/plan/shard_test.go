package plan_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/job/plan"
)

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
