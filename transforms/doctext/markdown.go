package doctext

import (
	"slices"
	"strings"
)

// Markdown returns the text with its headings and tables as Markdown has them. Other lines stay as they are, except
// signs of headings. An empty line divides pages.
func (d *Document) Markdown() string {
	var out strings.Builder
	done := 0
	for _, b := range d.Blocks {
		if b.Start < done || b.End < b.Start || b.End > len(d.Text) {
			continue
		}
		out.WriteString(unpaged(d.Text[done:b.Start]))
		separate(&out)
		if b.Level > 0 {
			out.WriteString(strings.Repeat("#", min(b.Level, 6)) + " ")
			out.WriteString(strings.Join(strings.Fields(d.Text[b.Start:b.End]), " "))
		} else {
			writeTable(&out, d.Text[b.Start:b.End])
		}
		done = b.End
		// The end of the line is written with the text after it. This adds what an empty line lacks.
		rest := d.Text[done:]
		if len(rest) > 1 && !strings.HasPrefix(rest, "\n\n") && !strings.HasPrefix(rest, "\n\f") {
			out.WriteByte('\n')
		}
	}
	out.WriteString(unpaged(d.Text[done:]))
	return out.String()
}

// unpaged returns text with line ends between pages: a form feed does not end a table of Markdown. Lines that begin as
// headings do get an escape.
func unpaged(text string) string {
	text = strings.ReplaceAll(text, "\f", "\n")
	if strings.HasPrefix(text, "#") {
		text = `\` + text
	}
	return strings.ReplaceAll(text, "\n#", "\n\\#")
}

// separate writes an empty line, unless there is one.
func separate(out *strings.Builder) {
	switch s := out.String(); {
	case s == "" || strings.HasSuffix(s, "\n\n"):
	case strings.HasSuffix(s, "\n"):
		out.WriteByte('\n')
	default:
		out.WriteString("\n\n")
	}
}

// writeTable writes a table of which the first row is the head. Rows that are too short get empty cells.
func writeTable(out *strings.Builder, text string) {
	var rows [][]string
	width := 0
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		row := strings.Split(strings.ReplaceAll(line, "|", `\|`), "\t")
		width = max(width, len(row))
		rows = append(rows, row)
	}
	for i, row := range rows {
		if i > 0 {
			out.WriteByte('\n')
		}
		for c := range width {
			cell := ""
			if c < len(row) {
				cell = row[c]
			}
			out.WriteString("| " + cell + " ")
		}
		out.WriteByte('|')
		if i == 0 {
			out.WriteString("\n" + strings.Join(slices.Repeat([]string{"| --- "}, width), "") + "|")
		}
	}
}
