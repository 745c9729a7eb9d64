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
		{"The R21 is closed", "en", "http://a.co.za/", ""},
		{"drive on R21 north", "en", "http://a.co.za/", ""},
		{"along the N1 and R27 to Cape Town", "en", "http://a.co.za/", ""},
		{"BMW R1200 GS for sale", "en", "http://a.co.za/", ""},
		{"Yamaha R1 wins", "en", "http://a.co.za/", ""},
		{"firmware R4.1 is out", "en", "http://a.co.za/", ""},
		{"the R75 million project", "en", "http://a.co.za/", "ZAR 75000000"},
		{"the R 5 000 fine", "en", "http://a.co.za/", "ZAR 5000"},
		{"costs R12,50 or R3m", "en", "http://a.co.za/", "ZAR 12.50,ZAR 3000000"},
		{"In 2016 Rand Paul ran for president", "en", "", ""},
		{"Section 5 Rand Corporation report", "en", "", ""},
		{"Section 5 RAND Corporation report", "en", "", ""},
		{"costs 45 rand now", "en", "", "ZAR 45"},
		{"în 2012 Ron Paul a", "ro", "", ""},
		{"in 2019 Dh x", "fr", "", ""},
		{"prix 45 DH net", "fr", "", "MAD 45"},
		{"In 2014 Yuan Longping died", "en", "", ""},
		{"für 45 Yuan oder 20 Franken", "de", "", "CNY 45,CHF 20"},
		{"am 5 Fr und Sa", "de", "", ""},
		{"HOW YOU CAN $5", "en", "", "USD 5"},
		{"costs CAN$5 now", "en", "", "CAD 5"},
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
		{".75 € each", "en", "", ""},
		{"costs (.75 €)", "en", "", ""},
		{"costs <.75 €", "en", "", ""},
		{"costs Rs.75 each", "en", "", "INR 75"},
		{"kostet ca.75 € je", "de", "", "EUR 75"},
		{"It rained. 75 € were paid", "en", "", "EUR 75"},
	} {
		if got := amounts(tt.text, tt.language, tt.url); got != tt.want {
			t.Errorf("%q in %s on %q: %q, want %q", tt.text, tt.language, tt.url, got, tt.want)
		}
	}
}
