package filter

import "testing"

// TestNeeds_blocks: a filter blocks if pages without the column are taken for want of a value.
func TestNeeds_blocks(t *testing.T) {
	where := func(text string) Step {
		return Step{Name: "where", Settings: Settings{Lists: map[string][]string{"filter": {text}}}}
	}
	lists := func(name string, lists map[string][]string) Step {
		return Step{Name: name, Settings: Settings{Lists: lists}}
	}
	for _, tt := range []struct {
		name   string
		step   Step
		column string
		want   bool
	}{
		{"not", where("NOT title:x"), "title", true},
		{"unequal", where(`title != "x"`), "title", true},
		{"not one of several", where("NOT (title:x OR status = 404)"), "title", true},
		{"not, beside another", where("lang = fr AND NOT title:x"), "title", true},
		{"less than", where("quality.words < 10"), "quality.words", false},
		{"false", where("mime_conflict = false"), "mime_conflict", true},
		{"true", where("mime_conflict = true"), "mime_conflict", false},
		{"not a text", where(`NOT "some words"`), "text", true},
		{"not without", where("NOT title:*"), "title", true},
		{"equal", where("title:x"), "title", false},
		{"twice not", where("NOT NOT title:x"), "title", false},
		{"or", where("title:x OR lang = fr"), "title", false},
		{"more than", where("quality.words > 10"), "quality.words", false},
		{"not, but also equal", where("title:x AND NOT title:y"), "title", false},
		{"the other column", where("lang = fr AND NOT title:x"), "language", false},
		{"block", lists("page_type", map[string][]string{"block": {"forum"}}), "page_type", true},
		{"block media", lists("media", map[string][]string{"block": {"text/plain"}}), "mime_detected", true},
		{"allow", lists("page_type", map[string][]string{"allow": {"article"}}), "page_type", false},
		{
			"allow and block", lists("page_type", map[string][]string{"allow": {"article"}, "block": {"forum"}}),
			"page_type", false,
		},
		{"languages", lists("language", map[string][]string{"allow": {"fr"}}), "language", false},
		{"opt-outs", lists("rights", map[string][]string{"respect": {"noai"}}), "rights", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, n := range (Recipe{tt.step}).Needs() {
				if n.Column == tt.column {
					if n.Blocks != tt.want {
						t.Errorf("blocks = %v, want %v", n.Blocks, tt.want)
					}
					return
				}
			}
			t.Errorf("it does not need %s: %+v", tt.column, (Recipe{tt.step}).Needs())
		})
	}
}
