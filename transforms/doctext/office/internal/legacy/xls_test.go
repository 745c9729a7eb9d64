package legacy_test

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// record is a record of a workbook, records a stream of them.
func record(kind int, body ...byte) []byte { return append(put16(kind, len(body)), body...) }

func records(list ...[]byte) []byte { return slices.Concat(list...) }

// bof begins the globals (5) or a sheet (16) in BIFF8.
func bof(kind int) []byte { return record(0x809, 0, 6, byte(kind), 0) }

// end ends either.
var end = record(0x0A)

// chars is a string with its width; the length before it has 16 bits.
func chars(s string) []byte {
	return slices.Concat(put16(len(officetest.Wide(s))/2), []byte{1}, officetest.Wide(s))
}

// cell is a record of a cell in a row and column, with a style.
func cell(kind, row, column, style int, value ...byte) []byte {
	return record(kind, append(put16(row, column, style), value...)...)
}

func float(v float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)) }

// workbook makes a stream of globals and sheets with names.
func workbook(globals []byte, names []string, sheets ...[]byte) stream {
	at := len(bof(5)) + len(globals) + len(end)
	for _, n := range names {
		at += 4 + 6 + 2 + len(officetest.Wide(n))
	}
	b := bof(5)
	for i, n := range names {
		w := officetest.Wide(n)
		b = append(b, record(0x85, slices.Concat(put32(at), []byte{0, 0, byte(len(w) / 2), 1}, w)...)...)
		at += len(bof(16)) + len(sheets[i]) + len(end)
	}
	b = records(b, globals, end)
	for _, s := range sheets {
		b = records(b, bof(16), s, end)
	}
	return stream{Name: "Workbook", Body: b}
}

