package entity

import "testing"

// East Asian names of currencies may be part of other words, or units of other things.
func TestExtract_unspacedCurrencies(t *testing.T) {
	for _, tt := range []struct{ text, language, want string }{
		{"1000円オフクーポンを配布", "ja", "JPY 1000"},
		{"500円クーポン", "ja", "JPY 500"},
		{"100円ショップ", "ja", "JPY 100"},
		{"20万円キャッシュバック", "ja", "JPY 200000"},
		{"100元クーポン", "ja", "CNY 100"},
		{"200円区間", "ja", "JPY 200"},
		{"欧州19ユーロ圏", "ja", ""},
		{"19 ユーロ圏の国", "ja", ""},
		{"欧元区19欧元区国家", "zh", ""},
		{"歐洲19歐元區國家", "zh", ""},
		{"20ドル圏", "ja", ""},
		{"100ユーロの会費", "ja", "EUR 100"},
		{"售价100欧元", "zh", "EUR 100"},
		{"100ドルをもらう", "ja", "USD 100"},
		{"12ドルフィン", "ja", ""},
		{"体重150ポンドの男", "ja", ""},
		{"牛肉100ポンドを買う", "ja", ""},
		{"推力2万ポンドのエンジン", "ja", ""},
		{"体重150ポンド、年俸3億円", "ja", "JPY 300000000"},
		{"年俸3億円で体重150ポンド", "ja", "JPY 300000000"},
		{"移籍金は3000万ポンドだった", "ja", "GBP 30000000"},
		{"重要な資金500ポンド", "ja", "GBP 500"},
		{"罰金500ポンドを科す", "ja", "GBP 500"},
		{"500ポンド（約9万円）", "ja", "GBP 500,JPY 90000"},
		{"50ポンド紙幣", "ja", "GBP 50"},
		{"3億ポンドの赤字", "ja", "GBP 300000000"},
		{"費用\n150ポンドの男", "ja", ""},
		{"100英镑", "zh", "GBP 100"},
		{"100파운드", "ko", ""},
		{"19유로존 국가", "ko", ""},
		{"100유로를 냈다", "ko", "EUR 100"},
	} {
		if got := amounts(tt.text, tt.language, ""); got != tt.want {
			t.Errorf("%q in %s: %q, want %q", tt.text, tt.language, got, tt.want)
		}
	}
}
