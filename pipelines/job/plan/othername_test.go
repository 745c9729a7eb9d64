package plan_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/job/plan"
)

// TestMake_neighbourByOtherName: a and b are one unit, and b is gone. Whether a has changed does not depend on how the
// commands name it, nor on where they run.
func TestMake_neighbourByOtherName(t *testing.T) {
	for _, tt := range []struct {
		name, first, then string
		change            bool
		want              string
	}{
		{name: "relative, elsewhere", first: ".", then: "whole"},
		{name: "relative, elsewhere, copied", first: ".", then: "link"},
		{name: "by a link", first: "whole", then: "link"},
		{name: "no more by a link", first: "link", then: "whole"},
		{name: "changed, relative, elsewhere", first: ".", then: "whole", change: true, want: "has changed"},
		{name: "changed, by a link", first: "whole", then: "link", change: true, want: "has changed"},
		{name: "changed, no more by a link", first: "link", then: "whole", change: true, want: "has changed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShelf(t)
			s.put("a", "a", 30)
			s.put("b", "b", 30)
			s.put("c", strings.Repeat("c", 10<<10), 30)
			link, elsewhere := filepath.Join(t.TempDir(), "link"), t.TempDir()
			if err := os.Symlink(s.in, link); err != nil {
				t.Fatal(err)
			}
			names := map[string]string{".": ".", "whole": s.in, "link": link}
			c := s.config(plan.Schedule{})
			c.Inputs, c.UnitSize = []string{names[tt.first]}, 5<<10
			t.Chdir(s.in)
			makeRun(t, c)
			t.Chdir(elsewhere)
			if err := os.Remove(filepath.Join(s.in, "b.warc")); err != nil {
				t.Fatal(err)
			}
			if tt.change {
				s.put("a", "other", 20)
			} else if err := os.Chtimes(filepath.Join(s.in, "a.warc"), time.Time{}, time.Now()); err != nil {
				t.Fatal(err)
			}
			c.Inputs = []string{names[tt.then]}
			_, err := plan.Make(t.Context(), c)
			if (err == nil) != (tt.want == "") || err != nil && (!isUsage(err) || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}
