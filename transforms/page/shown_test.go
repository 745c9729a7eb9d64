package page

import (
	"strings"
	"testing"
)

func TestParse_linesOfScriptsWithoutSpaces(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"Japanese", "古い\n橋を修理", "古い橋を修理"},
		{"Chinese", "市议会决定\r\n    关闭旧桥", "市议会决定关闭旧桥"},
		{"punctuation", "終わり。\n次の日、\n「はい」\n", "終わり。次の日、「はい」"},
		{"full-width forms", "ＡＢＣ\n１２３", "ＡＢＣ１２３"},
		{"half-width kana", "ﾊｼ\nｦ", "ﾊｼｦ"},
		{"beyond the first plane", "𠮷\n野", "𠮷野"},
		{"a space is one", "東京 大阪", "東京 大阪"},
		{"an ideographic space", "東京\u3000大阪", "東京 大阪"},
		{"a tab is no line end", "東京\t大阪", "東京 大阪"},
		{"into an element", "橋を<b>\n修理</b>\nする", "橋を修理する"},
		{"references", "&#x6A4B;\n&#x3092;", "橋を"},
		{"a line break that is written", "東京<br>\n大阪", "東京\n大阪"},
		{"preformatted", "<pre>東京\n大阪</pre>", "東京\n大阪"},
		{"Hangul has spaces", "서울\n부산", "서울 부산"},
		{"next to Hangul", "漢字\n한글", "漢字 한글"},
		{"next to Latin", "東京\nTokyo\n大阪", "東京 Tokyo 大阪"},
		{"a no-break space", "東京&nbsp;\n大阪", "東京 大阪"},
		{"Thai", "ข่าว\nกีฬา", "ข่าว กีฬา"},
		{"emoji", "😀\n😀", "😀 😀"},
	}
	checkTexts(t, tests)
}

func TestParse_protectedMail(t *testing.T) {
	const code = "5439352d3b2614312c35392438317a373b39"
	tests := []struct{ name, src, want string }{
		{
			"link", `to <a href="/cdn-cgi/l/email-protection" data-cfemail="` + code + `">[email&#160;protected]</a>.`,
			"to mayor@example.com.",
		},
		{"in a link", `<a href="/cdn-cgi/l/email-protection#` + code + `"><span class="__cf_email__" data-cfemail="` +
			code + `">[email&#160;protected]</span></a>`, "mayor@example.com"},
		{"other language", `<b data-cfemail=` + strings.ToUpper(code) + `>[<i>E-Mail</i> geschützt]</b>`, "mayor@example.com"},
		{
			"preformatted", `<pre>A  &lt;<a data-cfemail="` + code + `">[email&#160;protected]</a>&gt;</pre>`,
			"A  <mayor@example.com>",
		},
		{"not an address", `<a data-cfemail="0061404041">[email&#160;protected]</a>`, "a@@A"},
		{"invalid", `<a data-cfemail="54zz">[email&#160;protected]</a>`, "[email protected]"},
		{"hidden", `x<script data-cfemail="` + code + `"></script>`, "x"},
	}
	checkTexts(t, tests)
}

func TestParse_namesOfIcons(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"Material Icons", `it was <i class="material-icons">warning</i> dangerous`, "it was dangerous"},
		{"Symbols", `<span class="x material-symbols-outlined"> arrow_forward </span>Next`, "Next"},
		{"with a theme", `<i class="material-icons-two-tone md-18">3d_rotation</i>Turn`, "Turn"},
		{"an element of its own", `<mat-icon role=img>expand_more</mat-icon>More`, "More"},
		{"a web component", `<md-icon slot=icon>edit</md-icon>Edit`, "Edit"},
		{"in a link", `<a href=/a>Read on<i class="icon">arrow_right_alt</i></a>`, "Read on"},
		{"by its font", `<span style="font-family:'Material Icons'">home</span> Home`, "Home"},
		{"Google Symbols", `<i class="google-symbols" aria-hidden=true>open_in_new</i>Open`, "Open"},
		{"a name with a hyphen", `<v-icon>mdi-home</v-icon>Home`, "Home"},
		{"Font Awesome", `Home <i class="fa">&#xf015;</i> page`, "Home page"},
		{"a glyph", "<li><span class=i>\uE900</span>One", "One"},
		{"a glyph of the second area", "<em> &#983040; </em>One", "One"},
		{"a character of its own in a text", "<p>the rune \uE010 is", "the rune \uE010 is"},
		{"code", "<code>&#xE0B0;</code> is the arrow", "\uE0B0 is the arrow"},
		{"preformatted", "<pre>\uE0B0</pre>", "\uE0B0"},
		{"a key", "press <kbd>\uF8FF</kbd>", "press \uF8FF"},
		{"a rare character of a name", "人名<b>\uE010</b>先生", "人名\uE010先生"},
		{"a glyph before Japanese", "<i class=fa>&#xf015;</i>ホーム", "ホーム"},
		{"a glyph after Japanese", "<a href=/>次へ<i class=fa>&#xf054;</i></a>", "次へ"},
		{"a reference", "<b>&amp;</b> co", "& co"},
		{"a word in an element for icons", `<span class="icon-label">home</span>`, "home"},
		{"a sentence", `<div class="material-icons">Two words.</div>`, "Two words."},
		{"a name in a text", `<p class="text">call arrow_forward()</p>`, "call arrow_forward()"},
	}
	checkTexts(t, tests)
}

