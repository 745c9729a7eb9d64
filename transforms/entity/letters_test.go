package entity

import "testing"

// Currencies in the letters, signs and names of their countries.
func TestExtract_currenciesByLetters(t *testing.T) {
	for _, tt := range []struct{ text, language, url, want string }{
		{"kos RM45.50 sahaja", "ms", "", "MYR 45.50"},
		{"costs RM 2.5 million now", "en", "http://a.my/", "MYR 2500000"},
		{"room RM 45 upstairs", "en", "http://a.org/", ""},
		{"costs R1 250 or R3.5 million", "en", "http://a.co.za/", "ZAR 1250,ZAR 3500000"},
		{"take the R21 south", "en", "http://a.co.za/", ""},
		{"type R21 today", "en", "http://a.org/", ""},
		{"cuesta S/ 45.50 o S/. 20", "es", "http://a.pe/", "PEN 45.50,PEN 20"},
		{"cuesta Bs. 45 hoy", "es", "http://a.bo/", "BOB 45"},
		{"costs KSh 1,200 now", "en", "", "KES 1200"},
		{"costs GH₵1,200 now", "en", "", "GHS 1200"},
		{"cuesta ₡1500 hoy", "es", "http://a.cr/", "CRC 1500"},
		{"costs CAD$12.50 now", "en", "", "CAD 12.50"},
		{"costs SGD $12.50 now", "en", "", "SGD 12.50"},
		{"costs EUR12.50 now", "en", "", "EUR 12.50"},
		{"at COP26 in Glasgow", "en", "", ""},
		{"giá 45.000đ hôm nay", "vi", "", "VND 45000"},
		{"giá 45.000 VNĐ hôm nay", "vi", "", "VND 45000"},
		{"cena 45,50 zl dziś", "pl", "", "PLN 45.50"},
		{"costă 45 RON azi", "ro", "", "RON 45"},
		{"octane 95 RON fuel", "en", "", ""},
		{`מחיר 45 ש"ח בלבד`, "he", "", "ILS 45"},
		{"מחיר 45 ש״ח בלבד", "he", "", "ILS 45"},
		{"narxi 45 000 so‘m bugun", "uz", "", "UZS 45000"},
		{"السعر 450 درهم فقط", "ar", "http://a.ae/", "AED 450"},
		{"السعر 450 درهم فقط", "ar", "http://a.ma/", "MAD 450"},
		{"prix 4 500 FCFA net", "fr", "http://a.sn/", "XOF 4500"},
		{"prix 4 500 FCFA net", "fr", "http://a.cm/", "XAF 4500"},
		{"цена 690 ден. денес", "mk", "", "MKD 690"},
		{"бағасы 4 500 тг бүгін", "kk", "", "KZT 4500"},
		// Hundredfold amounts are worse than none.
		{"costs .75 € each", "en", "", ""},
		{"costs .5 USD each", "en", "", ""},
		{"It rained. 75 € were paid", "en", "", "EUR 75"},
	} {
		if got := amounts(tt.text, tt.language, tt.url); got != tt.want {
			t.Errorf("%q in %s on %q: %q, want %q", tt.text, tt.language, tt.url, got, tt.want)
		}
	}
}
