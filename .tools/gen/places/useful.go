package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/gleaner-web/gleaner/transforms/entity/gazetteer/table"
)

// Cities of this many people keep alternate names that others lose.
const (
	largeCity = 300_000
	smallCity = 50_000
)

const hiragana = "ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろわゐゑをん"

// useful reports whether an alternate name of a city can be looked for in texts. GeoNames has transliterations in lower
// case, codes of airports, nicknames and old names, which are other things more often than the city.
func (b *builder) useful(name string, c city, capital bool) bool {
	r, _ := utf8.DecodeRuneInString(name)
	n := utf8.RuneCountInString(name)
	if n < 2 || len(name) > 80 || strings.ContainsAny(name, "0123456789,()/;|\"") || unicode.IsLower(r) ||
		!unicode.IsLetter(r) {
		return false
	}
	large := c.Population >= largeCity || capital
	a := b.ambiguous[strings.ToLower(name)]
	switch {
	case strings.Trim(name, hiragana) == "": // grammar is written so
		return false
	case table.Unspaced(r):
		return n > 2 && c.Population >= smallCity || large
	case !unicode.IsUpper(r): // Arabic, Hebrew, Devanagari and others have no capitals to go by
		return n > 3 && large && (a.languages == 0 || c.Population >= 1_000_000 || capital)
	case n < 3 || isCode(name) || strings.Contains(name, " of the "):
		return false
	case (a.languages > 5 || a.firstName) && c.Population < 2_000_000 && !capital || a.languages > 9 || a.languages > 0 &&
		!large:
		return false
	case !unicode.Is(unicode.Latin, r):
		return n > 3 || large
	}
	return large && (!strings.Contains(name, " ") || c.Population < 1_000_000 || alike(name, c)) || alike(name, c)
}

// isCode reports whether a name is an abbreviation in capitals.
func isCode(name string) bool { return strings.ToUpper(name) == name && len(name) < 6 }

// alike reports whether a name is a form of the city's own, rather than another one: they share a third of their pairs
// of letters.
func alike(name string, c city) bool {
	mine, own := pairs(name), pairs(c.Name)
	shared := 0
	for p := range mine {
		if own[p] {
			shared++
		}
	}
	return 3*shared >= min(len(mine), len(own))
}

// pairs returns the pairs of letters in a name, without their marks.
func pairs(name string) map[[2]rune]bool {
	set := map[[2]rune]bool{}
	last := ' '
	for _, r := range norm.NFD.String(strings.ReplaceAll(strings.ToLower(name), "đ", "d")) {
		if unicode.IsMark(r) {
			continue
		}
		set[[2]rune{last, r}] = true
		last = r
	}
	return set
}

// withoutSuffix returns a Chinese or Japanese name without the word for city at its end.
func withoutSuffix(name string) string {
	for _, suffix := range []string{"市", "特別区"} {
		if short, ok := strings.CutSuffix(name, suffix); ok && utf8.RuneCountInString(short) > 1 {
			return short
		}
	}
	return name
}
