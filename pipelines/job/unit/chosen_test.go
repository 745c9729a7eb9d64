package unit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestChosen: what needs only the capture refuses it before extraction, and the rest of a filter afterwards.
func TestChosen(t *testing.T) {
	menu := &schemas.Document{Title: "Menu du jour"}
	for _, tt := range []struct {
		where         string
		sample        int64
		before, after string
	}{
		{"", 0, "", ""},
		{"", 1_000_000, "", ""},
		{"", 1, "sample", ""}, // a page in a million
		{"status = 200", 0, "", ""},
		{"status = 404", 0, "where", ""},
		{"host = *.example.org", 0, "where", ""},
		{"title:menu", 0, "", ""},
		{"title:budget", 0, "", "where"},
		{"status = 200 AND title:budget", 0, "", "where"},
		{"status = 404 AND title:menu", 0, "where", ""},
		{"status = 404 OR title:menu", 0, "", ""},
		{"status = 404", 1, "sample", ""}, // which costs less
	} {
		c, err := newChosen(recipe.Recipe{Where: tt.where, Sample: tt.sample})
		if err != nil {
			t.Fatal(err)
		}
		before := c.before(&schemas.Capture{URL: "http://example.com/a", Status: 200})
		if after := c.after(menu); before != tt.before || after != tt.after {
			t.Errorf("%q, sample %d: %q before and %q after, want %q and %q", tt.where, tt.sample, before, after, tt.before,
				tt.after)
		}
	}
	if _, err := newChosen(recipe.Recipe{Where: "status ="}); err == nil {
		t.Error("a filter that cannot be parsed is taken")
	}
}

// TestJob_leftOver: captures that a filter left out do not count, nor do those taken down.
func TestJob_leftOver(t *testing.T) {
	row := func(captures, takenDown, left int64) schemas.UnitResult {
		var u schemas.UnitResult
		u.Captures, u.TakenDown = captures, takenDown
		if left > 0 {
			u.ByFilter = map[string]int64{leftByWhere: left}
		}
		return u
	}
	for _, tt := range []struct {
		name  string
		limit int64
		units []schemas.UnitResult
		want  int64 // -1 for no limit
	}{
		{"no limit", 0, []schemas.UnitResult{row(9, 0, 0)}, -1},
		{"no units", 5, nil, 5},
		{"some are taken", 5, []schemas.UnitResult{row(2, 0, 0), row(1, 0, 0)}, 2},
		{"some are left out", 5, []schemas.UnitResult{row(9, 0, 6)}, 2},
		{"some are taken down", 5, []schemas.UnitResult{row(9, 6, 0)}, 2},
		{"all are taken", 5, []schemas.UnitResult{row(5, 0, 0)}, 0},
		{"more than the limit", 5, []schemas.UnitResult{row(7, 0, 0)}, 0},
	} {
		got := Job{Recipe: recipe.Recipe{Limit: tt.limit}}.leftOver(tt.units)
		switch {
		case tt.want < 0 && got != nil:
			t.Errorf("%s: %d are left, want no limit", tt.name, *got)
		case tt.want >= 0 && (got == nil || *got != tt.want):
			t.Errorf("%s: %v are left, want %d", tt.name, got, tt.want)
		}
	}
}

// TestPlansOf: records are planned once and in order, for any order of units and for repeated ones.
func TestPlansOf(t *testing.T) {
	segment := func(id, file string, number int, total int64) schemas.Segment {
		offset := map[string]int64{"b": 100}[id]
		return schemas.Segment{OriginID: id, Number: number, Size: 10, Total: total, File: file, Offset: offset}
	}
	one := schemas.UnitResult{Segments: []schemas.Segment{segment("b", "1", 1, 0), segment("a", "1", 1, 0)}}
	two := schemas.UnitResult{Segments: []schemas.Segment{segment("a", "2", 2, 20), segment("b", "2", 2, 20)}}
	want := plansOf([]schemas.UnitResult{one, two})
	if len(want) != 2 || len(want[0].Parts) != 2 || len(want[1].Parts) != 2 {
		t.Fatalf("plans are %+v, want two of two parts", want)
	}
	for name, units := range map[string][]schemas.UnitResult{
		"another order": {two, one}, "a repeated unit": {one, two, one}, "one without segments": {{}, one, two},
	} {
		if diff := cmp.Diff(want, plansOf(units)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	files := filesOf(want)
	if diff := cmp.Diff(map[string]string{"1": "", "2": ""}, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestUnitRun_room: a unit takes so many captures, of those that are not left out.
func TestUnitRun_room(t *testing.T) {
	two := int64(2)
	for _, tt := range []struct {
		take *int64
		want string
	}{{nil, "yyyy"}, {&two, "yynn"}, {new(int64), "nnnn"}} {
		u, got := unitRun{take: tt.take}, ""
		for range tt.want {
			got += map[bool]string{true: "y", false: "n"}[u.room()]
		}
		if got != tt.want {
			t.Errorf("room of %v is %s, want %s", tt.take, got, tt.want)
		}
	}
}

// TestUnitRun_allows: pages taken down are counted and not written, and rejects no longer name them.
func TestUnitRun_allows(t *testing.T) {
	e, err := takedown.Parse("gone.example")
	if err != nil {
		t.Fatal(err)
	}
	var u unitRun
	u.taken.Add([]takedown.Entry{e})
	for url, want := range map[string]bool{"http://gone.example/a": false, "http://here.example/a": true} {
		if got := u.allows(&archive.Item{Capture: &schemas.Capture{URL: url}}); got != want {
			t.Errorf("a capture of %s is allowed: %v, want %v", url, got, want)
		}
		r := schemas.Reject{URL: url}
		if !u.allows(&archive.Item{Reject: &r}) {
			t.Errorf("a reject of %s is not written", url)
		}
		if strings.Contains(r.URL, "gone") {
			t.Errorf("a reject names %s", r.URL)
		}
	}
	if u.counts.TakenDown != 1 {
		t.Errorf("%d captures were taken down, want 1", u.counts.TakenDown)
	}
}
