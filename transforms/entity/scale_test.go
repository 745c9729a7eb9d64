package entity

import (
	"strings"
	"testing"
)

// These are amounts with scale words: the value is right, or there is none.
func TestExtract_scales(t *testing.T) {
	tests := []struct{ text, language, url, want string }{
		{"cost ₹ 2.5 crore in all", "en", "", "INR 25000000"},
		{"cost ₹2.5 crore in all", "", "", "INR 25000000"},
		{"cost Rs. 5 lakh in all", "en", "", "INR 500000"},
		{"cost Rs 3 lakh crore in all", "en", "", "INR 3000000000000"},
		{"कुल ₹ 5 करोड़ की लागत", "hi", "", "INR 50000000"},
		{"மொத்தம் ₹ 5 கோடி ஆகும்", "ta", "", "INR 50000000"},
		{"Biayanya Rp 5 juta untuk", "id", "", "IDR 5000000"},
		{"costs Rp 5 juta for", "en", "", "IDR 5000000"},
		{"Biayanya Rp 2,5 miliar", "id", "", "IDR 2500000000"},
		{"Harganya Rp5 rb saja", "id", "", "IDR 5000"},
		{"Nilainya Rp 5 M lebih", "id", "", "IDR 5000000000"},
		{"stála 5 mil. Kč celkem", "cs", "", "CZK 5000000"},
		{"stála 5 mil. Kč celkem", "", "", "CZK 5000000"},
		{"stála 5 tis. Kč celkem", "cs", "", "CZK 5000"},
		{"cuesta 5 mil euros", "es", "", "EUR 5000"},
		{"cuesta 5 mil millones de euros", "es", "", "EUR 5000000000"},
		{"costs $5 mil a year", "en", "", ""},
		{"koszt 5 tys. zł rocznie", "pl", "", "PLN 5000"},
		{"kosztuje 2,5 mln zł", "pl", "", "PLN 2500000"},
		{"5 bin TL oldu", "tr", "", "TRY 5000"},
		{"Ich zahle 5 € bin aber", "de", "", "EUR 5"},
		{"giá 5 tỷ đồng mỗi", "vi", "", "VND 5000000000"},
		{"kostar 3 miljarder kr per", "sv", "", "SEK 3000000000"},
		{"koster 3 mia. kr. om", "da", "", "DKK 3000000000"},
		{"costă 5 milioane de lei", "ro", "", "RON 5000000"},
		{"5 χιλιάδες ευρώ", "el", "", "EUR 5000"},
		{"стоит 5 млн руб", "ru", "", "RUB 5000000"},
		{"коштує 5 мільйонів гривень", "uk", "", "UAH 5000000"},
		{"費用は5億円です", "ja", "", "JPY 500000000"},
		{"費用は¥5億です", "ja", "", "JPY 500000000"},
		{"3月に¥5億 ", "ja", "", "JPY 500000000"},
		{"費用は1億2000万円です", "ja", "", ""},
		{"費用は1億 2000万円です", "ja", "", ""},
		{"費用は3百万円です", "ja", "", "JPY 3000000"},
		{"共3万元", "zh", "", "CNY 30000"},
		{"ราคา ฿5 ล้านต่อปี", "th", "", "THB 5000000"},
		{"ราคา ฿5 พันล้าน", "th", "", "THB 5000000000"},
		{"ราคา ฿500 ต่อปี", "th", "", "THB 500"},
		{"খরচ ₹ 5 কোটি টাকা", "bn", "", "INR 50000000"},
		{"총 500만 원을", "ko", "", "KRW 5000000"},
		{"a sum of $3 hundred million", "en", "", "USD 300000000"},
		{"a sum of $2 hundred thousand", "en", "", "USD 200000"},
		{"a sum of $5 billion", "en", "", "USD 5000000000"},
		{"eine Summe von 5 Billionen Euro", "de", "", "EUR 5000000000000"},
		{"rund 1,2 Milliarden Franken wurden", "de", "", "CHF 1200000000"},
		{"das kostet 5 Mio. US-Dollar im Jahr", "de", "", "USD 5000000"},
		{"das kostet 5 Millionen Dollar im Jahr", "de", "", "USD 5000000"},
		{"det kostar 3 miljoner kronor", "sv", "", "SEK 3000000"},
		{"proje 3 milyon lira tuttu", "tr", "", "TRY 3000000"},
		{"ceza 5 bin lira oldu", "tr", "", "TRY 5000"},
		{"una multa di 3 milioni di dollari", "it", "", "USD 3000000"},
		{"un plan de 2.500 millones de dólares", "es", "", "USD 2500000000"},
		{"kosztuje 3 mln dolarów", "pl", "", "USD 3000000"},
		{"kosztuje 1200 złotych", "pl", "", "PLN 1200"},
		{"стоит 3 млрд долларов", "ru", "", "USD 3000000000"},
		{"струва 2 млрд. лева", "bg", "", "BGN 2000000000"},
		{"2 milliárd forintot kap", "hu", "", "HUF 2000000000"},
		{"งบประมาณ 5 ล้านบาทต่อปี", "th", "", "THB 5000000"},
		{"5 लाख रुपये मिले", "hi", "", "INR 500000"},
		{"5 কোটি টাকা ব্যয়", "bn", "", "BDT 50000000"},
		{"העלות 3 מיליון שקל", "he", "", "ILS 3000000"},
		{"بلغت 3 ملايين دولار", "ar", "", "USD 3000000"},
		{"costs 3 million US dollars", "en", "", "USD 3000000"},
		{"κοστίζει 3 εκατ. ευρώ", "el", "", "EUR 3000000"},
		{"κοστίζει 2 δισ. ευρώ", "el", "", "EUR 2000000000"},
		{"12 dollar bills", "en", "", ""},
		{"a sum of $3 gazillion", "en", "", ""},
		{"una suma de 3 quintillones de euros", "es", "", ""},
		{"between $2.5 to $3 billion", "en", "", "USD 2500000000,USD 3000000000"},
		{"some $2.5 to 3 billion", "en", "", "USD 2500000000"},
		{"some €2–€3 million", "en", "", "EUR 2000000,EUR 3000000"},
		{"zwischen €2 bis €3 Milliarden", "de", "", "EUR 2000000000,EUR 3000000000"},
		{"from $500 to $3 million", "en", "", "USD 3000000"},
		{"between $2 and $3 million", "en", "", "USD 3000000"},
		{"from $5 to $8 each", "en", "", "USD 5,USD 8"},
		{"un budget de 3 M€ par an", "fr", "", "EUR 3000000"},
		{"un budget de 30 k€ par an", "fr", "", "EUR 30000"},
		{"un budget de 3 M € par an", "fr", "", "EUR 3000000"},
		{"un budget de 2,5 Md€ par an", "fr", "", "EUR 2500000000"},
		{"ein Umsatz von 5 Mio. € im Jahr", "de", "", "EUR 5000000"},
		{"ein Umsatz von 5 Mrd. Euro im Jahr", "de", "", "EUR 5000000000"},
		{"it is $5m now", "en", "", "USD 5000000"},
		{"it is $5 per month", "en", "", "USD 5"},
		{"pour 11€99 par mois", "fr", "", "EUR 11.99"},
		{"entre 11€ et 12€", "fr", "", "EUR 11,EUR 12"},
		{"it is £5.", "en", "", "GBP 5"},
		{"pris 12 kr för", "sv", "", "SEK 12"},
		{"pris 12 kr.", "da", "", "DKK 12"},
		{"pris kr 12 for", "nb", "", "NOK 12"},
		{"only 12 kr here", "en", "http://a.se/", "SEK 12"},
		{"only 12 kr here", "en", "http://a.example/", ""},
		{"only Rs. 500 here", "en", "", "INR 500"},
		{"only Rs 1,500/- here", "en", "", "INR 1500"},
		{"only Rs. 500 here", "en", "http://a.pk/", "PKR 500"},
		{"only Rs. 500 here", "en", "http://a.lk/", "LKR 500"},
	}
	for _, tt := range tests {
		var got []string
		for _, e := range Extract(Input{Text: tt.text, Language: tt.language, URL: tt.url}, Options{}) {
			if e.Type == "money" {
				got = append(got, e.ID)
			}
		}
		if s := strings.Join(got, ","); s != tt.want {
			t.Errorf("%q (%s %s): %q, want %q", tt.text, tt.language, tt.url, s, tt.want)
		}
	}
}
