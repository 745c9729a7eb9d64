package parquetfile

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestAttack16_datesAreTimestamps: published and modified are timestamps, with the text if it says more. Dates of all
// kinds are read as written, and no date fails the file.
func TestAttack16_datesAreTimestamps(t *testing.T) {
	tests := []struct{ in, time, text string }{ // time: "" for null
		{"", "", ""},
		{"2024-05-17T12:00:00Z", "2024-05-17T12:00:00Z", ""},
		{"2024-05-17T12:00:00.25Z", "2024-05-17T12:00:00.25Z", ""},
		{"2024-05-17", "2024-05-17T00:00:00Z", "2024-05-17"},
		{"2024-05-17T12:00:00+02:00", "2024-05-17T10:00:00Z", "2024-05-17T12:00:00+02:00"},
		{"2024-01-01T00:30:00+14:00", "2023-12-31T10:30:00Z", "2024-01-01T00:30:00+14:00"},
		{"2024-05-17T12:00:00.123456Z", "2024-05-17T12:00:00.123456Z", ""},
		{"2024-05-17T12:00:00.1234567Z", "2024-05-17T12:00:00.123456Z", "2024-05-17T12:00:00.1234567Z"},
		{"1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5Z", ""},
		{"1678-01-01", "1678-01-01T00:00:00Z", "1678-01-01"},
		{"1455-02-23T00:00:00Z", "", "1455-02-23T00:00:00Z"},
		{"2262-01-01T00:00:00Z", "", "2262-01-01T00:00:00Z"},
		{"2016-12-31T23:59:60Z", "", "2016-12-31T23:59:60Z"},
		{"2024-05-17T12:00:00", "", "2024-05-17T12:00:00"},
		{"0000-01-01", "", "0000-01-01"},
		{"0001-01-01T00:00:00Z", "", "0001-01-01T00:00:00Z"},
		{"0001-01-01T00:00:00+14:00", "", "0001-01-01T00:00:00+14:00"},
		{"9999-12-31T23:59:59-12:00", "", "9999-12-31T23:59:59-12:00"},
		{"12023-01-01", "", "12023-01-01"},
		{"2024-02-30", "", "2024-02-30"},
		{"soon", "", "soon"},
	}
	var docs []*schemas.Document
	for _, tt := range tests {
		docs = append(docs, &schemas.Document{URL: "http://a.example/", Published: tt.in, Modified: tt.in})
	}
	file := write(t, Options{}, docs)
	if diff := cmp.Diff(docs, read(t, file)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	rows, err := parquet.Read[struct {
		Published     *time.Time `parquet:"published,optional,timestamp(microsecond:utc)"`
		PublishedText *string    `parquet:"published_text,optional"`
		Modified      *time.Time `parquet:"modified,optional,timestamp(microsecond:utc)"`
		ModifiedText  *string    `parquet:"modified_text,optional"`
	}](bytes.NewReader(file), int64(len(file)))
	if err != nil || len(rows) != len(tests) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, tt := range tests {
		for name, got := range map[string]struct {
			time *time.Time
			text *string
		}{"published": {rows[i].Published, rows[i].PublishedText}, "modified": {rows[i].Modified, rows[i].ModifiedText}} {
			stamp, text := "", ""
			if got.time != nil {
				stamp = got.time.UTC().Format(time.RFC3339Nano)
			}
			if got.text != nil {
				text = *got.text
			}
			if stamp != tt.time || text != tt.text {
				t.Errorf("%s of %q is %q with text %q, want %q with %q", name, tt.in, stamp, text, tt.time, tt.text)
			}
		}
	}
}
