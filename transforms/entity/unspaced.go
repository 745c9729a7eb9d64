package entity

import (
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/cldr"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// unspaced are names of currencies in East Asia, by code. A name comes before its beginning.
var unspaced = func() (list []struct{ sign, code string }) {
	for _, of := range [...]struct{ code, names string }{
		{"USD", "元美金 元美元 美元 美金 米ドル ドル 달러"},
		{"HKD", "元港币 元港幣 港元 港币 港幣 香港ドル 홍콩달러"},
		{"TWD", "元新台币 元新台幣 元新臺幣 新台币 新台幣 新臺幣 台币 台幣 臺幣 台湾ドル"},
		{"CNY", "元人民币 元人民幣 元 人民币 人民幣 人民元 위안"},
		{"JPY", "円 日元 日圆 日圓 日幣 엔"},
		{"KRW", "원 韩元 韓元 韓圜 ウォン"},
		{"EUR", "欧元 歐元 ユーロ 유로"},
		{"GBP", "英镑 英鎊 ポンド"},
		{"AUD", "澳元 豪ドル 호주달러"},
		{"CAD", "加元 加币 加幣 加ドル カナダドル 캐나다달러"},
		{"SGD", "新加坡元 シンガポールドル"},
		{"NZD", "新西兰元 紐元 纽元"},
		{"RUB", "卢布 盧布 ルーブル 루블"},
		{"THB", "泰铢 泰銖 バーツ"},
		{"CHF", "瑞士法郎 スイスフラン"},
		{"VND", "越南盾"},
	} {
		for name := range strings.FieldsSeq(of.names) {
			list = append(list, struct{ sign, code string }{name, of.code})
		}
	}
	return list
}()

// unspacedCurrency returns the East Asian name of a currency at i and its end, or "". The amount needs two digits,
// since one digit and a character are mostly something else. For example, 3元素 are elements, and 원 within a Korean word
// is not won.
func unspacedCurrency(text string, i int) (code string, end int) {
	if text[i] < 0xE3 { // before kana, Han and Hangul
		return "", i
	}
	for _, name := range unspaced {
		rest, ok := strings.CutPrefix(text[i:], name.sign)
		if !ok {
			continue
		}
		last := skipSpaceBack(text, i) - 1
		before, _ := utf8.DecodeLastRuneInString(text[:last+1])
		_, scaled := cldr.AnyScale(string(before))
		number := last > 0 && isDigit(text[last]) && isDigit(text[last-1]) || scaled && isEastAsian(before)
		if !number {
			continue
		}
		next, _ := utf8.DecodeRuneInString(rest)
		final, _ := utf8.DecodeLastRuneInString(name.sign)
		// A Korean particle may follow. Other syllables make it another word, as letters of Katakana do after their like.
		if 0xAC00 <= next && next < 0xD7B0 && !strings.ContainsRune("을를의이가은는에으로와입", next) ||
			isKatakana(next) && isKatakana(final) || len(name.sign) > len("円") && isArea(rest) ||
			final == '元' && strings.ContainsRune("旦宵素件宇老首帅帥朝", next) || // 2025元旦 is a day
			name.sign == "ポンド" && !isSterling(text, i) {
			continue
		}
		return name.code, i + len(name.sign)
	}
	return "", i
}

// isArea reports whether an area follows the name of a currency, as in 欧元区. 区间 is a range of prices.
func isArea(rest string) bool {
	for _, word := range [...]string{"区间", "區間", "区間"} {
		if strings.HasPrefix(rest, word) {
			return false
		}
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return strings.ContainsRune("圏圈区區", next)
}

func isKatakana(r rune) bool { return 0x30A1 <= r && r < 0x3100 && r != '・' }

// paid finds words near an amount of money in Japanese, for pounds, which are also a weight. Fuel and food are weighed,
// and 無料 is free.
var paid = pattern.Lazy(`円|£|億|兆|ユーロ|金額|賞金|罰金|資金|籍金|[^原塗無調資食飲飼香材染燃試肥衣顔]料(?:[^理]|$)|賃|[時日週月年]給|` +
	`給与|支給|給付|基金|税|価格|価値|値段|費用|経費|旅費|学費|予算|払|売上|売却|収入|年俸|紙幣|硬貨|借|債|` +
	`損失|赤字|黒字|落札|寄付|投資|賭`)

// isSterling reports whether pounds at i are money, as the words around or 万 before them say.
func isSterling(text string, i int) bool {
	before := text[max(0, i-longPound):i]
	before = before[strings.LastIndexAny(before, "\n。")+1:]
	after := text[i+len("ポンド") : min(len(text), i+longPound)]
	if end := strings.IndexAny(after, "\n。、"); end >= 0 {
		after = after[:end]
	}
	for _, word := range [...]string{"体重", "重さ", "重量", "推力"} {
		if strings.Contains(before, word) {
			return false
		}
	}
	return strings.HasSuffix(before, "万") || paid().MatchString(before) || paid().MatchString(after)
}

// longPound bounds the search for such words, in bytes.
const longPound = 48
