package flow

import (
	"fmt"
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for _, test := range []struct {
		name  string
		write func(t *Text)
		want  string
	}{
		{"paragraphs", func(t *Text) {
			t.Add("a")
			t.Paragraph()
			t.Line()
			t.Paragraph()
			t.Add("b")
			t.Paragraph()
		}, "a\n\nb"},
		{"pieces", func(t *Text) { t.Add("a"); t.Add(" "); t.Add("b ") }, "a b"},
		{"lines", func(t *Text) { t.Add("a  "); t.Line(); t.Add("  b") }, "a\nb"},
		{"nothing before", func(t *Text) { t.Paragraph(); t.Tab(); t.Add(" a") }, "a"},
		{"tab", func(t *Text) { t.Add("a"); t.Tab(); t.Add("b") }, "a\tb"},
		{"pages keep their number", func(t *Text) { t.Add("a"); t.Page(); t.Page(); t.Add("b"); t.Page() }, "a\f\fb"},
		{"first page empty", func(t *Text) { t.Page(); t.Add("b") }, "\fb"},
		{
			"row", func(t *Text) { row(t, "a", "", "b", ""); row(t); row(t, "", "c"); t.Paragraph(); t.Add("d") },
			"a\t\tb\n\tc\n\nd",
		},
		{"repeated rows", func(t *Text) {
			t.Add("head")
			t.Paragraph()
			for _, text := range []string{"a", ""} {
				t.StartRow()
				row(t, "", text, "")
				t.RepeatRow(2)
				t.EndRow()
			}
			row(t, "b")
		}, "head\n\n\ta\n\ta\n\ta\nb"},
		{"paragraphs in a cell", func(t *Text) {
			t.StartCell()
			t.Add("a")
			t.Paragraph()
			t.Add("b")
			t.Tab()
			t.Paragraph()
			t.EndCell()
			t.StartCell()
			t.Add("c")
			t.EndCell()
		}, "a b\tc"},
		{"table in a cell", func(t *Text) {
			t.StartCell()
			row(t, "a", "b")
			row(t, "c")
			t.EndCell()
			t.StartCell()
			t.Add("d")
			t.EndCell()
		}, "a b c\td"},
		{"repeated cell", func(t *Text) {
			row(t, "a")
			t.StartCell()
			t.Add("b")
			t.EndCell()
			t.RepeatCell(2)
			t.StartCell()
			t.EndCell()
			t.RepeatCell(2)
			row(t, "c")
		}, "a\nb\tb\tb\t\t\t\tc"},
		{"cells without a start", func(t *Text) {
			t.Add("a")
			t.EndCell()
			t.Add("b")
			t.EndCell()
			t.EndRow()
			t.Add("c")
		}, "a\tb\nc"},
		{"control characters", func(t *Text) { t.Add("a\x00\x0c\x1bb\xff\tc") }, "ab\tc"},
		{"limit", func(t *Text) { t.Add("123456789é"); t.Add("x"); t.Paragraph(); t.Add("y") }, "123456789"},
		{"append", func(t *Text) {
			other := New(100)
			other.Add("b")
			other.Page()
			other.Add("c")
			t.Add("a")
			t.Append(New(5))
			t.Append(other)
			t.Add("d")
		}, "a\n\nb\fc\n\nd"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := New(10)
			if test.name != "limit" {
				text = New(1000)
			}
			test.write(text)
			if got := text.String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if full := test.name == "limit"; text.Full() != full {
				t.Errorf("Full() = %v, want %v", text.Full(), full)
			}
		})
	}
}

func row(t *Text, cells ...string) {
	for _, c := range cells {
		t.StartCell()
		t.Add(c)
		t.EndCell()
	}
	t.EndRow()
}

func TestText_neverLongerThanItsLimit(t *testing.T) {
	for limit := range 40 {
		text, other := New(limit), New(30)
		for range 5 {
			text.Page()
			row(text, "a", "", "b")
			text.RepeatCell(5)
			text.Paragraph()
			text.Add("cdé")
			other.Add("défg")
			text.Append(other)
		}
		if len(text.String()) > limit {
			t.Errorf("%d bytes, limit %d", len(text.String()), limit)
		}
	}
}

func TestText_workIsBounded(t *testing.T) {
	text := New(100)
	for range 200 {
		text.Add(strings.Repeat(" ", 10_000))
	}
	if !text.Full() {
		t.Error("2 MB of spaces were looked at for a text of 100 bytes")
	}
}

func ExampleText() {
	t := New(1 << 20)
	t.Add("one")
	t.Paragraph()
	t.Add("two")
	fmt.Printf("%q\n", t.String())
	// Output: "one\n\ntwo"
}
