package page_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// This tests raised and lowered text in plain text.
func TestParse_raised(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"cents behind a sign", "<p>only $11<sup>99</sup> each", "only $11.99 each"},
		{"sign in an element", "<p>only <span>$</span>11<sup>99</sup> each", "only $11.99 each"},
		{"raised sign", "<p><sup>$</sup>1,299<sup>00</sup>", "$1,299.00"},
		{"cents before a sign", "<p>nur 11<sup>99</sup> €", "nur 11.99 €"},
		{"sign with the cents", "<p>nur 11<sup>99 €</sup>", "nur 11.99 €"},
		{"cents before a word", "<p>tylko 19<sup>99</sup> zł", "tylko 19.99 zł"},
		{"cents behind a code", "<p>CHF 11<sup>90</sup>", "CHF 11.90"},
		{"cents with their point", "<p>$11<sup>.99</sup>", "$11.99"},
		{"the tenth of a cent", "<p>$3.45<sup>9</sup>", "$3.459"},
		{"power", "<p>10<sup>6</sup> cells", "10^6 cells"},
		{"power of two", "<p>2<sup>10</sup> and 2<sup>30</sup>", "2^10 and 2^30"},
		{"negative power", "<p>10<sup>&minus;6</sup> m", "10^−6 m"},
		{"variable", "<p>2<sup>n</sup> steps", "2^n steps"},
		{"square", "<p>a house of 120 m<sup>2</sup>", "a house of 120 m^2"},
		{"of a unit", "<p>5 mol s<sup>-1</sup>", "5 mol s^-1"},
		{"of a variable", "<p>x<sup>2</sup> + y<sup>2</sup>", "x^2 + y^2"},
		{"thousands with points", "<p>R$ 1.299<sup>90</sup>", "R$ 1.299,90"},
		{"small cents", "<p>only $11<small>99</small> each", "only $11.99 each"},
		{"small cents before a sign", "<p>nur <b>11</b><small>99</small> €", "nur 11.99 €"},
		{"class of cents", `<p>$11<span class="price__cents">99</span>`, "$11.99"},
		{"parts of a price", `<p><span class=c>$</span><span class=dollars>11</span><span class=cents>99</span>`, "$11.99"},
		{"cents before a sign", "<p>a <b class=price><i class=whole>11</i><i class=cents>99</i> zł</b>", "a 11.99 zł"},
		{
			"cents before a currency",
			"<p><span class=product-price><span>1.299</span><span class=price-cents>90</span> €</span>",
			"1.299,90 €",
		},
		{"cents in Czech", "<p><b class=cena><i>11</i><i class=decimals>50</i> Kč</b>", "11.50 Kč"},
		{"cents outside a price", "<p><b class=a><i>12</i><i class=cents>79</i> €</b>", "12.79 €"},
		{"a gap before cents", "<p><b class=price><i>12</i> <i class=cents>79</i> €</b>", "12 79 €"},
		{"fraction of a price", `<p>R$<span class="x-fraction">1.299</span><span class="x-cents">90</span>`, "R$1.299,90"},
		{"style of cents", `<p>€ 11<span style="font-size:60%;vertical-align: super">99</span>`, "€ 11.99"},
		{"decimals with a sign", `<p>11<span class="decimals">99€</span>`, "11.99€"},
		{"class in camel case", `<p>$11<span class="priceCents">99</span>`, "$11.99"},
		{"class of a decimal part", `<p>R$ 1.299<span class="decimalPart">90</span>`, "R$ 1.299,90"},
		{"class small", `<p>$11<span class="small">99</span>`, "$11.99"},
		{"class super", `<p>€ 11<span class="super">99</span>`, "€ 11.99"},
		{"class of superscript", `<p>£11<span class="price_superscript">99</span>`, "£11.99"},
		{"class of a raised price", `<p>CHF 11<span class="price-sup">90</span>`, "CHF 11.90"},
		{"class small with the sign after it", `<p>Windows 11<span class="small">49 €</span>`, "Windows 1149 €"},
		{"months after a price", `<p>$499<span class="small"> 24</span> months`, "$499 24 months"},
		{"months after no-break space", `<p>$499<span class="small">&nbsp;24</span> months`, "$499 24 months"},
		{"small months", `<p>€ 49<small> 24</small> Monate`, "€ 49 24 Monate"},
		{"raised months", `<p>£49<sup> 24</sup> mois`, "£49 24 mois"},
		{"months of a style", `<p>€ 49<b style="vertical-align:super"> 12</b> meses`, "€ 49 12 meses"},
		{"cents on a line of their own", "<p>$11<span class=cents>\n  99\n</span>", "$11 99"},
		{"months on a line of their own", "<p>49<small>\n24</small> €", "49 24 €"},
		{"power on a line of its own", "<p>10<sup>\n6</sup>", "10^ 6"},
		{"a note of a large price", `<p>$499<span class="superscript">12</span>`, "$499 12"},
		{"a note of thousands", `<p>€ 1.299<span class="sup">12</span>`, "€ 1.299 12"},
		{"a note of a short price", `<p>CHF 499<i class="text-super">12</i>`, "CHF 499 12"},
		{"a large price by its class", `<p>$499<span class="price-sup">99</span>`, "$499.99"},
		{"a large price in a price", `<p class="product-price">$<b>499</b><span class="sup">99</span>`, "$499.99"},
		{"a large price in a German price", `<p class="preis"><b>€ 499<i class="superscript">99</i></b>`, "€ 499.99"},
		{"a large price with class small", `<p>$499<span class="small">99</span>`, "$499.99"},
		{"a large price with sup", `<p>$499<sup>99</sup>`, "$499.99"},
		{"a large price with class cents", `<p>$1,499<span class="sup cents">99</span>`, "$1,499.99"},
		{"class of words", `<p>$11<span class="smallerText supplier superb">99</span>`, "$1199"},
		{"small cents with the sign", `<p><span class=price>12<small>99 €</small></span>`, "12.99 €"},
		{"small cents in a German price", `<p class="artikelPreis">12<small>99 €</small></p>`, "12.99 €"},
		{"small cents in a Polish price", `<p><b class="cena">12<small>99 zł</small></b>`, "12.99 zł"},
		{"small cents behind a word", `<p>tylko <b class="cena">12<small>99 zł</small></b>`, "tylko 12.99 zł"},
		{"small cents in an Italian price", `<div class="prezzo"><b>1.012</b><small>99 €</small></div>`, "1.012,99 €"},
		{"an item of a price list", `<li class="price-item">iPhone 12<small>79 €</small>`, "iPhone 1279 €"},
		{"a note at a price", `<p>$25<a class="sup" href="#n12">12</a>`, "$2512"},
		{"a note in an element", `<p>€ 25<span class="super"><a href="#n12">12</a></span>`, "€ 2512"},
		{"a small price in another language", `<p>iPhone 12<span class="small">79 zł</span>`, "iPhone 1279 zł"},
		{"a small time after a price", `<p>$11<span class="small">24h</span>`, "$1124h"},
		{"a small price of an item", `<p class="item">iPhone 12<small>79 €</small></p>`, "iPhone 1279 €"},
		{"digits of a number", `<p>$11<b>99</b>`, "$1199"},
		{"small thousands", `<p>$11<small>999</small>`, "$11999"},
		{"small digits without a price", `<p>in 19<small>84</small> it`, "in 1984 it"},
		{"a price in the centre", `<p><span class="qty">12</span><span class="price text-center">15 €</span>`, "12 15 €"},
		{"a small price", `<h3>iPhone 12<small>79 €</small></h3>`, "iPhone 1279 €"},
		{"a price by its class", `<p>Windows 11<span class="price-small">49 €</span>`, "Windows 1149 €"},
		{"a year", `<p><span>2024</span><span class="text-center">15 €</span>`, "2024 15 €"},
		{"a number of decimals", `<p><span class=decimal>12</span><span class=decimal>15</span> €`, "12 15 €"},
		{"two numbers", `<p><span>12</span><span style="vertical-align:top">15</span> €`, "12 15 €"},
		{"per cent", `<p>$25<span class="percent">50</span>%`, "$2550%"},
		{"support", `<p>CHF 25<span class="support">50</span>`, "CHF 2550"},
		{"after decimals", `<p>$11.99<small>10</small>`, "$11.9910"},
		{"after one decimal", `<p>€ 11,5<span class=cents>10</span>`, "€ 11,510"},
		{"after a point of the sign", `<p>Fr.11<span class="Price_cents__x">90</span>`, "Fr.11.90"},
		{"many elements", "<p>$11<small>" + strings.Repeat("<i></i>", 40) + "99</small>", "$1199"},
		{"many elements that are raised", "<p>10<sup>" + strings.Repeat("<i></i>", 40) + "6</sup>", "106"},
		{"in bold", "<p>10<b><sup>6</sup></b>", "10^6"},
		{"charge", "<p>SO<sub>4</sub><sup>2−</sup>", "SO4^2−"},
		{"ordinals", "<p>21<sup>st</sup> 1<sup>er</sup> 2<sup>e</sup> 3<sup>º</sup>", "21st 1er 2e 3º"},
		{"title", "<p>M<sup>me</sup> Curie", "Mme Curie"},
		{"note", `<p>word<sup><a href="#n1">1</a></sup>`, "word 1"},
		{"notes at words", "<p>of the ice<sup>1</sup> and snow<sup>2,3</sup>.", "of the ice 1 and snow 2,3."},
		{"note of letters", `<p>word<sup><a href="#na">a</a></sup>`, "worda"},
		{"note with a class", `<p>Es<sup class="fn">12</sup> war`, "Es 12 war"},
		{"note after a point", `<p>word.<sup><a href="#n1">1</a></sup>`, "word.1"},
		{"note in Russian", "<p>слово<sup>1</sup> и река<sup>2–4</sup>", "слово 1 и река 2–4"},
		{"powers of functions", "<p>sin<sup>2</sup> x + cos<sup>2</sup> x", "sin^2 x + cos^2 x"},
		{"powers of units", "<p>12 feet<sup>2</sup>, 3 km<sup>2</sup>", "12 feet^2, 3 km^2"},
		{"trademarks", "<p>Nutella<sup>TM</sup> and Visa<sup><small>SM</small></sup>", "Nutella TM and Visa SM"},
		{"labels", "<p>paccache-hook<sup>AUR</sup>, Mail<sup class=x>NEW</sup>", "paccache-hook AUR, Mail NEW"},
		{"raised letters", "<p>A<sup>T</sup>B, Nº, XX<sup>e</sup>, D<sup>r</sup>, Kia<sup>®</sup>", "ATB, Nº, XXe, Dr, Kia®"},
		{"products", "<p>E = mc<sup>2</sup>, AB<sup>2</sup>", "E = mc2, AB2"},
		{"charges", "<p>Ca<sup>2+</sup>, Mg<sup>+</sup>", "Ca2+, Mg+"},
		{"note with brackets", `<p>in 2019<sup><a href="#n1">[1]</a></sup>`, "in 2019[1]"},
		{"note at a number", `<p>in 50<sup><a href="#n1">3</a></sup>`, "in 50 3"},
		{"note at a year", "<p>in 2019<sup>3</sup>, they", "in 2019 3, they"},
		{"note by class", `<p>of 50<sup class="footnote">3</sup>`, "of 50 3"},
		{"note at a name", "<p>Lee<sup>1</sup> and Wu<sup>2</sup>", "Lee 1 and Wu 2"},
		{"time", "<p>godz. 17<sup>30</sup>", "godz. 17:30"},
		{"fraction", "<p>1<sup>1</sup>/<sub>2</sub> cups", "1 1/2 cups"},
		{"fraction with its sign", "<p>1<sup>3</sup>&frasl;<sub>4</sub> cups", "1 3⁄4 cups"},
		{"chemistry", "<p>H<sub>2</sub>O and CO<sub>2</sub>", "H2O and CO2"},
		{"index", "<p>x<sub>1</sub> log<sub>10</sub> 101<sub>2</sub>", "x_1 log_10 101_2"},
		{"apart", "<p>10 <sup>6</sup>", "10 6"},
		{"isotope", "<p><sup>14</sup>C", "14C"},
		{"code", "<p><code>a1<sup>2</sup></code>", "a12"},
		{"empty", "<p>10<sup></sup>6", "106"},
		{"other block", "<p>10<p><sup>6</sup>", "10\n6"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := page.Parse([]byte(tt.in), page.Options{})
			got := ""
			for i, b := range p.Blocks {
				if i > 0 {
					got += "\n"
				}
				got += string(p.Text[b.Start:b.End])
			}
			if got != tt.want {
				t.Errorf("text of %q = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
