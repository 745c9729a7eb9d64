package entity

import "strings"

// yuanOf are the currencies whose unit is written 元, by country.
var yuanOf = map[string]string{"TW": "TWD", "HK": "HKD", "MO": "MOP", "SG": "SGD"}

// beforeYuan are other names of currencies before a number and 元; most are those of unspaced.
var beforeYuan = []struct{ name, code string }{
	{"澳门币", "MOP"},
	{"澳門幣", "MOP"},
	{"日币", "JPY"},
	{"韩币", "KRW"},
	{"韓幣", "KRW"},
	{"新币", "SGD"},
	{"新幣", "SGD"},
	{"坡币", "SGD"},
	{"坡幣", "SGD"},
	{"澳币", "AUD"},
	{"澳幣", "AUD"},
	{"NTD", "TWD"},
	{"NT", "TWD"},
}

// yuan returns the currency of an amount from i to end, and its start. If its unit is 元 alone, the name of a currency
// before the number decides, as in 港币500元. Else it is the page's country. In traditional characters, the currency is
// then unknown, because they are those of Taiwan, Hong Kong and readers abroad.
func (s *scanner) yuan(i, end int, code string) (start int, currency string) {
	unit, ok := strings.CutSuffix(s.text[i:end], "元")
	if !ok || code != "CNY" || strings.HasSuffix(unit, "人民") {
		return i, code
	}
	before := s.text[s.last:skipSpaceBack(s.text, i)]
	for _, about := range [...]string{"：", ":", "约", "約", "近", "逾"} {
		before = strings.TrimSuffix(before, about)
	}
	before = strings.TrimRight(before, " ")
	for _, name := range unspaced {
		if len(name.sign) > len("元") && strings.HasSuffix(before, name.sign) {
			return s.last + len(before) - len(name.sign), name.code
		}
	}
	for _, of := range beforeYuan {
		at := s.last + len(before) - len(of.name)
		if strings.HasSuffix(before, of.name) && (of.name[0] > 'Z' || !wordBefore(s.text, at)) {
			return at, of.code
		}
	}
	switch other := yuanOf[s.locale.region]; {
	case other != "":
		return i, other
	case s.locale.traditional && s.locale.region != "CN":
		return i, ""
	}
	return i, code
}
