package tagger

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTrim(t *testing.T) {
	for _, tt := range []struct {
		language, kind, name, want string
	}{
		{"es", Person, "Fernando \"", "Fernando"},
		{"es", Person, "\" Navarro", "Navarro"},
		{"de", Person, "/Schulze", "Schulze"},
		{"de", Person, "Alma &", "Alma"},
		{"en", Place, "Frisco,", "Frisco"},
		{"de", Person, "Japan //", "Japan"},
		{"de", Person, "WM-", ""},
		{"de", Person, "Boris 2022", ""},
		{"zh", Person, "15.7％", ""},
		{"zh", Person, "图49", ""},
		{"zh", Person, "self-esteem", ""},
		{"zh", Organization, "IBM", "IBM"},
		{"zh", Person, "尼尔·阿姆斯特朗", "尼尔·阿姆斯特朗"},
		{"en", Organization, "AT&T", "AT&T"},
		{"en", Organization, "Yahoo!", "Yahoo!"},
		{"en", Organization, "Boeing 747", "Boeing 747"},
		{"en", Person, "j. k. rowling", "j. k. rowling"},
		{"en", Person, "Sammy Davis Jr.", "Sammy Davis Jr."},
		{"de", Person, "\"", ""},
		{"en", Person, "J.-Y.", ""},
		{"en", Person, "C. P. Snow", "C. P. Snow"},
		{"en", Person, "Malcolm X", "Malcolm X"},
		{"ko", Person, "이", "이"},
	} {
		text := "ä " + tt.name + " b"
		got := ""
		for _, m := range trim(text, tt.language, []Mention{{3, 3 + len(tt.name), tt.kind, 1}}) {
			got = text[m.Start:m.End]
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("trim(%q) in %s (-want +got):\n%s", tt.name, tt.language, diff)
		}
	}
}
