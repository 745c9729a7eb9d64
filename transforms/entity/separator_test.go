package entity

import "testing"

// One sign before three digits is of decimals or of thousands, by the page's language, the currency and scale words.
func TestExtract_threeDecimals(t *testing.T) {
	tests := []struct{ text, language, url, want string }{
		{"a revenue of $1.234 billion", "en", "", "USD 1234000000"},
		{"a revenue of £2.125m", "en", "", "GBP 2125000"},
		{"a revenue of €1.725 billion", "en", "", "EUR 1725000000"},
		{"gas at $3.459 a gallon", "en", "", "USD 3.459"},
		{"silver at $14.567 an ounce", "en", "", "USD 14.567"},
		{"a house for $123.456", "en", "", "USD 123456"},
		{"für 12,345 Euro", "de", "", "EUR 12345"},
		{"pour 2,345 €", "fr", "", "EUR 2.345"},
		{"a fee of $2.800 a term", "en", "", "USD 2800"},
		{"a fee of €1.250 a term", "en", "", "EUR 1250"},
		{"a revenue of €1.200 million", "en", "", ""},
		{"a revenue of $1.000 billion", "en", "", "USD 1000000000"},
		{"a revenue of $1,234 million", "en", "", "USD 1234000000"},
		{"1,659 Euro je Liter", "de", "", "EUR 1.659"},
		{"für 1,234 Mrd. Euro", "de", "", "EUR 1234000000"},
		{"für 1.234 Mrd. Euro", "de", "", "EUR 1234000000000"},
		{"für 1.234 Euro", "de", "", "EUR 1234"},
		{"für 1,000 Euro", "de", "", "EUR 1000"},
		{"für $1,299", "de", "", "USD 1299"},
		{"CHF 1.250", "de", "http://a.ch/", "CHF 1250"},
		{"1,725 million d'euros", "fr", "", "EUR 1725000"},
		{"le gazole à 1,725 € le litre", "fr", "", "EUR 1.725"},
		{"1.250 miliardi di euro", "it", "", "EUR 1250000000000"},
		{"1,255 miliardi di euro", "it", "", "EUR 1255000000"},
		{"bensin 18,745 kr", "sv", "", "SEK 18.745"},
		{"1,234 млрд рублей", "ru", "", "RUB 1234000000"},
		{"R$ 1,255 milhão", "pt", "", "BRL 1255000"},
		{"Rp 25.000 saja", "id", "", "IDR 25000"},
		{"Rp 25,000 saja", "id", "", "IDR 25000"},
		{"Rp 1,234 triliun", "id", "", "IDR 1234000000000"},
		{"售价1.234亿元", "zh", "", "CNY 123400000"},
		{"売上は1,234億円", "ja", "", "JPY 123400000000"},
		{"¥1.980 です", "ja", "", "JPY 1980"},
		{"ราคา 1.234 ล้านบาท", "th", "", "THB 1234000"},
		{"2.500 millones de dólares", "es", "", "USD 2500000000"},
		{"1,234 millones de euros", "es", "", "EUR 1234000"},
		{"1,234 millones de dólares", "es", "", ""},
		{"1,234 millones de dólares", "es", "http://a.mx/", "USD 1234000000"},
		{"1,234 millones de dólares", "es", "http://a.cl/", "USD 1234000"},
		{"cost €1.234 million", "", "", ""},
		{"cost 1,234 million euros", "", "", ""},
		{"cost 1.000€", "", "", "EUR 1000"},
		{"$1.234 to $1.5 billion", "en", "", "USD 1234000000,USD 1500000000"},
		{"$0.024 per mile", "en", "", "USD 0.024"},
		{"€1,234.567", "de", "", "EUR 1234.567"},
	}
	for _, tt := range tests {
		if got := amounts(tt.text, tt.language, tt.url); got != tt.want {
			t.Errorf("%q (%s %s): %q, want %q", tt.text, tt.language, tt.url, got, tt.want)
		}
	}
}

// Arabic digits have a decimal sign of their own, before any number of digits.
func TestExtract_arabicDecimals(t *testing.T) {
	tests := []struct{ text, language, want string }{
		{"۱٫۲۳۴ میلیارد ریال", "fa", "IRR 1234000000"},
		{"بلغت ١٫٢٣٤ مليار دولار", "ar", "USD 1234000000"},
		{"بلغت ١٬٢٣٤ مليون دولار", "ar", "USD 1234000000"},
		{"بلغت ١٫٦٥٩ € للواحد", "ar", "EUR 1.659"},
		{"بلغت ١٬٢٥٠٫٥٠ € للواحد", "ar", "EUR 1250.50"},
		{"بلغت ١٬٢٥٠ € للواحد", "ar", "EUR 1250"},
		{"بلغت ١٫٢٥٠٫٥٠٠ € للواحد", "ar", ""},
		{"قیمت ۱۲٫۵ یورو", "fa", "EUR 12.50"},
	}
	for _, tt := range tests {
		if got := amounts(tt.text, tt.language, ""); got != tt.want {
			t.Errorf("%q (%s): %q, want %q", tt.text, tt.language, got, tt.want)
		}
	}
}
