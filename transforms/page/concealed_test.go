package page

import (
	"strings"
	"testing"
	"time"
)

// TestParse_concealed: keys that sort a column, and single words that nobody sees, are not part of the text.
func TestParse_concealed(t *testing.T) {
	checkTexts(t, []struct{ name, src, want string }{
		{"a sort key", "<span style='display:none'>00012</span>12 dollars", "12 dollars"},
		{"a key of Wikipedia", "<span style='display:none;speak:none'>7003120&spades;</span>12 dollars", "12 dollars"},
		{"an attribute", "a <span hidden>7</span> b", "a b"},
		{"a word", "a <span hidden>zz</span> b", "a zz b"},
		{"an element of scripts", "a <x-a hidden>7</x-a> b", "a 7 b"},
		{
			"a name in a cell", "<table><tr><td><span style='display: none'>Byron, Ada</span>Ada Byron<td>b</table>",
			"Ada Byron|b",
		},
		{"an only answer of a cell", "<table><tr><td>a<td><i hidden>zz</i><td>c</table>", "a|zz|c"},
		{"an answer in figures", "<table><tr><td>6 × 7<td><span style='display:none'>42</span> </table>", "6 × 7|42"},
		{"a key at the end of a cell", "<table><tr><td>Ada<i hidden>zz</i><td>c</table>", "Ada|c"},
		{"a key before a link", "<table><tr><td><i hidden>Byron</i> <b><a href=/a>Ada</a></b><td>c</table>", "Ada|c"},
		{"two hidden answers", "<table><tr><td><i hidden>a</i> <i hidden>b</i><td>c</table>", "a b|c"},
		{
			"a phone after a click", "<a>Show phone</a> <span style='display:none'>+1-555-0100</span>",
			"Show phone +1-555-0100",
		},
		{"an answer in ARIA", "<div role=row><p role=cell>a</p><p role=cell><b hidden>b</b></p></div>", "a|b"},
		{"a key before a picture", "<table><tr><td><i hidden>0003</i><img src=a.png alt=x><td>c</table>", "c"},
		{"a word before a picture", "<table><tr><td><i hidden>yes</i><img src=a.png alt='✓'><td>c</table>", "✓|c"},
		{"a warning at a field", "<table><tr><td><input name=a> <i hidden>*</i><td>c</table>", "c"},
		{"a key with a sign", "<table><tr><td><i hidden>+012</i>+12<td>c</table>", "+12|c"},
		{"a vote", "<a>5</a> <span hidden>+6</span> votes", "5 votes"},
		{"a phone of a cell", "<table><tr><td>Tel. <span hidden>+49301234567</span></table>", "Tel. +49301234567"},
		{"a phone with brackets", "<p>Tel <b hidden>+49&nbsp;(30)&nbsp;123-45.67</b>", "Tel +49 (30) 123-45.67"},
		{"a button of a cell", "<table><tr><td>Tea<b hidden>+ Add to cart</b><td>b</table>", "Tea|b"},
		{"a French button of a cell", "<table><tr><td>Thé<b hidden>+ 12 autres</b><td>b</table>", "Thé|b"},
		{"a key with zeros", "<table><tr><td><b hidden>+0001234</b>1,234<td>b</table>", "1,234|b"},
		{"a key of zeros outside a cell", "<p><b hidden>+0001234567</b>1,234,567", "1,234,567"},
		{"a hidden word with a sign", "<table><tr><td>Ada<b hidden>+12345678x</b><td>b</table>", "Ada|b"},
		{"within an element", "<span style='display:none'><b>00</b>12</span>12", "12"},
		{"a longer text", "a <span style='display:none'>rest of the text</span>", "a rest of the text"},
		{
			"a longer text of a cell", "<table><tr><td>a <span hidden>" + strings.Repeat("rest of it ", 9) + "</span></table>",
			"a " + strings.TrimSpace(strings.Repeat("rest of it ", 9)),
		},
		{"from screen readers", "a <span aria-hidden=true>7</span> b", "a 7 b"},
		{"until found", "a <span hidden=until-found>7</span> b", "a 7 b"},
		{"a block", "<div style='display:none'>7</div>", "7"},
		{"in a hidden block", "<div hidden>a <span style='display:none'>7</span></div>", "a 7"},
	})
}

func TestParse_concealedIsLinear(t *testing.T) {
	start := time.Now()
	body := "<p><span hidden>" + strings.Repeat("<b></b>", 50000) + strings.Repeat("<i>a</i>", 50000)
	Parse([]byte(body), Options{MaxNodes: 1 << 20})
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}
