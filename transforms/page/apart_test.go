package page

import (
	"strings"
	"testing"
	"time"
)

func TestParse_wordsThatTouch(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"links", "<a href=/h>Home</a><a href=/s>Sale</a>", "Home Sale"},
		{"links in small letters", "<a href=/h>home</a><a href=/s>sale</a>", "home sale"},
		{"a link torn apart", "<a href=/h>stud</a><a href=/h>ies</a>", "studies"},
		{"a number and a label", "<span>115,646 items</span><span>Welcome</span>", "115,646 items Welcome"},
		{"a label and a number", "<label>Filters</label><span>704</span>", "Filters 704"},
		{"a count", "<a href=/r>12<span>reviews</span></a>", "12 reviews"},
		{"a card on a name", "<a href=/o>Ilhan Omar</a><span><a href=/o>Ilhan Omar</a></span>", "Ilhan Omar Ilhan Omar"},
		{"what follows bold type", "<b>Our support</b>As you need it", "Our support As you need it"},
		{"Cyrillic", "<span>Новости</span><span>Спорт</span>", "Новости Спорт"},
		{"Greek", "<a href=/1>Αρχική</a><a href=/2>Νέα</a>", "Αρχική Νέα"},
		{"a picture between", "<span>one</span><img src=x><span>two</span>", "one two"},
		{"a field between", "fit<input type=checkbox>slim", "fit slim"},
		{"floats", "<span style='color:red; float: right'>a</span>b", "a b"},
		{"is positioned", "x<span style=position:absolute>y</span>", "x y"},
		{"a line of its own", "x<span style=display:block>y</span>", "x y"},
		{"hidden", "menu<span hidden>closed</span>", "menu closed"},
		{"the first letter", "<span>O</span>nce upon", "Once upon"},
		{"the first letter in two elements", "<span>f</span><span>or ever</span>", "for ever"},
		{"bold type within a word", "un<b>believ</b>able, <i>actuarie</i>s", "unbelievable, actuaries"},
		{"bold next to bold", "<b>act</b><b>uarial</b>", "actuarial"},
		{"an ordinal", "21<span>st</span> century, 12<sup>th</sup>", "21st century, 12th"},
		{"a formula", "H<sub>2</sub>O and CO<sub>2</sub>", "H2O and CO2"},
		{"ruby", "<ruby>Tokyo<rt>Capital</rt></ruby>", "TokyoCapital"},
		{"a place to break", "Donau<wbr>Dampf<wbr>Schiff", "DonauDampfSchiff"},
		{"a comment", "on<!-- -->Ly", "onLy"},
		{"code", "<code><span>get</span><span>Name</span></code>", "getName"},
		{"preformatted", "<pre><span>int</span><span>Name</span></pre>", "intName"},
		{"Chinese", "<a href=/1>新闻</a><a href=/2>体育</a>", "新闻体育"},
		{"Thai", "<span>ข่าว</span><span>กีฬา</span>", "ข่าวกีฬา"},
		{"punctuation", "<b>bees</b>, <i>(honey</i>)", "bees, (honey)"},
	}
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

// A page may have seams only, deep seams, or much invisible content between two texts.
func TestParse_manySeamsTakeLinearTime(t *testing.T) {
	for name, src := range map[string]string{
		"seams":      strings.Repeat("<span>a</span>", 90_000),
		"deep seams": strings.Repeat(strings.Repeat("<i>", 300)+"a"+strings.Repeat("</i>", 300), 600),
		"unseen":     strings.Repeat("a<select>"+strings.Repeat("<option>b", 300)+"</select>", 300),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			Parse([]byte(src), Options{})
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("%d bytes took %v", len(src), took)
			}
		})
	}
}
