package corpora

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
)

// unanswered marks the questions that only people can answer.
const unanswered = "*For the publisher of this corpus to answer.*"

// datasheet returns a datasheet in the sections of Gebru et al., Datasheets for Datasets (arXiv 1803.09010), with the
// answers that the corpus has.
func datasheet(m Manifest) []byte {
	var b bytes.Buffer
	section := func(title string, answers ...string) {
		fmt.Fprintf(&b, "\n## %s\n", title)
		for i := 0; i < len(answers); i += 2 {
			fmt.Fprintf(&b, "\n**%s** %s\n", answers[i], cmp.Or(answers[i+1], unanswered))
		}
	}
	b.WriteString("# Datasheet\n")
	section("Motivation", "For what purpose was the dataset created?", "", "Who created it, and who paid for it?", "")
	section("Composition",
		"What are the instances?", "Texts of web pages and documents, each of one capture in a web archive.",
		"How many are there?", fmt.Sprintf("%d, with %d bytes of text, out of %d.", m.Counts.Kept, m.Counts.Bytes,
			m.Counts.Documents),
		"Is it a sample?", sampledOf(m),
		"In which languages?", cmp.Or(strings.Join(languagesOf(m), ", "), "Unknown."),
		"Are there labels, splits or links between instances?", "No. All instances are in the split `train`.",
		"Does it have confidential, offensive or personal content?", "Web pages may have all of these. "+personalOf(m))
	section("Collection",
		"How was the data acquired?", "By crawls, whose archives Gleaner read. `filename` and `offset` name the record.",
		"Over which time?", "`date` is the time of each capture.",
		"Were people told, and did they agree?", "")
	section("Preprocessing",
		"What was done?", protocolOf(m), "Is the raw data saved?", "The archives are not part of the corpus.",
		"Is the software available?", "Gleaner; `manifest.json` has its options and versions.")
	section("Uses", "For what has it been used, or should it not be used?", "")
	section("Distribution", "Under which licence?", licensesText(m))
	section("Maintenance", "Who maintains it, and how are errors reported?", "",
		"Can pages be removed?", "Yes: take them out of the collection, and make the corpus again.")
	return b.Bytes()
}

// languagesOf returns the languages of the documents that stay.
func languagesOf(m Manifest) []string {
	list := []string{}
	for _, language := range slices.Sorted(maps.Keys(m.Counts.Languages)) {
		if m.Counts.Languages[language].Kept > 0 && language != "" {
			list = append(list, language)
		}
	}
	return list
}

func sampledOf(m Manifest) string {
	o := m.Options
	var how []string
	if o.Sample > 0 {
		how = append(how, fmt.Sprintf("with a share of %v", o.Sample))
	}
	for _, language := range slices.Sorted(maps.Keys(o.Mix)) {
		how = append(how, fmt.Sprintf("with a share of %v of the text in language %s", o.Mix[language], language))
	}
	if how != nil {
		return "Yes, " + strings.Join(how, ", ") + "."
	}
	return "No, apart from what filters and duplicates leave out."
}

// protocolOf describes the filters and the search for duplicates.
func protocolOf(m Manifest) string {
	o := m.Options
	names := []string{}
	for _, step := range o.Recipe {
		f, _ := filter.Find(step.Name)
		names = append(names, f.Name)
	}
	text := fmt.Sprintf("Filters: %s. Duplicates by %s are left out.", cmp.Or(strings.Join(names, ", "), "none"),
		cmp.Or(strings.Join(o.Dedup, ", "), "nothing"))
	if o.Paragraphs > 0 {
		text += fmt.Sprintf(" Paragraphs that %d hosts or more have are left out of all documents but one.",
			o.Paragraphs)
	}
	if len(o.Against) > 0 {
		text += " Documents of earlier corpora are left out: " + strings.Join(o.Against, ", ") + "."
	}
	return text
}

// personalOf says which personal data was replaced or removed.
func personalOf(m Manifest) string {
	f, _ := filter.Find("personal")
	var kinds []string
	for _, c := range f.Constants {
		name := personalKinds[c.Name]
		changes := func(s filter.Step) bool {
			value, set := s.Settings.Numbers[c.Name]
			return s.Name == f.Name && (value != 0 || !set)
		}
		if name != "" && slices.ContainsFunc(m.Options.Recipe, changes) {
			kinds = append(kinds, name)
		}
	}
	if kinds == nil {
		return "Personal information was not removed."
	}
	return "The filter `personal` replaced or removed what it found of: " + strings.Join(kinds, ", ") + "."
}

// personalKinds names the kinds of data that constants of the filter personal choose.
var personalKinds = map[string]string{
	"email": "e-mail addresses", "ip": "public IP addresses", "phone": "telephone numbers", "iban": "IBANs",
}
