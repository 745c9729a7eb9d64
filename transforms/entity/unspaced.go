package entity

import (
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// unspaced are names of currencies in East Asia.
var unspaced = []struct{ sign, code string }{
	{"円", "JPY"},
	{"元", "CNY"},
	{"원", "KRW"},
	{"美元", "USD"},
	{"ドル", "USD"},
	{"달러", "USD"},
	{"欧元", "EUR"},
	{"歐元", "EUR"},
	{"ユーロ", "EUR"},
	{"유로", "EUR"},
	{"人民币", "CNY"},
	{"人民幣", "CNY"},
	{"港元", "HKD"},
	{"日元", "JPY"},
	{"英镑", "GBP"},
	{"英鎊", "GBP"},
	{"ポンド", "GBP"},
	{"韩元", "KRW"},
	{"新台币", "TWD"},
	{"新台幣", "TWD"},
	{"新臺幣", "TWD"},
}

// unspacedCurrency returns the East Asian name of a currency at i and its end, or "". The amount needs two digits,
// since one digit and a character are mostly something else. For example, 3元素 are elements, and 원 within a Korean word
// is not won.
func unspacedCurrency(text string, i int) (code string, end int) {
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
		first, _ := utf8.DecodeRuneInString(name.sign)
		// A Korean particle may follow. Other syllables make it another word, as letters of Katakana do after their like.
		// 欧元区 is the area of the euro.
		if 0xAC00 <= next && next < 0xD7B0 && !strings.ContainsRune("을를의이가은는에으로와입", next) ||
			isKatakana(next) && isKatakana(first) || len(name.sign) > len("円") && strings.ContainsRune("圏圈区區", next) ||
			name.sign == "ポンド" && !isSterling(text, i) {
			continue
		}
		return name.code, i + len(name.sign)
	}
	return "", i
}

func isKatakana(r rune) bool { return 0x30A1 <= r && r < 0x3100 && r != '・' }

// paid are words near an amount of money in Japanese, for pounds, which are also a weight.
var paid = strings.Fields("円 £ 億 兆 ユーロ 金額 賞金 罰金 資金 籍金 料金 基金 税 価格 価値 値段 費用 経費 旅費 学費 予算 " +
	"払 売上 売却 収入 給料 給与 年俸 月給 週給 紙幣 硬貨 借 債 損失 赤字 黒字 落札 寄付 投資 賭")

// isSterling reports whether pounds at i are money, as the words around say.
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
	for _, word := range paid {
		if strings.Contains(before, word) || strings.Contains(after, word) {
			return true
		}
	}
	return false
}

// longPound bounds the search for such words, in bytes.
const longPound = 48
