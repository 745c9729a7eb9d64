package cli

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// safe makes text fit for a terminal and for a log of lines, whatever names of files, URLs and answers of servers are
// in it: nothing in it is obeyed but line ends and tabs.
func safe(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		// A CR before the line end is a part of it.
		fields := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
		for j, f := range fields {
			fields[j] = schemas.Printable(f)
		}
		lines[i] = strings.Join(fields, "\t")
	}
	return strings.Join(lines, "\n")
}