func TestRead_cells(t *testing.T) {
	globals := records(record(0x41E, append(put16(164), chars("0.00")...)...), // a format
		record(0xE0, put16(0, 0)...), record(0xE0, put16(0, 14)...), record(0xE0, put16(0, 164)...), // three styles
		record(0xFC, slices.Concat(put32(2, 2), chars("Höhe"), chars("水"))...))
	text := func(row, column int, s string) []byte { return cell(0x204, row, column, 0, chars(s)...) }
	formula := func(row, column int, result ...byte) []byte {
		return cell(0x06, row, column, 0, append(result, make([]byte, 8)...)...)
	}
	tests := []struct {
		name  string
		sheet []byte
		want  string
	}{
		{"shared strings", records(cell(0xFD, 0, 0, 0, 1, 0, 0, 0), cell(0xFD, 0, 1, 0, 0, 0, 0, 0)), "水\tHöhe"},
		{"an index outside the table", records(cell(0xFD, 0, 0, 0, 2, 0, 0, 0), text(0, 1, "x")), "\tx"},
		{"numbers in formats", records(cell(0x203, 0, 0, 0, float(0.1)...), cell(0x203, 0, 1, 1, float(44317)...),
			cell(0x203, 0, 2, 2, float(4.125)...)), "0.1\t2021-05-01\t4.13"},
		{"a style that is missing", cell(0x203, 0, 0, 99, float(1.5)...), "1.5"},
		{"short numbers", records(cell(0x27E, 0, 0, 0, put32(-7<<2|2)...), cell(0x27E, 0, 1, 0, put32(-750<<2|3)...),
			cell(0x27E, 0, 2, 0, put32(int(math.Float64bits(0.5)>>32))...)), "-7\t-7.5\t0.5"},
		{"a row of short numbers", record(0xBD, slices.Concat(put16(0, 1), put16(0), put32(1<<2|2), put16(0),
			put32(2<<2|2), put16(2))...), "\t1\t2"},
		{"a cell after a row of numbers", records(record(0xBD, slices.Concat(put16(0, 0), put16(0), put32(1<<2|2), put16(0),
			put32(2<<2|2), put16(1))...), text(0, 3, "d")), "1\t2\t\td"},
		{
			"booleans and errors", records(cell(0x205, 0, 0, 0, 0, 0), cell(0x205, 0, 1, 0, 1, 0), cell(0x205, 0, 2, 0, 7, 1)),
			"FALSE\tTRUE\t#DIV/0!",
		},
		{"an unknown error", records(cell(0x205, 0, 0, 0, 99, 1), text(0, 1, "x")), "\tx"},
		{"results of formulas", records(formula(0, 0, float(2.5)...), formula(0, 1, 1, 0, 1, 0, 0, 0, 255, 255),
			formula(0, 2, 2, 0, 42, 0, 0, 0, 255, 255), formula(0, 3, 3, 0, 0, 0, 0, 0, 255, 255)), "2.5\tTRUE\t#N/A"},
		{"a text result", records(formula(0, 0, 0, 0, 0, 0, 0, 0, 255, 255), record(0x207, chars("潮")...)), "潮"},
		{"a text result that continues", records(formula(0, 0, 0, 0, 0, 0, 0, 0, 255, 255), record(0x207,
			append(put16(5), "\x00high"...)...), record(0x3C, 0, '!'), text(0, 1, "x")), "high!\tx"},
		{"rows", records(text(0, 0, "a"), text(1, 0, "b"), text(5, 1, "c")), "a\nb\n\tc"},
		{"a far column", records(text(0, 250, "a")), strings.Repeat("\t", 100) + "a"},
		{"a chart in the sheet", records(text(0, 0, "a"), bof(32), record(0x100D, 1), end, text(1, 0, "b")), "a\nb"},
		{"cells that a chart repeats", records(text(0, 0, "a"), bof(32), record(0x1065, 1), cell(0x205, 0, 0, 0, 1, 0),
			record(0x1065, 2), text(0, 0, "Jan"), record(0x14, chars("&LChart")...), end, text(1, 0, "b")), "a\nb"},
		{
			"header and footer", records(record(0x14, chars("&LHafen")...), record(0x15, chars("&CA && B")...)),
			"Hafen\n\nA & B",
		},
		{"a cell that is cut", records(record(0x204, 0, 0, 0), text(1, 0, "b")), "b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, doctext.Options{}, workbook(globals, []string{"S"}, tt.sheet))
			if want := "S\n\n" + tt.want; d.Text != want || d.Problems != nil {
				t.Errorf("Read = %q, problems %v; want %q", d.Text, d.Problems, want)
			}
		})
	}
}

func TestRead_continuedStrings(t *testing.T) {
	show := cell(0xFD, 0, 0, 0, 0, 0, 0, 0)
	box := func(n int, more ...[]byte) []byte {
		return records(append([][]byte{record(0x1B6, append(make([]byte, 10), byte(n), 0, 0, 0)...)}, more...)...)
	}
	next := func(b ...byte) []byte { return record(0x3C, b...) }
	tests := []struct {
		name           string
		globals, sheet []byte
		want           string
	}{
		{"between strings", records(record(0xFC, put32(1, 1)...), next(chars("潮")...)), show, "潮"},
		{"with another width", records(record(0xFC, append(put32(1, 1), 3, 0, 0, 'a', 'b')...),
			next(append([]byte{1}, officetest.Wide("潮")...)...)), show, "ab潮"},
		{"over empty records", records(record(0xFC, append(put32(1, 1), 2, 0, 0, 'a')...), next(), next(0, 'b')), show, "ab"},
		{"in its runs", records(record(0xFC, slices.Concat(put32(2, 2), []byte{1, 0, 8, 2, 0, 'a', 1, 1, 1})...),
			next(slices.Concat([]byte{1, 1, 1, 1, 1}, chars("b"))...)), cell(0xFD, 0, 0, 0, 1, 0, 0, 0), "b"},
		{"that ends early", record(0xFC, append(put32(1, 1), 9, 0, 0, 'a', 'b')...), show, "ab"},
		{"readings are skipped", record(0xFC, slices.Concat(put32(2, 2), []byte{1, 0, 4, 2, 0, 0, 0, 'a', 'x', 'x'},
			chars("b"))...), cell(0xFD, 0, 0, 0, 1, 0, 0, 0), "b"},
		{"a text box", nil, box(4, next(0, 'a', ' ', 'b', 'x'), next(make([]byte, 16)...)), "a bx"},
		{"a wide text box", nil, box(1, next(append([]byte{1}, officetest.Wide("潮")...)...), next(make([]byte, 16)...)), "潮"},
		{"a text box in two records", nil, box(6, next(0, 'a', 'b', 'c', 'd'), next(append([]byte{1},
			officetest.Wide("潮汐")...)...), next(make([]byte, 16)...)), "abcd潮汐"},
		{"an empty text box", nil, box(0), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, doctext.Options{}, workbook(tt.globals, []string{"S"}, tt.sheet))
			if want := strings.TrimSpace("S\n\n" + tt.want); d.Text != want || d.Problems != nil {
				t.Errorf("Read = %q, problems %v; want %q", d.Text, d.Problems, want)
			}
		})
	}
}

