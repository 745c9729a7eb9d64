package tagger

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Names begin with the article or particle that precedes them.
func TestEdges(t *testing.T) {
	tests := []struct{ text, want string }{ // ⟦type name⟧ as the model finds it; the expected names, separated by "; "
		{"a cell of al-⟦o Qaeda⟧ in Iraq", "al-Qaeda"},
		{"ash-⟦o Shabaab⟧ and al-⟦p Sadr⟧", "ash-Shabaab; al-Sadr"},
		{"the town of el-⟦l Arish⟧", "el-Arish"},
		{"(al-⟦l Quds⟧)", "al-Quds"},
		{"near ⟦l Deir⟧ ez-Zor", "Deir"},
		{"the general-⟦o Electric⟧ company", "Electric"},
		{"a total-⟦o Fina⟧ station", "Fina"},
		{"under de ⟦p Gaulle⟧", "de Gaulle"},
		{"by van der ⟦p Rohe⟧", "van der Rohe"},
		{"for von der ⟦p Leyen⟧", "von der Leyen"},
		{"to bin ⟦p Laden⟧ or ibn ⟦p Saud⟧", "bin Laden; ibn Saud"},
		{"⟦p Guillermo⟧ del ⟦p Toro⟧ came", "Guillermo del Toro"},
		{"⟦p Robert⟧ de ⟦p Niro⟧, ⟦p Anna⟧", "Robert de Niro; Anna"},
		{"de ⟦p Ross Ashcroft⟧", "Ross Ashcroft"},
		{"⟦p Françoise Barré⟧-Sinoussi; ⟦p Luc⟧", "Françoise Barré; Luc"},
		{"José Ramos-⟦p Horta⟧ and Mountbatten-⟦p Windsor⟧", "Ramos-Horta; Mountbatten-Windsor"},
		{"a ⟦p Trump⟧-era law, the non-⟦p Trump⟧ vote", "Trump; Trump"},
		{"⟦l US⟧-Iran talks", "US"},
		{"in de ⟦l Paris⟧", "Paris"},
		{"made of ⟦p Lego⟧", "Lego"},
		{"side ⟦p Brown⟧", "Brown"},
		{"⟦p Alice Kimm⟧ Architects won", "Alice Kimm Architects (organization)"},
		{"⟦p Jessica Gersten⟧ Design", "Jessica Gersten Design (organization)"},
		{"⟦p Yoko Co⟧", "Yoko Co (organization)"},
		{"⟦p Ann Taylor Inc.⟧ said", "Ann Taylor Inc. (organization)"},
		{"⟦l Lehigh University⟧ and ⟦l Paris⟧", "Lehigh University; Paris"},
		{"⟦l University⟧ of it", "University"},
		{"⟦p Jane Doe⟧ designs bridges", "Jane Doe"},
		{"⟦p Jane Doe⟧. Design is all", "Jane Doe"},
		{"⟦p Jane Doe⟧\nDesign", "Jane Doe"},
		{"⟦p Jane⟧ ⟦p Press⟧", "Jane; Press"},
		{"⟦p Vincent⟧ ⟦p Smith⟧", "Vincent; Smith"},
		{"", ""},
	}
	kinds := map[byte]string{'p': Person, 'o': Organization, 'l': Place}
	for _, tt := range tests {
		var text strings.Builder
		var mentions []Mention
		for i, part := range strings.Split(tt.text, "⟦") {
			if name, rest, ok := strings.Cut(part, "⟧"); ok && i > 0 {
				start := text.Len()
				text.WriteString(name[2:])
				mentions = append(mentions, Mention{start, text.Len(), kinds[name[0]], 0.9})
				part = rest
			}
			text.WriteString(part)
		}
		var got []string
		for _, m := range edges(text.String(), mentions) {
			name := text.String()[m.Start:m.End]
			if m.Type == Organization && strings.ContainsAny(tt.text, "pl") && strings.Contains(name, " ") {
				name += " (organization)"
			}
			got = append(got, name)
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("edges(%q) (-want +got):\n%s", tt.text, diff)
		}
	}
}
