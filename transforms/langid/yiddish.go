package langid

import "strings"

// yiddishWords are words, with and without points, that are frequent in Yiddish and rare in Hebrew.
var yiddishWords = func() map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq("און איז די דער דאס דאָס נישט ניט פון אויף מיט האט האָט האבן האָבן מען אז אַז " +
		"וואס וואָס זיין אבער " +
		"אָבער אויך געווען זענען זיך פאר פֿון אין צום דעם ער זי זיי מיר איר איך נאך נאָך ווי אָדער יעדער קען וועט") {
		words[w] = true
	}
	return words
}()

// yiddishShare is the share of these words that a text needs. In running Yiddish it is about a half. In Hebrew, which
// has some of the same spellings for other words, it is under a twentieth.
const yiddishShare = 0.2

// isYiddish reports whether a text in Hebrew letters is in Yiddish. Evidence is its words, or its digraphs (U+05F0 to
// U+05F2), which Hebrew does not write.
func isYiddish(text string) bool {
	digraphs, words, known := 0, 0, 0
	for _, r := range text {
		if 0x05F0 <= r && r <= 0x05F2 {
			digraphs++
		}
	}
	for word := range strings.FieldsFuncSeq(text, isBetweenWords) {
		words++
		if yiddishWords[word] {
			known++
		}
	}
	return digraphs >= 2 || known >= 2 && float64(known) >= yiddishShare*float64(words)
}
