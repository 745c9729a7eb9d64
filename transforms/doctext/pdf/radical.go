package pdf

import "golang.org/x/text/unicode/norm"

// The radicals of U+2E81 to U+2EF3, and the letters in their shape (Unicode 15, EquivalentUnifiedIdeograph.txt).
const (
	radicals = "⺁⺂⺃⺄⺅⺆⺇⺈⺉⺊⺋⺌⺍⺎⺏⺐⺑⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺪⺫⺬⺭⺮⺯⺰⺱⺲⺳⺴⺵⺶⺷⺸⺹⺺" +
		"⺻⺼⺽⺾⺿⻀⻁⻂⻃⻄⻅⻆⻇⻈⻉⻊⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻕⻖⻗⻘⻙⻚⻛⻜⻝⻞⻟⻠⻡⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳"
	letters = "厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑𫜹忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀" +
		"聿肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟"
)

var letterOf = func() map[rune]rune {
	list, of := []rune(letters), map[rune]rune{}
	for i, r := range []rune(radicals) {
		of[r] = list[i]
	}
	return of
}()

// unified returns the letter for a radical of Chinese and Japanese, and other characters as they are. Fonts have one
// glyph for both, and programs that write PDF choose the wrong character.
func unified(r rune) string {
	switch {
	case r >= 0x2f00 && r <= 0x2fd5:
		return norm.NFKC.String(string(r))
	case letterOf[r] != 0:
		return string(letterOf[r])
	}
	return string(r)
}
