package query

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestAboutTrends: there is a row for each period and line. Numbers are the same by the index and by the shards. Those
// of terms are the same without a topic.
func TestAboutTrends(t *testing.T) {
	out := "--collection=" + collect(t, archives(t))
	const about = "--about=planting grass against erosion by the sea"
	_, list, errs := command(t, out, about, "--by=month", "--format=csv")
	rows := strings.Split(strings.TrimSpace(list), "\r\n")
	if rows[0] != "month,series,captures,of" || !strings.Contains(list, ",near,") ||
		!strings.Contains(errs, "bound=0.35") {
		t.Fatalf("%s%s", list, errs)
	}
	near := 0
	for _, row := range rows[1:] {
		n, err := strconv.Atoi(strings.Split(row, ",")[2])
		if err != nil {
			t.Fatal(err)
		}
		near += n
	}
	if near == 0 {
		t.Errorf("nothing is near: %s%s", list, errs)
	}
	_, shards, _ := command(t, out, about, "--by=month", "--format=csv", "--no_index")
	if shards != list {
		t.Errorf("by the shards:\n%s, by the index:\n%s", shards, list)
	}
	same := []string{out, "--trends=harbour", "--by=month", "--format=csv", "--where=text:*"}
	_, words, _ := command(t, same...)
	_, both, _ := command(t, append(same, about, "--all_versions")...)
	for _, row := range strings.Split(strings.TrimSpace(words), "\r\n")[1:] {
		if !strings.Contains(both, row) {
			t.Errorf("with a topic, %q is missing from\n%s", row, both)
		}
	}
	_, none, errs := command(t, out, about, "--by=year", "--near=0.999", "--format=csv")
	if strings.Contains(strings.ReplaceAll(none, ",near,0,", ""), ",near,") ||
		!strings.Contains(errs, "No capture is near") {
		t.Errorf("nothing should be near: %s%s", none, errs)
	}
	_, _, errs = command(t, out, about, "--by=year", "--where=status = 299")
	if !strings.Contains(errs, "No capture with a text") {
		t.Errorf("without a capture: %s", errs)
	}
}

func TestAboutTrends_usage(t *testing.T) {
	for _, args := range [][]string{
		{"--about=a", "--by=lang"},
		{"--about=a", "--by=year,month"},
		{"--about=a", "--trends=,"},
		{"--about=a", "--by=year", "--near=2"},
		{"--about=a", "--by=year", "--near=-1"},
		{"--about=a", "--by=year", "--near=0"},
		{"--about=a", "--by=year", "--near=NaN"},
		{"--about=a", "--by=year", "--near=x"},
		{"--about=a", "--near=0.5"},
		{"--trends=a", "--near=0.5"},
		{"--near=0.5"},
		{"--about=?!", "--by=year"},
		{"--about=a", "--by=year", "--at=2020"},
		{"--about=a", "--by=year", "--sources=s.sqlite"},
		{"--about=a", "--by=year", "--format=warc"},
		{"--about=a", "--by=year", "--fields=url"},
		{"--about=a", "--by=year", "--runner=prism"},
	} {
		if code, text, _ := command(t, slices.Concat([]string{"--collection=out"}, args)...); code != cli.ExitUsage {
			t.Errorf("%v: exit code %d, %s", args, code, text)
		}
	}
}
