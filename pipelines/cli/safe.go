package cli

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// safe makes text safe for a terminal and a log of lines. It keeps only line ends and tabs among control characters.
func safe(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		// A CR before the line end belongs to it.
		fields := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
		for j, f := range fields {
			fields[j] = schemas.Printable(f)
		}
		lines[i] = strings.Join(fields, "\t")
	}
	return strings.Join(lines, "\n")
}
