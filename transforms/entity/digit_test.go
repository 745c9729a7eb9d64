package entity

import "testing"

func TestPatterns_otherDigits(t *testing.T) {
	tests := []struct{ name, text, language, want, id string }{
		{"Arabic, a decimal", "سعر الخبز ١٢٫٥٠ دولار اليوم", "ar", "١٢٫٥٠ دولار", "USD 12.50"},
		{"Arabic, a sign", "بلغت التكلفة ٢٥٠ $ للواحد", "ar", "٢٥٠ $", "USD 250"},
		{"Arabic, thousands", "بلغت ١٬٢٥٠ € للواحد", "ar", "١٬٢٥٠ €", "EUR 1250"},
		{"Persian", "قیمت آن ۱۲۰ یورو بود", "fa", "۱۲۰ یورو", "EUR 120"},
		{"Persian, dollars", "قیمت آن ۱۲۰ دلار بود", "fa", "۱۲۰ دلار", "USD 120"},
		{"Urdu", "قیمت ۵۰۰ روپے ہے", "ur", "۵۰۰ روپے", "PKR 500"},
		{"Hindi, a sign", "कीमत ₹ १,२५० है", "hi", "₹ १,२५०", "INR 1250"},
		{"Hindi, a scale", "₹२.५ करोड़ की लागत", "hi", "₹२.५ करोड़", "INR 25000000"},
		{"Marathi, a name", "किंमत १२० रुपये आहे", "mr", "१२० रुपये", "INR 120"},
		{"Bengali, a name", "দাম ১২০ টাকা মাত্র", "bn", "১২০ টাকা", "BDT 120"},
		{"Bengali, a sign", "দাম ৳ ১২০ মাত্র", "bn", "৳ ১২০", "BDT 120"},
		{"Burmese", "ဈေး $၁၂၀ ဖြစ်သည်", "my", "$၁၂၀", "USD 120"},
		{"Thai", "ราคา ฿๑๒๐ ต่อชิ้น", "th", "฿๑๒๐", "THB 120"},
		{"full width, digits alone", "価格は￥１２００です", "ja", "￥１２００", "JPY 1200"},
		{"a date", "يوم ٠٥/٠٨/٢٠١٩ في", "ar", "٠٥/٠٨/٢٠١٩", "2019-08-05"},
		{"after other digits", "१२३ लोग, ₹ १२० है", "hi", "₹ १२०", "INR 120"},
		{"an ASCII amount after them", "१२३ लोग, ₹ 120 है", "hi", "₹ 120", "INR 120"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLocale(tt.language, "")
			found := scan(tt.text, l, newPhones(l.region, 10))
			if len(found) != 1 || tt.text[found[0].start:found[0].end] != tt.want || found[0].id != tt.id {
				t.Errorf("scan(%q) = %+v, want %q with id %q", tt.text, found, tt.want, tt.id)
			}
		})
	}
}
