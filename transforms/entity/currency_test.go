package entity

import "testing"

// amounts returns the amounts in a text.
func amounts(text, language, url string) string {
	return amountsOf(Input{Text: text, Language: language, URL: url})
}

// Signs and names of several currencies are of the page's country.
func TestExtract_currenciesByCountry(t *testing.T) {
	for _, tt := range []struct{ text, language, url, want string }{
		{"cuesta $ 1.500.000 hoy", "es", "http://a.com.co/", "COP 1500000"},
		{"cuesta $ 1.500.000 hoy", "es", "http://www.a.gov.co/", "COP 1500000"},
		{"cuesta $ 1.500.000 hoy", "es", "http://u.edu.co./", "COP 1500000"},
		{"costs $ 1,500 now", "en", "http://startup.co/", "USD 1500"},
		{"costs $ 1,500 now", "en", "http://com.co/", "USD 1500"},
		{"стоит 50 руб. за кг", "ru", "http://a.by/", "BYN 50"},
		{"стоит 50 рублей", "ru", "http://a.by/", "BYN 50"},
		{"стоит 50 рублей", "ru", "http://a.ru/", "RUB 50"},
		{"стоит 50 ₽", "ru", "http://a.by/", "RUB 50"},
		{"стоит 50 RUB", "ru", "http://a.by/", "RUB 50"},
		{"costă 500 lei", "ro", "http://a.md/", "MDL 500"},
		{"costă 500 de lei", "ro", "http://a.ro/", ""},
		{"costă 500 lei", "ro", "http://a.ro/", "RON 500"},
		{"costă 500 lei moldovenești", "ro", "http://a.ro/", "MDL 500"},
		{"costs 500 rupees", "en", "http://a.pk/", "PKR 500"},
		{"costs 500 rupees", "en", "http://a.lk/", "LKR 500"},
		{"costs ₨ 500", "en", "http://a.np/", "NPR 500"},
		{"costs ₨ 500", "en", "http://a.mu/", "MUR 500"},
		{"costs ₨ 500 or 700 rupees", "en", "http://a.in/", "INR 500,INR 700"},
		{"costs ₹ 500", "en", "http://a.pk/", "INR 500"},
		{"costs ₨ 5 lakh", "en", "http://a.pk/", "PKR 500000"},
		{"بسعر 100 ريال", "ar", "http://a.qa/", "QAR 100"},
		{"بسعر 100 ريال", "ar", "http://a.om/", "OMR 100"},
		{"بسعر 100 ريال", "ar", "http://a.ye/", "YER 100"},
		{"بسعر 100 ريال", "ar", "http://a.sa/", "SAR 100"},
		{"بسعر 100 ريال قطري", "ar", "http://a.com/", "QAR 100"},
		{"بسعر 100 جنيه", "ar", "http://a.sd/", "SDG 100"},
		{"بسعر 100 جنيه", "ar", "http://a.eg/", "EGP 100"},
		{"بسعر 100 جنيه إسترليني", "ar", "http://a.eg/", "GBP 100"},
		{"cuesta C$ 500", "es", "http://a.ni/", "NIO 500"},
		{"costs C$ 500", "en", "http://a.com/", "CAD 500"},
		{"costa £ 50.000 al giorno", "it", "http://a.it/", ""},
		{"costa £ 1.250.000", "it", "http://a.it/", ""},
		{"costa £ 25,50", "it", "http://a.it/", "GBP 25.50"},
		{"costa £ 50.000", "it", "http://a.co.uk/", "GBP 50000"},
		{"costs CN¥ 500 or JP¥ 700 or E£ 5", "en", "http://a.com/", "CNY 500,JPY 700,EGP 5"},
		{"it costs RMB¥500", "en", "", "CNY 500"},
	} {
		if got := amounts(tt.text, tt.language, tt.url); got != tt.want {
			t.Errorf("%q (%s %s): %q, want %q", tt.text, tt.language, tt.url, got, tt.want)
		}
	}
}

func TestRegionOf_soldDomains(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.com.co/": "CO", "http://GOV.CO/": "CO", "http://a.co/": "", "http://a.com.ai/": "", "http://co/": "",
		"http://minister.gov.ly/": "LY", "http://uni.edu.la/x": "LA", "http://a.io/": "", "http://a.org.uk/": "GB",
	} {
		if got := regionOf(url); got != want {
			t.Errorf("regionOf(%s) = %q, want %q", url, got, want)
		}
	}
}

