package entity

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// TestExtract_declaredCountry: a declared language with a country decides like a domain, unless programs declare it
// unasked.
func TestExtract_declaredCountry(t *testing.T) {
	for _, tt := range []struct{ text, language, url, declared, want string }{
		{"Now $600 only", "en", "https://a.com/", "en-AU", "AUD 600"},
		{"Now $600 only", "en", "https://a.com/", "en_CA", "CAD 600"},
		{"Now $600 only", "en", "https://a.com/", "en-US", "USD 600"},
		{"Now $600 only", "en", "https://a.com/", "en", "USD 600"},
		{"Now $600 only", "en", "https://a.ca/", "en-AU", "CAD 600"},
		{"Now $600 only", "en", "https://a.com/", "fr-CA", "USD 600"},
		{"現在只要 $600 元", "zh", "https://a.com/", "zh-TW", "TWD 600"},
		{"現在只要 $600 元", "zh", "https://a.com/", "zh-Hant-HK", "HKD 600"},
		{"cuesta 500 pesos hoy", "es", "https://a.com/", "es-MX", "MXN 500"},
		{"cuesta 500 pesos hoy", "es", "https://a.com/", "es_CL", "CLP 500"},
		{"cuesta 500 pesos hoy", "es", "https://a.com/", "es-ES", ""},
		{"cuesta 500 pesos hoy", "es", "https://a.com/", "es-419", ""},
	} {
		in := Input{Text: tt.text, Language: tt.language, URL: tt.url, Declared: []string{"", tt.declared}}
		if got := amountsOf(in); got != tt.want {
			t.Errorf("%q under %s in %s: %q, want %q", tt.text, tt.url, tt.declared, got, tt.want)
		}
	}
}

// TestExtract_currencyOfPrices: the currency of a page's prices is that of their sign, if it is the only one.
func TestExtract_currencyOfPrices(t *testing.T) {
	const offer = `{"@type": "Product", "name": "Kettle", "offers": {"@type": "Offer", "price": "600", "priceCurrency": `
	for _, tt := range []struct{ text, url, ld, html, want string }{
		{"Now $600 only", "https://a.com/", offer + `"CAD"}}`, "", "CAD 600"},
		{"Now $600 only", "https://a.com.au/", offer + `"USD"}}`, "", "USD 600"},
		{"Now $600 only", "https://a.com/", offer + `"EUR"}}`, "", "USD 600"},
		{"Now $600 only", "https://a.com/", offer + `["CAD", "AUD"]}}`, "", "USD 600"},
		{"Now ¥600 only", "https://a.com/", offer + `"CNY"}}`, "", "CNY 600"},
		{"Now 600 kr only", "https://a.com/", offer + `"NOK"}}`, "", "NOK 600"},
		{"Now A$600 only", "https://a.com/", offer + `"CAD"}}`, "", "AUD 600"},
		{"Now $600 only", "https://a.com/", "", `<meta property="og:price:currency" content="NZD">`, "NZD 600"},
		{"Now $600 only", "https://a.com/", "", `<meta property="product:price:currency" content="MXN">`, "MXN 600"},
		{
			"Now $600 only", "https://a.com/", "",
			`<p itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="SGD">`, "SGD 600",
		},
	} {
		in := Input{Text: tt.text, Language: "en", URL: tt.url}
		if tt.ld != "" {
			in.LD, _ = jsonld.Parse(tt.ld, jsonld.Options{})
		}
		if tt.html != "" {
			in.Page = page.Parse([]byte(tt.html), page.Options{})
		}
		if got := amountsOf(in); got != tt.want {
			t.Errorf("%q with %s%s: %q, want %q", tt.text, tt.ld, tt.html, got, tt.want)
		}
	}
}

func amountsOf(in Input) string {
	var got []string
	for _, e := range Extract(in, Options{}) {
		if e.Type == typeMoney {
			got = append(got, e.ID)
		}
	}
	return strings.Join(got, ",")
}
