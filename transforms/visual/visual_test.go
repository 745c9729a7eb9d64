package visual_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/visual"
)

func TestReorder(t *testing.T) {
	for _, tt := range []struct {
		name, drawn, want string
		rtl               bool
	}{
		{"Hebrew", "םלוע םולש", "שלום עולם", true},
		{"a full stop", ".םולש", "שלום.", true},
		{"a number", "1998 תנשב", "בשנת 1998", true},
		{"a date", "12.5.98 ךיראת", "תאריך 12.5.98", true},
		{"English in Hebrew", "Microsoft Word לש", "של Microsoft Word", true},
		{"Hebrew in English", "the word םולש means peace", "the word שלום means peace", false},
		{"two words in English", "say םלוע םולש, twice", "say שלום עולם, twice", false},
		{"Arabic", "ابحرم", "مرحبا", true},
		{"English alone", "peace", "peace", true},
		{"nothing", "", "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			letters := strings.Split(tt.drawn, "")
			visual.Reorder(letters, tt.rtl)
			if got := strings.Join(letters, ""); got != tt.want {
				t.Errorf("Reorder(%q, %t) = %q, want %q", tt.drawn, tt.rtl, got, tt.want)
			}
		})
	}
}

func TestClass(t *testing.T) {
	for text, want := range map[string]byte{
		"a": 'L', "é": 'L', "7": 'N', "٧": 'N', "א": 'R', "ب": 'R', "": ' ', ".": ' ', " ": ' ', "«": ' ',
	} {
		if got := visual.Class(text); got != want {
			t.Errorf("Class(%q) = %q, want %q", text, got, want)
		}
	}
}

func ExampleReorder() {
	letters := strings.Split("abc דג", "") // drawn from the left
	visual.Reorder(letters, true)
	fmt.Println(strings.Join(letters, ""))
	// Output: גד abc
}
