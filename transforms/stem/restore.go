package stem

import "strings"

// restoring are endings by which Snowball knows forms, as terms have them and with their diacritics. Longer ones come
// first. Endings without a diacritic on the right are other forms' endings.
var restoring = map[string][][2]string{
	"es": {{"acion", "ación"}, {"ucion", "ución"}, {"ologia", "ología"}},
	"fr": {
		{"icites", "icités"},
		{"icite", "icité"},
		{"abilites", "abilités"},
		{"abilite", "abilité"},
		{"ibilites", "ibilités"},
		{"ibilite", "ibilité"},
		{"alites", "alités"},
		{"alite", "alité"},
		{"ivites", "ivités"},
		{"ivite", "ivité"},
		{"ees", "ées"},
		{"ee", "ée"},
	},
	"pt": {{"acoes", "ações"}, {"acao", "ação"}, {"oes", "ao"}},
}

// restored puts back the diacritics of an ending.
func restored(language, term string) string {
	for _, pair := range restoring[language] {
		if head, is := strings.CutSuffix(term, pair[0]); is && head != "" {
			return head + pair[1]
		}
	}
	return term
}
