package schemas

import (
	"reflect"
	"testing"
)

func TestCounts_document(t *testing.T) {
	var c Counts
	c.Document(&Document{
		Timestamp: "2024-12-23T15:01:00Z", Status: 200, MIMEDetected: "text/html", Language: "fr", PageType: "article",
		Text: "x", TemplateBlocks: 2,
	})
	c.Document(&Document{Timestamp: "yesterday"})
	want := Counts{
		Documents: 2, Texts: 1, TemplateBlocks: 2,
		ByMIME: map[string]int64{"text/html": 1, "unknown": 1}, ByLang: map[string]int64{"fr": 1},
		ByYear: map[string]int64{"2024": 1, None: 1}, ByStatus: map[string]int64{"200": 1, None: 1},
		ByPageType: map[string]int64{"article": 1, None: 1},
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("counts = %+v, want %+v", c, want)
	}
}

// TestCounts_forget: what was counted can be taken out again, and what an earlier version did not count does no harm.
func TestCounts_forget(t *testing.T) {
	d := &Document{Timestamp: "2024-12-23T15:01:00Z", Status: 404, Text: "x", Language: "de"}
	var c, before Counts
	c.Document(d)
	c.Document(d)
	c.Forget(d)
	before.Document(d)
	if !reflect.DeepEqual(c, before) {
		t.Errorf("one of two forgotten: %+v, want %+v", c, before)
	}
	old := Counts{Documents: 1, ByMIME: map[string]int64{"unknown": 1}}
	old.Forget(d)
	if old.Documents != 0 || old.Texts != 0 || len(old.ByMIME) != 0 || len(old.ByYear) != 0 {
		t.Errorf("counts of an earlier version: %+v", old)
	}
}

func TestUnreadOf(t *testing.T) {
	units := []UnitResult{
		{Unit: Unit{Inputs: []Range{
			{File: "a.warc", End: 9, Next: 9, Format: "warc+plain"},
			{File: "note.txt"},
			{File: "b.warc", End: 9, Next: 9, Unreadable: "permission denied"},
			{File: "adopted.parquet", End: 9},
			{File: "pages", End: 9, Next: 9, Group: &Group{}},
			{File: "topic/0", End: 9, Next: 9, Format: FormatTopic},
		}}},
		{Unit: Unit{Inputs: []Range{{File: "b.warc", Start: 9, End: 18, Next: 18, Unreadable: "gone"}}}},
	}
	want := &Unread{Files: 2, First: []UnreadFile{
		{"note.txt", "no record of a known format was found"}, {"b.warc", "permission denied"},
	}}
	if got := UnreadOf(units); !reflect.DeepEqual(got, want) {
		t.Errorf("UnreadOf = %+v, want %+v", got, want)
	}
	if got := UnreadOf(units[:0]); got != nil {
		t.Errorf("UnreadOf nothing = %+v, want nil", got)
	}
}
