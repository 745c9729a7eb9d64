package mimetype

import "bytes"

// tableOf returns the type of a text that is a table of values, or "": each of its first lines has as many separators,
// and no line is the prose that commas are at home in. The first line that is not whole is left out, with what
// follows. Tabs are asked first: a line of tabs may hold commas within its cells.
func tableOf(head []byte) string {
	// A few dozen rows tell as much as all of them.
	const enough = 4 << 10
	head = head[:min(len(head), enough)]
	for _, format := range [...]struct {
		separator byte
		mediaType string
	}{{'\t', "text/tab-separated-values"}, {',', "text/csv"}, {';', "text/csv"}} {
		if isTable(head, format.separator) {
			return format.mediaType
		}
	}
	return ""
}

// isTable reports whether head has at least four rows of three columns or more, and as many in each. Three columns:
// lines of prose often have one comma each, two commas in each of four lines are rare.
func isTable(head []byte, separator byte) bool {
	const rows, columns = 4, 3
	n, width := 0, 0
	for len(head) > 0 {
		// The last line may be cut in the middle, and is not judged.
		row, rest, found := bytes.Cut(head, []byte{'\n'})
		if !found {
			break // cut, or the last
		}
		head = rest
		// One row that differs ends it, so most texts cost a line or two.
		w, ok := columnsOf(bytes.TrimSuffix(row, []byte{'\r'}), separator)
		if !ok || w < columns || n > 0 && w != width {
			return false
		}
		n, width = n+1, w
	}
	return n >= rows
}

// columnsOf counts the values of a row, in which separators may be quoted (RFC 4180). Rows with values that go on
// after a line end, and those that separators end with a blank after them as in prose, count for nothing. Quotes
// may be doubled within a value, which switches twice and so changes nothing.
func columnsOf(row []byte, separator byte) (n int, ok bool) {
	quoted := false
	n = 1
	for i, c := range row {
		switch {
		case c == '"':
			quoted = !quoted
		case c == separator && !quoted:
			// "Paris, Rome, Vienna" is prose.
			if separator != '\t' && i+1 < len(row) && row[i+1] == ' ' {
				return 0, false
			}
			n++
		}
	}
	return n, !quoted
}
