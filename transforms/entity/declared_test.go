package entity

import (
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
)

func TestExtract_declared(t *testing.T) {
	tests := []struct {
		name      string
		authors   []string
		publisher string
		want      string
	}{
		{"an author", []string{"Jean Exemple"}, "", "person Jean Exemple"},
		{"a publisher", nil, "Le Quai", "organization Le Quai"},
		{"both, of any script", []string{"山田太郎"}, "架空新聞", "person 山田太郎|organization 架空新聞"},
		{"the publisher as author", []string{"le quai"}, "Le Quai", "organization Le Quai"},
		{"a title", []string{"Dr. Jean Exemple"}, "", "person Jean Exemple"},
		{"a council", []string{"Wrenmouth Town Council"}, "", "organization Wrenmouth Town Council"},
		{"a ministry", []string{"Ministère de la Mer", "Ada Beton"}, "", "organization Ministère de la Mer|person Ada Beton"},
		{"an editorial office", []string{"架空新聞編集部", "山田太郎"}, "", "organization 架空新聞編集部|person 山田太郎"},
		{"a board", []string{"Wrenmouth Harbour Board"}, "", "organization Wrenmouth Harbour Board"},
		{"a port", []string{"Port of Wrenmouth"}, "", "organization Port of Wrenmouth"},
		{"an office", []string{"Capitainerie de Wrenmouth"}, "", "organization Capitainerie de Wrenmouth"},
		{"noble names", []string{"Charles de Beispiel", "Ursula von der Probe"}, "", "person Charles de Beispiel|" +
			"person Ursula von der Probe"},
		{"staff", []string{"Harbour Gazette Staff"}, "", "organization Harbour Gazette Staff"},
		{"a council in capitals", []string{"СОВЕТ ПОРТА"}, "", "organization СОВЕТ ПОРТА"},
		{"accounts", []string{"admin", "jean.exemple", "Jean88", "Jean Exemple 88"}, "", ""},
		{"one word", []string{"Rédaction"}, "", ""},
		{"URLs and mail", []string{"https://example.org/jean", "jean@example.org"}, "https://example.org", ""},
		{"a sentence", []string{strings.Repeat("mot ", 80)}, strings.Repeat("mot ", 80), ""},
		{"several lines", []string{"Jean\nExemple"}, "", ""},
		{"empty", []string{" "}, " ", ""},
		{"one that structured data has", []string{"Ada Beispiel"}, "", "person Ada Beispiel https://example.org/ada"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := Input{Authors: tt.authors, Publisher: tt.publisher}
			if strings.Contains(tt.name, "structured") {
				in.LD = []jsonld.Node{{"@type": "Person", "name": "Ada Beispiel", "@id": "https://example.org/ada"}}
			}
			var got []string
			for _, e := range Extract(in, Options{}) {
				got = append(got, strings.TrimSpace(e.Type+" "+e.Text+" "+e.ID))
			}
			slices.Sort(got)
			var want []string
			if tt.want != "" {
				want = strings.Split(tt.want, "|")
				slices.Sort(want)
			}
			if !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A declared name is found in the text, too.
func TestExtract_declaredInText(t *testing.T) {
	in := Input{Text: "Un article de Jean Exemple.", Language: "fr", Authors: []string{"Jean Exemple"}}
	found := Extract(in, Options{})
	if len(found) != 1 || found[0].Count != 1 || found[0].Source != "metadata" || found[0].Mentions[0].Start != 14 {
		t.Errorf("found %v", found)
	}
}
