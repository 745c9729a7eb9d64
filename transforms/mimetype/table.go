package mimetype

import "bytes"

// tableOf returns the type of a text that is a table of values, or "". Each of its first lines must have the same
// number of separators, and must not look like prose with commas. An incomplete line is ignored. Tabs are tested
// first: a line of tabs may have commas in its cells.
func tableOf(head []byte) string {
	// A few dozen rows are enough.
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

// isTable reports whether head has at least four rows of equally many columns, at least three. Lines of prose often
// have one comma each, but seldom two in each of four lines.
func isTable(head []byte, separator byte) bool {
	const rows, columns = 4, 3
	n, width := 0, 0
	for len(head) > 0 {
		// The last line may be incomplete, and is ignored.
		row, rest, found := bytes.Cut(head, []byte{'\n'})
		if !found {
			break // incomplete, or the last
		}
		head = rest
		// One different row ends the loop, so most texts need a line or two.
		w, ok := columnsOf(bytes.TrimSuffix(row, []byte{'\r'}), separator)
		if !ok || w < columns || n > 0 && w != width {
			return false
		}
		n, width = n+1, w
	}
	return n >= rows
}

// columnsOf counts the values of a row; separators may be quoted (RFC 4180). It refuses rows whose values continue
// after a line end, and rows with a blank after a separator, as in prose. Quotes may be doubled within a value, which
// toggles twice and changes nothing.
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
