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
		{"⟦l University⟧ of it", ""},
		{"⟦p Jane Doe⟧ designs bridges", "Jane Doe"},
		{"⟦p Jane Doe⟧. Design is all", "Jane Doe"},
		{"⟦p Jane Doe⟧\nDesign", "Jane Doe"},
		{"⟦p Jane⟧ ⟦p Press⟧", "Jane; Press"},
		{"⟦p Vincent⟧ ⟦p Smith⟧", "Vincent; Smith"},
		{"⟦p Peter Pepper⟧ Products makes it", "Peter Pepper Products (organization)"},
		{"⟦p Irma-LeVasseur⟧ High School", "Irma-LeVasseur High School (organization)"},
		{"⟦p Martin Luther King⟧ Jr. Elementary", "Martin Luther King"},
		{"at ⟦p Oscar Niemeyer⟧ Pavilion, Paris", "Oscar Niemeyer Pavilion (place)"},
		{"⟦p John F. Kennedy⟧ International Airport is", "John F. Kennedy International Airport (place)"},
		{"⟦p Min Park⟧ and ⟦p Jane⟧", "Min Park; Jane"},
		{"⟦l Kimball Group⟧ of ⟦l Paris⟧", "Kimball Group (organization); Paris"},
		{"⟦l Museum/Art Gallery⟧", ""},
		{"the ⟦l International Airport⟧ and the ⟦l Hotel⟧", ""},
		{"⟦o University⟧ of ⟦l Hull⟧", "University of Hull (organization)"},
		{"the ⟦o Federal Reserve Bank⟧ of ⟦l New York⟧ said", "Federal Reserve Bank of New York (organization)"},
		{"a Ministry of the ⟦l Interior⟧", "Ministry of the Interior (organization)"},
		{"(University of ⟦l Lagos⟧)", "University of Lagos (organization)"},
		{"the south bank of ⟦l London⟧, the City of ⟦l London⟧", "London; London"},
		{"⟦p Ann College⟧ of ⟦l Hull⟧", "Ann College of Hull (organization)"},
		{"⟦o Visakha Gases Pvt⟧. Ltd. sells", "Visakha Gases Pvt. Ltd. (organization)"},
		{"⟦o Acme⟧, Inc. and ⟦o Roe⟧ GmbH", "Acme, Inc.; Roe GmbH"},
		{"⟦o Acme⟧ Limited is", "Acme Limited"},
		{"⟦o Acme⟧. Limited seats", "Acme"},
		{"⟦o Acme⟧ is limited", "Acme"},
		{"⟦p President Bush⟧ and ⟦p Dr. Ann Lee⟧, ⟦p Dr Seuss⟧", "Bush; Ann Lee; Seuss"},
		{"⟦p Mr. T.⟧ and", "Mr. T."},
		{"⟦p Judge⟧ and ⟦p Mr⟧", "Judge; Mr"},
		{"in ⟦o Iraqi⟧ society, (⟦o Swedish⟧: x), ⟦o American Airlines⟧", "American Airlines (organization)"},
		{"in the ⟦l West Bank⟧", "West Bank"},
		{"⟦p Li Ling⟧, ⟦l Dehan Kong⟧, ⟦p Yan Gao⟧", "Li Ling; Dehan Kong (person); Yan Gao"},
		{"⟦p Ann Lee⟧, ⟦l New York⟧, and ⟦p Bob Roe⟧", "Ann Lee; New York; Bob Roe"},
		{"⟦p Ann⟧, ⟦l New York⟧, ⟦p Bob⟧", "Ann; New York; Bob"},
		{"⟦l The Hague⟧ and ⟦l Grand Hotel⟧", "The Hague; Grand Hotel"},
		{"⟦l British⟧ and ⟦l European⟧ nationals in ⟦l Japan⟧ and ⟦l Milan⟧", "Japan; Milan"},
		{"⟦l Iranian⟧ and ⟦l Chinese⟧ in ⟦l Iran⟧ and ⟦l Pakistan⟧", "Iran; Pakistan"},
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
			if m.Type == Person && strings.Contains(tt.want, name+" (person)") {
				name += " (person)"
			}
			if m.Type == Place && strings.HasPrefix(tt.want, name+" (place)") {
				name += " (place)"
			}
			got = append(got, name)
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("edges(%q) (-want +got):\n%s", tt.text, diff)
		}
	}
}
