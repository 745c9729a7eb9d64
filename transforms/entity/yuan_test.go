package entity

import (
	"strings"
	"testing"
)

// 元 is the unit of several currencies. A name before the number decides, then the page's country, then its script.
func TestExtract_yuan(t *testing.T) {
	const tw, hk, com = "https://www.cna.com.tw/", "https://www.gov.hk/", "https://example.com/"
	for _, tt := range []struct{ text, script, url, want string }{
		{"票价500元，预算3.5亿元，售价3万5千元", "Hans", com, "CNY 500,CNY 350000000,CNY 35000"},
		{"票價500元，預算1億2,000萬元", "Hant", tw, "TWD 500,TWD 120000000"},
		{"票價500元，預算300萬元", "Hant", hk, "HKD 500,HKD 3000000"},
		{"票价20元起", "Hans", "https://www.zaobao.com.sg/", "SGD 20"},
		{"票價500元，預算1億2,000萬元", "Hant", com, ""},
		{"捐款300萬元，共500元", "Hant", "https://a.edu/", ""},
		{"门票100元，中国", "Hans", "https://x.cn/", "CNY 100"},
		{
			"港币500元，新台币800元，美金30元，日币2000元，人民币100元", "Hans", com,
			"HKD 500,TWD 800,USD 30,JPY 2000,CNY 100",
		},
		{"新臺幣5萬元、港幣100元、美金25元與人民幣60元", "Hant", tw, "TWD 50000,HKD 100,USD 25,CNY 60"},
		{"新台幣1億2,000萬元，港幣約300萬元，新台币：3万5千元", "Hant", com, "TWD 120000000,HKD 3000000,TWD 35000"},
		{"NT 250元，NTD 300元，NT$400元，HK$88元", "Hant", com, "TWD 250,TWD 300,TWD 400,HKD 88"},
		{"RMB 70元，USD 80元，US$40元", "Hant", tw, "CNY 70,USD 80,USD 40"},
		{"700元人民币，300人民元，500元新台币，60元港幣", "Hant", tw, "CNY 700,CNY 300,TWD 500,HKD 60"},
		{"他欠人民币。100元是小钱", "Hans", com, "CNY 100"},
		{"兑换港币，500元起", "Hans", com, "CNY 500"},
	} {
		var got []string
		in := Input{Text: tt.text, Language: "zh", Script: tt.script, URL: tt.url}
		for _, e := range Extract(in, Options{}) {
			if e.Type == typeMoney {
				got = append(got, e.ID)
			}
		}
		if s := strings.Join(got, ","); s != tt.want {
			t.Errorf("%q under %s: %q, want %q", tt.text, tt.url, s, tt.want)
		}
	}
}
