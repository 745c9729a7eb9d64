package pdf

import "github.com/gleaner-web/gleaner/transforms/visual"

func isRTL(text string) bool { return visual.Class(text) == 'R' }

// mostlyRTL reports whether most letters run from right to left. Such columns and rows are read from the right.
func mostlyRTL(fragments []fragment) bool {
	balance := 0
	for _, f := range fragments {
		for _, r := range f.runs {
			for _, g := range r.glyphs {
				switch visual.Class(g.text) {
				case 'R':
					balance++
				case 'L':
					balance--
				}
			}
		}
	}
	return balance > 0
}