func TestParse_emojiPictures(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"WordPress", `We <img class="emoji" alt="❤" src=2764.png> it`, "We ❤ it"},
		{"Twitter", `<img class="Emoji Emoji--forText" alt="🎉" title="Party">Yes`, "🎉Yes"},
		{"no class", `Hello<img src=x alt="👋🏽">`, "Hello👋🏽"},
		{"a flag", `<img alt="🇦🇹">Austria`, "🇦🇹Austria"},
		{"a family", `a <img alt="👨‍👩‍👧">`, "a 👨‍👩‍👧"},
		{"a keycap", `<img alt="1️⃣" class=x> one`, "1️⃣ one"},
		{"references", `<img alt="&#x1F600;">`, "😀"},
		{"a smiley of letters", `Fine <img class=wp-smiley alt=":)">.`, "Fine :)."},
		{"a short name", `Ship <img class="emoji" alt=":shipit:"> it`, "Ship :shipit: it"},
		{"phpBB", `Ha <img class="smilies" alt=":D" title="Very Happy">`, "Ha :D"},
		{"a picture", `See <img alt="Bridge" class=photo>this`, "See this"},
		{"a smiley by its URL", `Ha <img src="./images/smilies/icon_wink.gif" alt=";)" title="Wink">`, "Ha ;)"},
		{"letters of a smiley", `Ha <img src="./images/smilies/icon_biggrin.gif" alt=":D">`, "Ha :D"},
		{"a tongue", `Ha <img src="/smileys/tongue.png" alt=":P">`, "Ha :P"},
		{"a number with a bracket", `<img src="/smile/cool.gif" alt="8)"> so`, "8) so"},
		{"a name with colons", `<img src="/smilies/lol.gif" alt=":lol:"> so`, ":lol: so"},
		{"a name of an emoji", `<img src="https://a.example/emoji/1.png" alt=":smile:">`, ":smile:"},
		{"a word with marks", `<img src="/img/smile.png" alt="हिन्दी">x`, "x"},
		{"a word of Cyrillic", `<img src="/img/smile.png" alt="Улыбка">x`, "x"},
		{"a kaomoji", `<img src="/smiley/3.gif" alt="(^o^)">です`, "(^o^)です"},
		{"a sign between stars", `<img src="/kolobok/smiles/drink.gif" alt="*DRINK*">!`, "*DRINK*!"},
		{"the name of a file", `<img src="/emoji/1f600.png" alt="1f600.png">x`, "x"},
		{"a code point", `<img src="/emoji/1f600.png" alt="＋1F600">x`, "x"},
		{"a word in brackets", `<img src="/img/smile.jpg" alt="(Foto)">x`, "x"},
		{"a number with a nose", `<img src="/smileys/8.gif" alt="8-)">x`, "8-)x"},
		{"a call", `<img src="/img/smile.png" alt="¡Sonríe!">x`, "x"},
		{"a part of a hundred", `<img src="/img/smile.png" alt="50%">x`, "x"},
		{"two words", `<img src="/img/smile.png" alt="Überall-Lächeln">x`, "x"},
		{"a rare character first", `<p><img src=a.gif alt="﨑">市長`, "﨑市長"},
		{"a rare character in a cell", `<table><tr><td><img src=a.gif alt="髙">橋<td>b</table>`, "髙橋|b"},
		{"a rare character last", `<p>大<img src=a.gif alt="𠮷"><p>b`, "大𠮷|b"},
		{"a character of an extension", `<p><img src=a.gif alt="㐂">屋`, "㐂屋"},
		{"a rare character", `宮<img src="/gaiji/1234.gif" alt="﨑" width=16>市`, "宮﨑市"},
		{"a character of a name", `<img class=gaiji alt="髙">橋`, "髙橋"},
		{"several characters", `<img alt="古橋">を`, "を"},
		{"a name of a smiling person", `<img src="/smiling-anna.jpg" alt="Übersicht">x`, "x"},
		{"a host with a smile", `<img src="https://www.smile-zahn.de/logo.png" alt="Übersicht">x`, "x"},
		{"a year at such a host", `<img src="//smile.example/a.png" alt="2019">x`, "x"},
		{"a sign at such a host", `<img src="https://smile.example?smile" alt="»">x`, "x"},
		{"a number of a smiley", `<img src="/img/smile.png" alt="12">x`, "x"},
		{"a part of a word", `<img src="/img/smiling.png" alt=";)">x`, "x"},
		{"a smiley at a host", `Ha <img src="https://a.example/img/smilies/1.gif" alt=":-)">`, "Ha :-)"},
		{"an icon", `<img src=fig1.png alt="図">本文です。`, "本文です。"},
		{"an icon in a menu", `一覧 <img src=new.gif alt="新">商品`, "一覧 商品"},
		{"an icon at the end", `商品<img src=new.gif alt="新"><p>次`, "商品|次"},
		{"an icon before Latin", `商品<img src=new.gif alt="新">Next`, "商品Next"},
		{"a rare character in a word", `宮<img src="/img/1234.gif" alt="﨑">&#x5E02;`, "宮﨑市"},
		{"an arrow", `<img alt="→">Next`, "Next"},
		{"a digit", `<img alt="1">one`, "one"},
		{"words", `<img class=emoji alt="a long description of it">x`, "x"},
		{"hidden", `<template><img alt="😀"></template>x`, "x"},
	}
	checkTexts(t, tests)
}

