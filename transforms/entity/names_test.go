package entity

import "testing"

// Names of currencies are in any case, unless people or other things have them too.
func TestExtract_currencyNamesInAnyCase(t *testing.T) {
	for _, tt := range []struct{ text, language, url, want string }{
		{"costs 500 Baht or 600 BAHT", "en", "", "THB 500,THB 600"},
		{"costs 500 Ringgit, 700 Naira or 20 Taka", "en", "", "MYR 500,NGN 700,BDT 20"},
		{"costs 500 Dhs or 45 Dirhams", "en", "", "AED 500,AED 45"},
		{"prix 4 500 Fcfa ou 20 Dirhams", "fr", "http://a.sn/", "XOF 4500,MAD 20"},
		{"цена 4 500 Тенге или 20 Тг", "ru", "", "KZT 4500,KZT 20"},
		{"цена 20 Лева", "bg", "", "BGN 20"},
		{"fiyat 20 Lira, 30 LİRA, 40 LIRA, 50 LİRASI", "tr", "", "TRY 20,TRY 30,TRY 40,TRY 50"},
		{"cena 20 Złotych, 30 ZŁOTYCH", "pl", "", "PLN 20,PLN 30"},
		{"cena 20 ZL, 30 PLN", "pl", "", "PLN 20,PLN 30"},
		{"cena 20 Korun, 30 KORUN", "cs", "", "CZK 20,CZK 30"},
		{"preço 20 Reais, 30 REAIS", "pt", "", "BRL 20,BRL 30"},
		{"precio 20 Dólares, 30 DÓLARES", "es", "", "USD 20,USD 30"},
		{"kostet 20 DOLLAR, 30 Dollar", "de", "", "USD 20,USD 30"},
		{"cena 20 EVRO, 30 Evrov", "sl", "", "EUR 20,EUR 30"},
		{"κοστίζει 20 ΕΥΡΩ", "el", "", "EUR 20"},
		{"cijena 20 DINARA", "sr", "", "RSD 20"},
		{"giá 45.000 Đ, 35.000 VNĐ, 20.000 Vnđ", "vi", "", "VND 45000,VND 35000,VND 20000"},
		{"kostet 20 Fr. pro Tag, 30 Fr.", "de", "", "CHF 20,CHF 30"},
		{"(20 Fr.), 12.50 Fr., 5 fr", "de", "", "CHF 20,CHF 12.50,CHF 5"},
		{"kostet 45 Yuan Strafe, 20 YUAN", "de", "", "CNY 45,CNY 20"},
		{"Mo.-Do. 8-18 Fr. geschlossen", "de", "", ""},
		{"Do. 8 – 18 Fr. geschlossen", "de", "", ""},
		{"von 8 bis 18 Fr. bis mittags", "de", "", ""},
		{"Do. 17 Fr. 18 Sa. 19", "de", "", ""},
		{"Zimmer 20 Fr. Meier", "de", "", ""},
		{"am 5 Fr und Sa", "de", "", ""},
		{"im Jahr 2016 Yuan Longping", "de", "", ""},
		{"im Jahr 2014 Evra", "de", "", ""},
		{"In 2014 Evra joined Juventus", "en", "", ""},
		{"cena 20 evra, 30 EVRA", "sr", "", "EUR 20,EUR 30"},
		{"In 2018 Dollar General grew", "nl", "", ""},
		{"In 2019 Naira Zohrabyan said", "en", "", ""},
		{"the 2020 Euro Cup", "en", "", ""},
		{"In 2010 Lei Jun founded it", "en", "", ""},
		{"kostet 2000 Dollar Strafe", "de", "", "USD 2000"},
		{"costs 2000 Baht or 2.000 Euro", "en", "", "THB 2000,EUR 2000"},
		{"coûte 2000 Euros TTC ou 2010 Euros", "fr", "", "EUR 2000,EUR 2010"},
		{"In 2019 DHS announced it", "en", "", ""},
		{"costs 45 DHS", "en", "http://a.ae/", "AED 45"},
		{"Section 5 Rand Corporation", "en", "", ""},
		{"în 2012 Ron Paul", "ro", "", ""},
		{"Chapter 12 Leu and others", "ro", "", ""},
		{"prix 45 Dh, 20 DH, 10 dh", "fr", "", "MAD 20,MAD 10"},
	} {
		if got := amounts(tt.text, tt.language, tt.url); got != tt.want {
			t.Errorf("%q in %s on %q: %q, want %q", tt.text, tt.language, tt.url, got, tt.want)
		}
	}
}
