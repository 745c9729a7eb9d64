package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/gleaner-web/gleaner/transforms/entity/gazetteer/table"
)

// Larger cities keep alternate names that smaller ones lose.
const (
	largeCity = 300_000
	smallCity = 50_000
)

const hiragana = "ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろわゐゑをん"

// useful reports whether texts can be searched for an alternate name. GeoNames has lower-case transliterations,
// airport codes, nicknames and old names, which more often mean something else.
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
	case strings.Trim(name, hiragana) == "": // Hiragana is mostly grammar
		return false
	case table.Unspaced(r):
		return n > 2 && c.Population >= smallCity || large
	case !unicode.IsUpper(r): // Arabic, Hebrew, Devanagari and others have no capitals
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

// alike reports whether a name is a form of the city's own name: they share a third of their letter pairs.
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

// pairs returns the letter pairs of a name without diacritics.
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

// withoutSuffix removes the final word for city from a Chinese or Japanese name.
func withoutSuffix(name string) string {
	for _, suffix := range []string{"市", "特別区"} {
		if short, ok := strings.CutSuffix(name, suffix); ok && utf8.RuneCountInString(short) > 1 {
			return short
		}
	}
	return name
}
