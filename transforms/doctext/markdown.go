package doctext

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markdown returns the text with its headings, tables, lists and pictures as Markdown has them, as far as they are
// known. Other lines stay as they are, except signs of headings. It leaves out artifacts. An empty line divides pages.
func (d *Document) Markdown() string {
	var out strings.Builder
	done, afterArtifact := 0, false
	between := func(end int) {
		text := d.Text[done:end]
		if afterArtifact {
			text = strings.TrimLeft(text, "\n")
		}
		out.WriteString(unpaged(text))
	}
	for _, b := range d.Blocks {
		if b.Start < done || b.End < b.Start || b.End > len(d.Text) {
			continue
		}
		between(b.Start)
		done, afterArtifact = b.End, b.Kind == BlockArtifact
		if afterArtifact {
			continue
		}
		if b.Kind != BlockItem {
			separate(&out)
		}
		b.write(&out, d.Text[b.Start:b.End])
		if b.Kind == BlockItem {
			continue
		}
		// The end of the line is written with the text after it. This adds what an empty line lacks.
		rest := d.Text[done:]
		if b.Kind == BlockPicture && !strings.HasPrefix(rest, "\n") {
			out.WriteByte('\n')
		}
		if len(rest) > 1 && !strings.HasPrefix(rest, "\n\n") && !strings.HasPrefix(rest, "\n\f") {
			out.WriteByte('\n')
		}
	}
	between(len(d.Text))
	return out.String()
}

// write writes the text of a block.
func (b *Block) write(out *strings.Builder, text string) {
	line := strings.Join(strings.Fields(text), " ")
	switch {
	case b.Kind == BlockItem:
		out.WriteString(strings.Repeat("  ", min(max(b.Level, 1), 6)-1) + item(line))
	case b.Kind == BlockPicture:
		escape := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "\n", " ", "\r", " ")
		out.WriteString("![" + escape.Replace(b.Text) + "]()")
	case b.Level > 0:
		out.WriteString(strings.Repeat("#", min(b.Level, 6)) + " " + line)
	default:
		writeTable(out, text)
	}
}

// item returns an item with the bullet or number that Markdown knows.
func item(line string) string {
	mark, rest, spaced := strings.Cut(line, " ")
	number := strings.TrimRight(mark, ".)")
	switch {
	case !spaced:
		return "- " + line
	case len(number) < len(mark) && len(number) <= 9 && strings.Trim(number, "0123456789") == "" && number != "":
		return number + ". " + rest
	case utf8.RuneCountInString(mark) == 1 && strings.IndexFunc(mark, isWord) < 0:
		return "- " + rest
	}
	return "- " + line
}

func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '(' || r == '"' || r == '„' || r == '«'
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
