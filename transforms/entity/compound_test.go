package entity

import "testing"

func TestPatterns_compoundAmounts(t *testing.T) {
	tests := []struct{ name, text, language, want, id string }{
		{"Japanese", "価格は3万5000円です", "ja", "3万5000円", "JPY 35000"},
		{"Japanese, a hundred million", "総額1億2000万円の事業", "ja", "1億2000万円", "JPY 120000000"},
		{"Chinese", "售价3万5千元左右", "zh", "3万5千元", "CNY 35000"},
		{"Korean", "가격은 3만 5천 원입니다", "ko", "3만 5천 원", "KRW 35000"},
		{"Korean, of thousands of ten thousands", "총 1억 2천만 원을", "ko", "1억 2천만 원", "KRW 120000000"},
		{"Korean, with separators", "가격은 3만 5,500원", "ko", "3만 5,500원", "KRW 35500"},
		{"other digits", "価格は３万５０００円です", "ja", "３万５０００円", "JPY 35000"},
		{"ascending", "3千5万円", "ja", "", ""},
		{"no currency", "3万5000人が来た", "ja", "", ""},
		{"a dash before the currency", "kost 12,- euro per stuk", "nl", "12,- euro", "EUR 12"},
		{"a dash, a sign", "für 12,- € das Stück", "de", "12,- €", "EUR 12"},
		{"a dash, a code", "pris 1.250,- DKK", "da", "1.250,- DKK", "DKK 1250"},
		{"a dash after kr", "pris kr 1.250,- per stk", "no", "kr 1.250,-", "NOK 1250"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLocale(tt.language, "")
			found := scan(tt.text, l, newPhones(l.region, 10))
			if tt.want == "" {
				for _, m := range found {
					if m.kind == typeMoney {
						t.Errorf("scan(%q) = %+v, want none", tt.text, found)
					}
				}
				return
			}
			if len(found) != 1 || tt.text[found[0].start:found[0].end] != tt.want || found[0].id != tt.id {
				t.Errorf("scan(%q) = %+v, want %q with id %q", tt.text, found, tt.want, tt.id)
			}
		})
	}
}
