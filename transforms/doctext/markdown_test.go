package doctext_test

import (
	"fmt"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

func TestDocument_Markdown(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		blocks     []doctext.Block
		want       string
	}{
		{"nothing", "", nil, ""},
		{"plain", "one\n\ntwo\n", nil, "one\n\ntwo\n"},
		{"heading", "Title\n\ntext\n", []doctext.Block{{End: 5, Level: 2}}, "## Title\n\ntext\n"},
		{"heading of two lines", "A\ntitle\nx\n", []doctext.Block{{End: 7, Level: 1}}, "# A title\n\nx\n"},
		{"level too deep", "T\n", []doctext.Block{{End: 1, Level: 9}}, "###### T\n"},
		{"table", "a\tb\n1\n\nx\n", []doctext.Block{{End: 5}}, "| a | b |\n| --- | --- |\n| 1 |  |\n\nx\n"},
		{"bar in a cell", "a|b\tc\n", []doctext.Block{{End: 5}}, "| a\\|b | c |\n| --- | --- |\n"},
		{
			"table close to text", "x\na\tb\nc\td\ny\n",
			[]doctext.Block{{Start: 2, End: 9}},
			"x\n\n| a | b |\n| --- | --- |\n| c | d |\n\ny\n",
		},
		{
			"items", "- a\n3) b\n• c d\nx\n",
			[]doctext.Block{
				{End: 3, Level: 1, Kind: doctext.BlockItem},
				{Start: 4, End: 8, Level: 2, Kind: doctext.BlockItem},
				{Start: 9, End: 16, Level: 1, Kind: doctext.BlockItem},
				{Start: 17, End: 18, Level: 1, Kind: doctext.BlockItem},
			},
			"- a\n  3. b\n- c d\n- x\n",
		},
		{
			"a picture between", "one\n\ntwo\n",
			[]doctext.Block{{Start: 3, End: 3, Kind: doctext.BlockPicture, Text: "A\nb"}},
			"one\n\n![A b]()\n\ntwo\n",
		},
		{
			"an artifact", "one\n\n7\n\ftwo\n",
			[]doctext.Block{{Start: 5, End: 6, Kind: doctext.BlockArtifact}},
			"one\n\n\ntwo\n",
		},
		{
			"a picture after an artifact", "7\n\none\n",
			[]doctext.Block{
				{Start: 0, End: 1, Kind: doctext.BlockArtifact},
				{Start: 1, End: 1, Kind: doctext.BlockPicture, Text: `a\`},
			},
			"![a\\\\]()\n\none\n",
		},
		{
			"two artifacts", "7\n\n8\n\none\n",
			[]doctext.Block{
				{Start: 0, End: 1, Kind: doctext.BlockArtifact}, {Start: 3, End: 4, Kind: doctext.BlockArtifact},
			},
			"one\n",
		},
		{"pages", "one\n\ftwo\n", nil, "one\n\ntwo\n"},
		{"sign of a heading", "# ls\n#x\n", nil, "\\# ls\n\\#x\n"},
		{"offsets outside", "one\n", []doctext.Block{{Start: 2, End: 9, Level: 1}, {Start: 3, End: 1}}, "one\n"},
		{"overlap", "one\ntwo\n", []doctext.Block{{End: 3, Level: 1}, {Start: 1, End: 7, Level: 1}}, "# one\n\ntwo\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := doctext.Document{Text: tt.text, Blocks: tt.blocks}
			if got := d.Markdown(); got != tt.want {
				t.Errorf("Markdown = %q, want %q", got, tt.want)
			}
		})
	}
}

func ExampleDocument_Markdown() {
	d := doctext.Document{
		Text:   "Prices\n\nItem\tEuro\nBread\t3\n",
		Blocks: []doctext.Block{{Start: 0, End: 6, Level: 1}, {Start: 8, End: 25}},
	}
	fmt.Print(d.Markdown())
	// Output:
	// # Prices
	//
	// | Item | Euro |
	// | --- | --- |
	// | Bread | 3 |
}
