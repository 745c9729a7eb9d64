package corpus

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
)

// TestCheckNeeds_someUnits: a collection is refused if all units lack a column. If only some do, opt-outs and
// blocked values are still refused, and for other columns the number is said.
func TestCheckNeeds_someUnits(t *testing.T) {
	const (
		lacks = `{"documents": 2, "made_with": {"extract": ["text"]}}`
		has   = `{"documents": 2, "made_with": {"extract": ["text", "rights", "metadata", "language", "quality"]}}`
		empty = `{"made_with": {"extract": ["text"]}}`
		own   = `{"documents": 2}`
		old   = `{"documents": 2, "made_with": {}}`
		none  = `{"documents": 2, "made_with": {"extract": ["text", "rights"], "text": "none"}}`
	)
	for _, tt := range []struct {
		column string // with a ! if the filter blocks
		units  []string
		err    string // a part of the error, or "" for none
		warn   string // a part of the warning
	}{
		{"rights", []string{lacks, has}, "1 of 2 units were made without it", ""},
		{"rights", []string{has, has, lacks, lacks}, "2 of 4 units", ""},
		{"rights", []string{has, own}, "1 of 2 units", ""},
		{"rights", []string{lacks, lacks}, "which is not extracted", ""},
		{"rights", []string{own}, "which is not extracted", ""},
		{"rights", nil, "which is not extracted", ""},
		{"rights", []string{has, empty}, "", ""},
		{"rights", []string{has, old}, "", ""},
		{"rights", []string{has}, "", ""},
		{"title", []string{has, lacks}, "", "column=title for=where units=1 of=2"},
		{"language", []string{lacks, lacks, has}, "", "column=language for=where units=2 of=3"},
		{"text", []string{none, has}, "", "column=text for=where units=1 of=2"},
		{"text", []string{none, none}, "which --text=none left out", ""},
		{"quality.words", []string{has, empty}, "", ""},
		{"!title", []string{has, lacks}, "1 of 2 units were made without it", ""},
		{"!title", []string{has, empty}, "", ""},
		{"!title", []string{lacks, lacks}, "which is not extracted", ""},
		{"!language", []string{has, has}, "", ""},
	} {
		column, blocks := strings.CutPrefix(tt.column, "!")
		var m schemas.Manifest
		text := `{"options": {"extract": ["text"]}, "units": [` + strings.Join(tt.units, ",") + `]}`
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		before := slog.Default()
		slog.SetDefault(slog.New(slog.NewTextHandler(&said, nil)))
		err := checkNeeds("out", m, []filter.Need{{Filter: "where", Column: column, Blocks: blocks}})
		slog.SetDefault(before)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, tt.err) || (got == "") != (tt.err == "") {
			t.Errorf("%s of %v: error %q, want %q", tt.column, tt.units, got, tt.err)
		}
		if !strings.Contains(said.String(), tt.warn) || (said.Len() == 0) != (tt.warn == "") {
			t.Errorf("%s of %v: said %q, want %q", tt.column, tt.units, said.String(), tt.warn)
		}
	}
}