// The value is right, or there is none, also if the scale precedes the currency or is another language's.
func TestExtract_scalesBeforeCurrency(t *testing.T) {
	for _, tt := range []struct{ text, language, want string }{
		{"Umsatz T€ 1.234 im Jahr", "de", "EUR 1234000"},
		{"Umsatz k€ 5 im Jahr", "de", "EUR 5000"},
		{"CA M€ 5 par an", "fr", "EUR 5000000"},
		{"Umsatz Mio. EUR 12,5 im Jahr", "de", "EUR 12500000"},
		{"tūkst. EUR 1 234", "lt", ""},
		{"tūkst. EUR 2019", "lt", ""},
		{"mljrd. EUR 2", "lv", ""},
		{"5 tūkst. eurų", "lt", "EUR 5000"},
		{"It cost a crore. EUR 5 was left", "en", "EUR 5"},
		{"Umsatz Mio. € 12,5 im Jahr", "de", "EUR 12500000"},
		{"Umsatz Mio.€ 12,5 im Jahr", "de", "EUR 12500000"},
		{"Umsatz Mrd. € 3 im Jahr", "de", "EUR 3000000000"},
		{"ricavi di mln € 5 annui", "it", "EUR 5000000"},
		{"ricavi di Mld EUR 5 annui", "it", "EUR 5000000000"},
		{"Tsd. CHF 5 im Jahr", "de", "CHF 5000"},
		{"in Millionen € 3 und", "de", ""},
		{"in T EUR 1.234 und", "de", ""},
		{"TEUR 1.234", "de", ""},
		{"Umsatz T € 1.234 und", "de", ""},
		{"Umsatz T CHF 1.234 und", "de", ""},
		{"Umsatz (T € 1.234) und", "de", ""},
		{"ventes [M € 5]", "fr", ""},
		{"ventes en M € 5", "fr", ""},
		{"ventes k € 5", "fr", ""},
		{"Umsatz:\nT € 5", "de", ""},
		{"M € 5", "fr", ""},
		{"Size M £25", "en", "GBP 25"},
		{"Gr. M € 19,90", "de", "EUR 19.90"},
		{"Taille M €\u00A019,90", "fr", "EUR 19.90"},
		{"Ford Model T $850", "en", "USD 850"},
		{"Modell T $ 850", "de", "USD 850"},
		{"Vitamin K €12", "en", "EUR 12"},
		{"Special K $4.99", "en", "USD 4.99"},
		{"Size M. £25 each", "en", "GBP 25"},
		{"Agent K. USD 5 each", "en", "USD 5"},
		{"It cost a million. $5 was left.", "en", "USD 5"},
		{"Das waren Millionen. € 5 blieben.", "de", "EUR 5"},
		{"Il coûte des milliards. EUR 5 restent.", "fr", "EUR 5"},
		{"It cost a million $5 notes", "en", ""},
		{"some bn. € 5 net", "en", ""},
		{"in Mio. EUR 2019 2018", "de", ""},
		{"Mio. € 5 Mio.", "de", ""},
		{"das sind 5 Mio. € 3 mehr", "de", "EUR 5000000"},
		{"ich bin € 5 los", "de", "EUR 5"},
		{"ab€ 5 und nur € 7", "de", "EUR 5,EUR 7"},
		{"Baltimore, MD $500 and MN $20", "en", "USD 500,USD 20"},
		{"kostet CHF 5 Mia. im Jahr", "de", "CHF 5000000000"},
		{"kostet CHF 5 Mia. Das ist viel", "de", "CHF 5000000000"},
		{"coûte CHF 5 mia. par an", "fr", ""},
		{"a loan of $500 MM in oil", "en", "USD 500000000"},
		{"un préstamo de $500 MM anual", "es", "USD 500000000"},
		{"ein Kredit von $500 MM im Jahr", "de", ""},
		{"a salary of ₹ 12 LPA for", "en", "INR 1200000"},
		{"Kredit von $5 bln. im Jahr", "de", ""},
		{"un crédito de $5 BLN", "es", ""},
		{"Ich zahle € 5 bin aber", "de", "EUR 5"},
		{"Ich zahle € 5. bin aber", "de", "EUR 5"},
		{"it costs $5 TO SHIP", "en", "USD 5"},
	} {
		if got := amounts(tt.text, tt.language, ""); got != tt.want {
			t.Errorf("%q (%s): %q, want %q", tt.text, tt.language, got, tt.want)
		}
	}
}
