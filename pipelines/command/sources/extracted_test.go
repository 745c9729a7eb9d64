package sources

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

func TestCheckExtracted(t *testing.T) {
	for _, tt := range []struct {
		extract []string
		missing string
	}{
		{enrich.Defaults(), ""},
		{strings.Split(neededBy, ","), ""},
		{[]string{"text", "neardup", "metadata", "feeds"}, ""},
		{[]string{"feeds"}, "metadata, neardup, quality"},
		{[]string{"mime", "feeds", "language"}, "metadata, neardup, quality"},
		{[]string{"feeds", "metadata", "text"}, "neardup"},
		{[]string{"feeds", "neardup", "quality"}, "metadata"},
		{[]string{"feeds", "neardup", "metadata"}, "quality"},
		{nil, "feeds, metadata, neardup, quality"},
	} {
		err := checkExtracted("out", tt.extract)
		if (err != nil) != (tt.missing != "") || err != nil && !strings.Contains(err.Error(), "extractors "+tt.missing+",") {
			t.Errorf("%q: %v, want %q", tt.extract, err, tt.missing)
		}
	}
}

// TestExtractOf: a unit of an earlier run has the extractors of that run. Those of an adopted collection are unknown.
func TestExtractOf(t *testing.T) {
	m := schemas.Manifest{Options: map[string]any{"extract": []any{"feeds"}}}
	for _, tt := range []struct {
		m     schemas.Manifest
		unit  schemas.UnitResult
		want  string
		known bool
	}{
		{m, schemas.UnitResult{}, "feeds", true},
		{m, schemas.UnitResult{MadeWith: map[string]any{"extract": []any{"text", "feeds"}}}, "text feeds", true},
		{schemas.Manifest{Options: map[string]any{"formats": []any{"jsonl"}}}, schemas.UnitResult{}, "", false},
		{schemas.Manifest{Options: map[string]any{"extract": nil}}, schemas.UnitResult{}, "", false},
		{schemas.Manifest{Options: map[string]any{"extract": 7}}, schemas.UnitResult{}, "", false},
	} {
		if got, known := extractOf(tt.m, tt.unit); strings.Join(got, " ") != tt.want || known != tt.known {
			t.Errorf("%v, %v: %q, %v", tt.m.Options, tt.unit.MadeWith, got, known)
		}
	}
}
