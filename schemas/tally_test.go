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

// TestCounts_setDocuments: exactly the counts of Document are replaced. So a count that is added there and forgotten
// here is found.
func TestCounts_setDocuments(t *testing.T) {
	d := &Document{Timestamp: "2024-12-23T15:01:00Z", Status: 404, Text: "x", Language: "de", TemplateBlocks: 1}
	twice, once := Counts{Captures: 2, Rejects: 1}, Counts{}
	twice.Document(d)
	twice.Document(d)
	once.Document(d)
	twice.SetDocuments(once)
	if once.Captures, once.Rejects = 2, 1; !reflect.DeepEqual(twice, once) {
		t.Errorf("counts = %+v, want %+v", twice, once)
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
