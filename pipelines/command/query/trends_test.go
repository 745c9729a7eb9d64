package query

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestTrends: trends are the counts of the same filters, in each format, by the index and by the shards.
func TestTrends(t *testing.T) {
	out := "--collection=" + collect(t, archives(t))
	_, list, errs := command(t, out, "--trends=harbour, language = fr", "--by=month", "--format=csv")
	rows := strings.Split(strings.TrimSpace(list), "\r\n")
	if len(rows) < 5 || rows[0] != "month,series,captures,of" {
		t.Fatalf("%s%s", list, errs)
	}
	total := 0
	for _, row := range rows[1:] {
		cells := strings.Split(row, ",")
		if cells[0] == "" {
			continue
		}
		where := "--where=(" + cells[1] + ") AND timestamp = " + cells[0]
		_, n, _ := command(t, out, where, "--all_versions", "--format=count")
		if strings.TrimSpace(n) != cells[2] {
			t.Errorf("%s: the count is %s", row, n)
		}
		total += len(cells[2])
	}
	if total == 0 {
		t.Error("no counts")
	}
	_, other, _ := command(t, out, "--trends=harbour, language = fr", "--by=month", "--format=csv", "--no_index")
	if diff := cmp.Diff(list, other); diff != "" {
		t.Errorf("-index +shards:\n%s", diff)
	}
	_, lines, _ := command(t, out, "--trends=harbour", "--where=language = fr", "--format=jsonl")
	if !strings.HasPrefix(lines, `{"year":"20`) || !strings.Contains(lines, `"series":"harbour","captures":`) {
		t.Errorf("JSON lines: %s", lines)
	}
}

func TestTrends_usage(t *testing.T) {
	for _, args := range [][]string{
		{"--trends=,"},
		{"--trends=a", "--by=lang"},
		{"--trends=a", "--by=year,month"},
		{"--trends=nope = 1"},
		{"--trends=a", "--sql=select 1"},
		{"--trends=a", "--format=warc"},
		{"--trends=a,b,c,d,e,f,g"},
		{"--trends=a", "--runner=prism"},
	} {
		if code, text, _ := command(t, slices.Concat([]string{"--collection=out"}, args)...); code != cli.ExitUsage {
			t.Errorf("%v: exit code %d, %s", args, code, text)
		}
	}
}
