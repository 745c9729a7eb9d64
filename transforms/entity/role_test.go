package entity

import "testing"

func TestPersonName(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Jane Doe", "Jane Doe"},
		{"Jane DoeEditor", "Jane Doe"},
		{"Jane DoeSenior Editor", "Jane Doe"},
		{"EditorJane Doe", "Jane Doe"},
		{"CEOTim Cook", "Tim Cook"},
		{"Jane Doe, Senior Staff Writer", "Jane Doe"},
		{"Jane Doe – Editor-in-Chief", "Jane Doe"},
		{"Jane Doe | Author", "Jane Doe"},
		{"Jane Doe (Reporter)", "Jane Doe"},
		{"President Barack Obama", "Barack Obama"},
		{"By Dr. Jane Doe", "Jane Doe"},
		{"Executive Vice President Jo Li", "Jo Li"},
		{"Mr. Smith", "Smith"},
		{"Chief Joseph", "Chief Joseph"},
		{"Jane McDonald", "Jane McDonald"},
		{"MacAuthor", "MacAuthor"},
		{"LaToya DeVos", "LaToya DeVos"},
		{"The Editor", "The Editor"},
		{"Staff Writer", "Writer"},
		{"Editor", "Editor"},
		{"Zoë ÖzilAutor", "Zoë ÖzilAutor"},
		{"Zoë ÖzilAuthor", "Zoë Özil"},
		{"Pope Francis", "Pope Francis"},
		{"", ""},
		{" ", " "},
	}
	for _, tt := range tests {
		start, end := personName(tt.text)
		if got := tt.text[start:end]; got != tt.want {
			t.Errorf("personName(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func FuzzPersonName(f *testing.F) {
	f.Add("By CEOTim Cook, Senior Editor")
	f.Add("\xff Editor\u00A0DoeAuthor (")
	f.Fuzz(func(t *testing.T, text string) {
		start, end := personName(text)
		if start < 0 || start > end || end > len(text) || start == end && text != "" {
			t.Errorf("personName(%q) = %d, %d", text, start, end)
		}
	})
}
