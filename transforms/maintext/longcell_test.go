package maintext

import (
	"strings"
	"testing"
)

// A long cell of a table of data keeps its column in text and Markdown, like the short cells around it.
func TestLongCells(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("This option sets how often the program asks the server for news. ", 7))
	chinese := strings.Repeat("本选项决定程序多久向服务器查询一次新消息。", 8)
	for _, tt := range []struct{ name, src, want string }{
		{
			"a description of 450 bytes",
			"<table><thead><tr><th>Name<th>Meaning<th>Default<tbody><tr><td>poll<td>" + long + "<td>5 s" +
				"<tr><td>quiet<td>No messages.<td>off</table>",
			"Name\tMeaning\tDefault\npoll\t" + long + "\t5 s\nquiet\tNo messages.\toff",
		},
		{
			"in Chinese, without a head",
			"<table><tr><td>间隔<td>" + chinese + "<td>5秒<tr><td>安静<td>没有消息。<td>关</table>",
			"间隔\t" + chinese + "\t5秒\n安静\t没有消息。\t关",
		},
		{
			"a list of five items",
			"<table><tr><th>Date<th>Reading<th>Notes<tr><td>6 Sep<td><ul><li>One<li>Two<li>Three<li>Four<li>Five</ul><td>pdf" +
				"<tr><td>11 Sep<td>None<td>slides</table>",
			"Date\tReading\tNotes\n6 Sep\tOne Two Three Four Five\tpdf\n11 Sep\tNone\tslides",
		},
		{
			"paragraphs deep in the cell, below a cell that spans rows",
			"<table><tr><td rowspan=2>A<td>b<td>c<tr><td><div><div><div><div><p>" + long +
				"</div></div></div></div><td>d</table>",
			"A\tb\tc\n\t" + long + "\td",
		},
		{
			"below a caption that is a heading",
			"<table><caption><h4>Bonds</h4></caption><tr><td>Treasury<td>" + long + "<tr><td>Notes<td>None.</table>",
			"Bonds\nTreasury\t" + long + "\nNotes\tNone.",
		},
		{
			"by roles of ARIA",
			"<div role=table><div role=row><div role=columnheader>Name</div><div role=columnheader>Meaning</div></div>" +
				"<div role=row><div role=cell>poll</div><div role=cell>" + long + "</div></div></div>",
			"Name\tMeaning\npoll\t" + long,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := whole(parse(tt.src))
			if r.Text != tt.want {
				t.Errorf("text = %q, want %q", r.Text, tt.want)
			}
			rows := strings.TrimPrefix(tt.want, "Bonds\n")
			for k, line := range strings.Split(rows, "\n") {
				if k > 0 {
					k++ // the line below the head
				}
				want := "| " + strings.ReplaceAll(line, "\t", " | ") + " |"
				want = strings.ReplaceAll(want, "|  |", "| |")
				md := strings.TrimPrefix(markdownOf(r), "#### Bonds\n\n")
				if got := strings.Split(md, "\n"); k >= len(got) || got[k] != want {
					t.Errorf("Markdown = %q, want the line %q", got, want)
				}
			}
		})
	}
}

// Cells of a page's layout stay lines of their own.
func TestLongCells_layout(t *testing.T) {
	para := "<p>" + strings.TrimSpace(strings.Repeat("We walked along the river until the lights of the town appeared. ",
		7)) + "</p>"
	for _, tt := range []struct{ name, src string }{
		{"a menu beside an article", "<table><tr><td>Home<td>" + para + "</table>"},
		{"boxes of many lines", "<table><tr><td>A<td>B<tr><td>C<td>" + strings.Repeat("<p>by the river", 6) + "</table>"},
		{"posts beside their authors", "<table><tr><td>Ann<td>" + para + "<tr><td>Ben<td>" + para + para + para + para +
			"</table>"},
		{"an article with a heading", "<table><tr><td>Home<td>News<tr><td>Links<td><h2>By the river</h2>" + para +
			"</table>"},
		{"a table within", "<table><tr><td>Home<td>News<tr><td>Links<td>" + para + "<table><tr><td>1<td>2</table></table>"},
		{"code", "<table><tr><td>Home<td>News<tr><td>Links<td><pre>a\nb\nc\nd\ne\nf</pre></table>"},
		{"teasers beside pictures", "<table><tr><td><img src=a><td>" + para + "<tr><td><img src=b><td>" + para + "</table>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := whole(parse(tt.src))
			for line := range strings.SplitSeq(r.Text, "\n") {
				if strings.Contains(line, "\t") && strings.Contains(line, "river") {
					t.Errorf("text has the line %q", line)
				}
			}
			if strings.Contains(tt.src, "<pre>") && !strings.Contains(r.Text, "a\nb\nc") {
				t.Errorf("text = %q, want the lines of code", r.Text)
			}
		})
	}
}