func TestParse_lineNumbers(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{
			"Pygments", "<table><tr><td class=linenos><pre>1\n2\n3</pre></td><td class=code><pre>a\nb\nc</pre></table>",
			"a\nb\nc",
		},
		{
			"Rouge", "<table><tr><td class='rouge-gutter gl'><pre class=lineno>1\n2\n</pre></td><td><pre>a\nb</pre></table>",
			"a\nb",
		},
		{"without a class", "<table><tr><td><pre>9\n10</pre></td> <td><pre>a\nb</pre></table>", "a\nb"},
		{"highlight.js", "<table><tr><td class=hljs-ln-numbers><div class='hljs-ln-line hljs-ln-n'>1</div><td " +
			"class=hljs-ln-code>a</table>", "a"},
		{"Chroma", "<pre><span class=line><span class=ln>1</span>a</span>\n<span class=line><span class=ln>2</span>" +
			"b</span></pre>", "a\nb"},
		{"Jekyll", "<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>b</pre>", "a\nb"},
		{"SyntaxHighlighter", "<table><tr><td class=gutter><div class='line number1'>1</div><div class=line>2</div><td>" +
			"<code>a</code></table>", "a"},
		{"CodeMirror", "<table><tr><td><pre><div class='CodeMirror-gutter-wrapper'><div>1</div></div>a</pre></table>", "a"},
		{"another gutter in a listing", "<pre><code>a\n<span class='nes-gutter-indicator'>7</span>b</code></pre>", "a\nb"},
		{"a gutter beside a listing", "<div class=gutter><pre>1\n2</pre></div><pre>a\nb</pre>", "a\nb"},
		{
			"Bootstrap's grid in a cell",
			"<table><tr><td><div class='row no-gutters'><div class=col>42</div></div></td></table>", "42",
		},
		{
			"a table of ARIA on a page of Divi", "<div class='et_pb_gutters3'><div role=table><div role=row>" +
				"<div role=cell>Berlin</div><div role=cell>3755251</div></div></div></div>", "Berlin|3755251",
		},
		{"a grid around cells", "<div class=gutter><div role=row><div role=cell>12</div></div></div>", "12"},
		{"code in a list", "<section class=line-numbers><ol class=gutter-small><li><code>8080</code></ol></section>", "8080"},
		{"a word that holds it", "<table><tr><td class='has-gutter row-gutter-3'>7</td></table>", "7"},
		{"numbers in a listing", "<pre>1\n2\n3</pre>", "1\n2\n3"},
		{"a table of numbers", "<table><tr><td>1<td>2<tr><td>3<td>4</table>", "1|2|3|4"},
		{"numbers that do not go on", "<table><tr><td><pre>1\n3</pre></td><td><pre>a</pre></table>", "1\n3|a"},
	}
	checkTexts(t, tests)
}

func checkTexts(t *testing.T, tests []struct{ name, src, want string }) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Parse([]byte("<p>"+tt.src), Options{})
			checkPage(t, p)
			if got := strings.Join(blockTexts(p), "|"); got != tt.want {
				t.Errorf("text of %q = %q, want %q", tt.src, got, tt.want)
			}
		})
	}
}

func TestParse_hiddenByBrowsers(t *testing.T) {
	tests := []struct {
		name, src string
		hidden    bool
	}{
		{"a closed dialog", "<dialog>x</dialog>", true},
		{"an open dialog", "<dialog open>x</dialog>", false},
		{"an open dialog in XHTML", `<dialog open="open">x</dialog>`, false},
		{"open and hidden", "<dialog hidden open>x</dialog>", true},
		{"a popover", "<div popover>x</div>", true},
		{"a popover of a kind", `<aside popover="manual">x</aside>`, true},
		{"a dialog that is a popover", "<dialog open popover>x</dialog>", false},
		{"until found", `<div hidden="until-found">x</div>`, true},
		{"inside", "<dialog><p><b>x</b></dialog>", true},
		{"a popover's button", "<button popovertarget=a>x</button>", false},
		{"a dialog of ARIA", "<div role=dialog>x</div>", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Parse([]byte(tt.src), Options{})
			if got := p.Blocks[0].Flags&InHidden != 0; got != tt.hidden {
				t.Errorf("InHidden of %q = %v, want %v", tt.src, got, tt.hidden)
			}
		})
	}
}