func TestRead_sheets(t *testing.T) {
	text := func(s string) []byte { return cell(0x204, 0, 0, 0, chars(s)...) }
	three := workbook(nil, []string{"A", "潮", "C"}, text("one"), text("two"), text("three"))
	d := read(t, doctext.Options{}, three)
	if want := "A\n\none\f潮\n\ntwo\fC\n\nthree"; d.Text != want || d.Pages != 3 {
		t.Errorf("Read = %q, %d pages; want %q", d.Text, d.Pages, want)
	}
	d = read(t, doctext.Options{MaxPages: 2}, three)
	if want := "A\n\none\f潮\n\ntwo"; d.Text != want || !slices.Equal(kinds(d), []doctext.Kind{doctext.KindLimit}) {
		t.Errorf("Read = %q, problems %v; want %q and a limit", d.Text, d.Problems, want)
	}
	d = read(t, doctext.Options{}, stream{Name: "Workbook", Body: three.Body[:len(three.Body)-6]})
	if !strings.HasPrefix(d.Text, "A\n\none\f潮\n\ntwo\fC") || !slices.Equal(kinds(d), []doctext.Kind{doctext.KindDamaged}) {
		t.Errorf("truncated: Read = %q, problems %v", d.Text, d.Problems)
	}
	// A macro sheet is left out, and a sheet that is listed twice is read once.
	hidden := func(kind byte) []byte { return record(0x85, 0, 0, 0, 0, 0, kind, 1, 0, 'm') }
	if d := read(t, doctext.Options{}, workbook(records(hidden(1), hidden(6)), []string{"A"}, text("one"))); d.Pages != 1 {
		t.Errorf("with macros: %d pages, text %q", d.Pages, d.Text)
	}
}

// TestRead_excel5 reads a workbook of Excel 5, whose strings are in a code page.
func TestRead_excel5(t *testing.T) {
	for page, want := range map[int]string{1251: "Лист\n\nПрилив", 1252: "Ëèñò\n\nÏðèëèâ", 32769: "Ëèñò\n\nÏðèëèâ"} {
		globals := records(record(0x809, 0, 5, 5, 0), record(0x42, put16(page)...))
		at := len(globals) + 4 + 7 + 4 + len(end)
		b := records(globals, record(0x85, slices.Concat(put32(at), []byte{0, 0, 4}, []byte("\xCB\xE8\xF1\xF2"))...), end,
			record(0x809, 0, 5, 16, 0), cell(0x204, 0, 0, 0, append(put16(6), "\xCF\xF0\xE8\xEB\xE8\xE2"...)...), end)
		if d := read(t, doctext.Options{}, stream{Name: "Book", Body: b}); d.Text != want || d.Problems != nil {
			t.Errorf("code page %d: Read = %q, problems %v; want %q", page, d.Text, d.Problems, want)
		}
	}
}
