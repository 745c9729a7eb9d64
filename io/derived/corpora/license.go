package corpora

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// licensesOf returns the licences of the documents that stay, the most frequent first, and the number of documents
// without one.
func licensesOf(m Manifest) (names []string, without int64) {
	without = m.Counts.Kept
	for name, t := range maps.All(m.Counts.Licenses) {
		if t.Kept > 0 {
			names = append(names, name)
			without -= t.Kept
		}
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(cmp.Compare(m.Counts.Licenses[y].Kept, m.Counts.Licenses[x].Kept), cmp.Compare(x, y))
	})
	return names, without
}

// licenseYAML returns the licence for programs of the Hugging Face hub, which know SPDX identifiers in lower case. A
// mixture has a name, and a link to the table of its licences.
func licenseYAML(m Manifest) string {
	names, without := licensesOf(m)
	switch {
	case len(names) == 0:
		return "license: unknown\n"
	case len(names) == 1 && without == 0 && !strings.HasPrefix(names[0], "LicenseRef-"):
		return "license: " + strings.ToLower(names[0]) + "\n"
	}
	return "license: other\nlicense_name: by-document\nlicense_link: \"#licences\"\n"
}

// licensesText returns the licences as a sentence.
func licensesText(m Manifest) string {
	names, without := licensesOf(m)
	if len(names) == 0 {
		return "The licences of the pages are unknown; each document has its `url`. The extractor `licenses` finds what pages state."
	}
	parts := []string{}
	for _, name := range names[:min(len(names), topNames)] {
		parts = append(parts, name+" "+shareOf(m.Counts.Licenses[name].Kept, m.Counts.Kept))
	}
	if more := len(names) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d others", more))
	}
	return fmt.Sprintf("What pages state of themselves, as shares of documents: %s; none %s. The column `license` has it.",
		strings.Join(parts, ", "), shareOf(without, m.Counts.Kept))
}

func shareOf(n, all int64) string { return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(max(all, 1))) }

// cardLicenses lists the licences, if any is known.
func cardLicenses(b *strings.Builder, m Manifest) {
	names, without := licensesOf(m)
	if len(names) == 0 {
		return
	}
	b.WriteString("\n## Licences\n\n| licence | documents | share | bytes |\n|---|--:|--:|--:|\n")
	size := m.Counts.Bytes
	for _, name := range names {
		t := m.Counts.Licenses[name]
		fmt.Fprintf(b, "| %s | %d | %s | %d |\n", name, t.Kept, shareOf(t.Kept, m.Counts.Kept), t.Bytes)
		size -= t.Bytes
	}
	fmt.Fprintf(b, "| none | %d | %s | %d |\n", without, shareOf(without, m.Counts.Kept), size)
}
