package message

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// plain returns the text of a part, with lines as the writer meant them.
func plain(text string, params map[string]string, mailbox bool) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if mailbox {
		text = fromLine().ReplaceAllString(text, "$1")
	}
	if strings.EqualFold(params["format"], "flowed") {
		text = unflow(text, strings.EqualFold(params["delsp"], "yes"))
	}
	return text
}

// fromLine is a line that begins with From in a mailbox, where it would begin a message without its mark.
var fromLine = pattern.Lazy(`(?m)^>(>*From )`)

// unflow joins the lines of paragraphs, which a space at the end of a line continues (RFC 3676, section 4). If dropped,
// this space is not of the text.
func unflow(text string, dropped bool) string {
	var b strings.Builder
	continues, depth := false, 0
	for line := range strings.SplitSeq(text, "\n") {
		quotes := len(line) - len(strings.TrimLeft(line, ">"))
		// A space before the text protects it from the marks of quotations.
		line = strings.TrimPrefix(line[quotes:], " ")
		signature := line == "-- "
		if !continues || quotes != depth || signature || line == "" {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			if quotes > 0 {
				b.WriteString(strings.Repeat(">", quotes) + " ")
			}
		}
		continues, depth = strings.HasSuffix(line, " ") && !signature, quotes
		if continues && dropped {
			line = line[:len(line)-1]
		}
		b.WriteString(line)
	}
	return b.String()
}
