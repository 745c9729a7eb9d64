package corpora

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
)

// card returns the dataset card of a corpus for the Hugging Face hub: YAML for programs, and Markdown. It has no date,
// so that the same corpus has the same card.
func card(m Manifest) []byte {
	var b strings.Builder
	b.WriteString("---\nlanguage:\n")
	for _, language := range languagesOf(m) {
		fmt.Fprintf(&b, "- %s\n", strconv.Quote(language)) // YAML reads a bare no as false
	}
	b.WriteString(licenseYAML(m) + "task_categories:\n- text-generation\n")
	// Only one of the formats that load_dataset reads, or each document would be loaded twice.
	if i := slices.IndexFunc(m.Options.Formats, func(f string) bool { return f != WET }); i >= 0 {
		b.WriteString("configs:\n- config_name: default\n  data_files:\n")
		fmt.Fprintf(&b, "  - split: train\n    path: \"%s/**/train-*%s\"\n", dataDir, extensions[m.Options.Formats[i]])
	}
	b.WriteString("---\n\n")
	fmt.Fprintf(&b, "# A corpus of web pages\n\n%d documents with %d bytes of text, out of %d with text.\n\n"+
		"%s\n\n## Sources\n\n", m.Counts.Kept, m.Counts.Bytes, m.Counts.Documents, licensesText(m))
	for _, source := range m.Sources {
		fmt.Fprintf(&b, "- `%s`\n", strings.NewReplacer("`", "'", "\n", " ").Replace(source))
	}
	cardFilters(&b, m)
	cardFunnel(&b, m.Funnel)
	cardCounts(&b, m)
	cardLicenses(&b, m)
	b.WriteString("\n## Versions\n\n")
	for _, name := range slices.Sorted(maps.Keys(m.Versions)) {
		fmt.Fprintf(&b, "- %s %s\n", name, m.Versions[name])
	}
	return []byte(b.String())
}

func cardFilters(b *strings.Builder, m Manifest) {
	b.WriteString("\n## Filters\n\n")
	for _, step := range m.Options.Recipe {
		f, _ := filter.Find(step.Name)
		fmt.Fprintf(b, "- **%s** %s", f.Name, f.Does)
		if f.Source != "" {
			fmt.Fprintf(b, " (%s)", f.Source)
		}
		for _, name := range slices.Sorted(maps.Keys(step.Settings.Numbers)) {
			fmt.Fprintf(b, "; %s = %v", name, step.Settings.Numbers[name])
		}
		b.WriteString("\n")
	}
	o := m.Options
	if o.Paragraphs > 0 {
		fmt.Fprintf(b, "\nParagraphs that %d hosts or more have are left out of all documents but one: %d.\n", o.Paragraphs,
			m.Counts.Paragraphs)
	}
	fmt.Fprintf(b, "\nDuplicates by %s are left out; the %s stays, of one URL the %s.\n",
		cmp.Or(strings.Join(o.Dedup, ", "), "nothing"), o.Keep, o.KeepURL)
	for _, name := range o.Against {
		fmt.Fprintf(b, "\nDocuments of the corpus `%s` are left out.\n", name)
	}
}

// cardFunnel lists what each step passed on.
func cardFunnel(b *strings.Builder, funnel []filter.Passage) {
	if len(funnel) == 0 {
		return
	}
	b.WriteString("\n## Funnel\n\n| step | documents in | out | bytes in | out | tokens in | out |\n" +
		"|---|--:|--:|--:|--:|--:|--:|\n")
	for _, p := range funnel {
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %d |\n", strings.ReplaceAll(p.Step, "|", "\\|"), p.In.Documents,
			p.Out.Documents, p.In.Bytes, p.Out.Bytes, p.In.Tokens, p.Out.Tokens)
	}
}

func cardCounts(b *strings.Builder, m Manifest) {
	b.WriteString("\n## What was refused\n\n| reason | documents |\n|---|--:|\n")
	for _, reason := range slices.Sorted(maps.Keys(m.Counts.Reasons)) {
		fmt.Fprintf(b, "| %s | %d |\n", reason, m.Counts.Reasons[reason].Documents)
	}
	b.WriteString("\n## Languages\n\n| language | documents | bytes |\n|---|--:|--:|\n")
	for _, language := range slices.SortedFunc(maps.Keys(m.Counts.Languages), func(x, y string) int {
		return cmp.Or(cmp.Compare(m.Counts.Languages[y].Bytes, m.Counts.Languages[x].Bytes), cmp.Compare(x, y))
	}) {
		if t := m.Counts.Languages[language]; t.Kept > 0 {
			fmt.Fprintf(b, "| %s | %d | %d |\n", cmp.Or(language, "unknown"), t.Kept, t.Bytes)
		}
	}
}
