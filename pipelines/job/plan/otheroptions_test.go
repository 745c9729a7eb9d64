package plan_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// TestSchedule_otherOptions: a command that keeps units logs the options in which they differ from the command's.
func TestSchedule_otherOptions(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(c *plan.Request)
		want   string
	}{
		{
			"an extractor", func(c *plan.Request) { c.Extract = []string{"mime", "text"} },
			"(--extract: text here, not there)",
		},
		{
			"a format", func(c *plan.Request) { c.Formats = []string{"jsonl", "parquet", "cdxj"} },
			"(--format: parquet here, not there)",
		},
		{
			"a custom field", func(c *plan.Request) { c.Select = []enrich.Field{{Name: "price", CSS: "b"}} },
			"(--select: price=b here, not there)",
		},
		{
			"two at a time", func(c *plan.Request) {
				c.Extract, c.Triggers = []string{"mime", "text"}, map[string]string{"text": "status = 200"}
			}, "(--extract: text here, not there; --extractors: text=status = 200 here, not there)",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShelf(t)
			s.put("a", "a", 30)
			s.run(plan.Schedule{})
			s.put("b", "b", 2)
			for _, again := range []plan.Schedule{{Stale: true}, {OnlyNew: true}, {Since: "7d"}} {
				c := s.config(again)
				tt.change(&c)
				_, err := plan.Make(t.Context(), c)
				if err == nil || !isUsage(err) || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%+v: %v, want %s", again, err, tt.want)
				}
			}
		})
	}
}
