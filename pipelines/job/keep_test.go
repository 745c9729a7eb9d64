package job

import (
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/job/plan"
)

// TestAttack01_replacedUnitsStayUntilTheRunEnds: a run that redoes units and is killed has removed none of them.
func TestAttack01_replacedUnitsStayUntilTheRunEnds(t *testing.T) {
	d := newDays(t)
	d.put("day1/a", "day1/b")
	c := dayConfig(d, "day1")
	c.UnitSize, c.Compression, c.Workers = 64<<20, "zstd", 1
	makeRun(t, c)
	before := contents(t, d.out)
	d.remove("out/report.json")
	c.Extract = []string{"mime", "charset"}
	p, err := plan.Make(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	o, err := jobOf(p)
	if err != nil {
		t.Fatal(err)
	}
	f := o.Folder(t.Context())
	defer closeFile(t, f)
	out, err := p.Open(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Resume(t.Context(), out, "", o.Made)
	if err != nil || len(r.Todo) == 0 {
		t.Fatal(r, err)
	}
	closeFile(t, out) // killed before a unit was done
	time.Sleep(10 * time.Millisecond)
	d.remove("day1/a.warc")
	if m := makeRun(t, c); m.Totals.Documents != 2 {
		t.Errorf("the folder holds %d documents, want the 2 that it held", m.Totals.Documents)
	}
	for name, text := range before {
		if now := contents(t, d.out)[name]; strings.HasPrefix(name, "documents") && now != text {
			t.Errorf("%s has changed", name)
		}
	}
}
