package look

import (
	"fmt"
	"html/template"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// Count writes a number for people: 1,234,567.
func Count(n int64) string { return cli.FormatCount(n) }

// Bytes writes a size as commands print it: 19.8 MiB.
func Bytes(n int64) string { return cli.FormatBytes(n) }

// Share is n of whole in per cent, with one place. It is never rounded to nothing or to all, and "–" where there is no
// whole.
func Share(n, whole int64) string {
	if whole <= 0 {
		return "–"
	}
	// As floats: n times 100 may overflow.
	p := 100 * float64(n) / float64(whole)
	switch {
	// Rounding would say 0.0 % of something that is there, or 100.0 % of what lacks something.
	case n > 0 && p < 0.1:
		return "<0.1%"
	case n < whole && p > 99.9:
		return ">99.9%"
	}
	return fmt.Sprintf("%.1f%%", p)
}

// Width is n of most as a width in SVG. What is not 0 is seen: a hair at least.
func Width(n, most int64) string {
	if most <= 0 || n <= 0 {
		return "0"
	}
	// Never beyond 100: a part may be larger than the whole in a damaged manifest.
	return fmt.Sprintf("%.2f%%", max(0.5, min(100, 100*float64(n)/float64(most))))
}

// Minute is a time of capture as readers see it, "2006-01-02 15:04" in UTC, with the whole in its datetime attribute;
// "no date" for the zero time. The footer of a page says that times are UTC.
func Minute(t time.Time) template.HTML { return timeTag(t, "2006-01-02 15:04") }

// Day is the same without the time of day.
func Day(t time.Time) template.HTML { return timeTag(t, time.DateOnly) }

func timeTag(t time.Time, layout string) template.HTML {
	if t.IsZero() {
		return "no date"
	}
	t = t.UTC()
	// Digits, signs and letters of our own layouts alone: nothing to be escaped.
	return template.HTML(fmt.Sprintf(`<time datetime="%s">%s</time>`, t.Format(time.RFC3339), //nolint:gosec // see above
		// A space that does not break keeps a time in one line.
		strings.ReplaceAll(t.Format(layout), " ", "\u00a0")))
}

// Seconds is a span of time with the unit that fits: 273 ms, 4.6 s, 1.4 h, 2.3 d; "–" for what was not measured.
func Seconds(of schemas.Float) string {
	switch s := float64(of); {
	// Not measured is not zero: reports of earlier versions lack some times.
	case math.IsNaN(s) || s < 0:
		return "–"
	case s == 0:
		return "0 ms"
	case s < 0.001:
		return "<1 ms"
	case s < 1:
		return fmt.Sprintf("%.0f ms", s*1000)
	case s < 600:
		return fmt.Sprintf("%.1f s", s)
	case s < 3600:
		return fmt.Sprintf("%.0f min", s/60)
	case s < 86_400:
		return fmt.Sprintf("%.1f h", s/3600)
	default:
		return fmt.Sprintf("%.1f d", s/86_400)
	}
}

// Plural is a number with its noun: 1 capture, 2 captures, 3 addresses.
func Plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Count(n) + " " + plural(noun)
}

func plural(noun string) string {
	switch {
	// Nouns of ours only, so these rules are enough: address, entity, capture.
	case strings.HasSuffix(noun, "s"):
		return noun + "es"
	// A vowel before it keeps it: day, days.
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ay") && !strings.HasSuffix(noun, "ey") &&
		!strings.HasSuffix(noun, "oy"):
		return strings.TrimSuffix(noun, "y") + "ies"
	}
	return noun + "s"
}

// Nouns is a noun as the head of a column of numbers: Captures.
// Nouns begin with an ASCII letter, so one byte is one letter.
func Nouns(noun string) string { return strings.ToUpper(noun[:1]) + plural(noun)[1:] }

// rightToLeft are the languages whose main script runs from right to left.
var rightToLeft = []string{
	"ar", "arc", "ary", "arz", "azb", "ckb", "dv", "fa", "he", "nqo", "pnb", "ps", "sd", "syr", "ug", "ur", "yi",
}

// RightToLeft reports whether a language, ISO 639, is written from right to left.
func RightToLeft(code string) bool { return slices.Contains(rightToLeft, code) }

// Soft is a text in which a line may end after the signs that divide addresses, media types and names of hosts, so
// that no word of it is broken where a column is narrow.
func Soft(text string) template.HTML {
	var b strings.Builder
	for len(text) > 0 {
		// The piece up to the sign, with it; all that is left where there is none.
		n := strings.IndexAny(text, "/.-+_?&=") + 1
		if n == 0 || n == len(text) {
			n = len(text)
		}
		b.WriteString(template.HTMLEscapeString(text[:n]))
		if text = text[n:]; text != "" {
			b.WriteString("<wbr>")
		}
	}
	return template.HTML(b.String()) //nolint:gosec // escaped
}

// Address is a URL as readers see it: without http:// and https://, and with the letters of other scripts that its path
// has in per cent. An address that would look like another one stays as it is.
func Address(raw string) string {
	// The scheme is left out for reading only; links keep the whole address.
	text := strings.TrimPrefix(strings.TrimPrefix(raw, "https://"), "http://")
	plain, err := url.PathUnescape(text)
	// Signs for which a URL needs the code would change where its parts end, and invisible ones would hide something.
	// A decoded "/" or "?" would look like a part of the address's structure: the counts differ then.
	if err != nil || strings.ContainsFunc(plain, func(r rune) bool {
		return r < ' ' || r == 0x7f || r == ' ' || r == '�' ||
			r >= 0x80 && r <= 0xa0 || r >= 0x200b && r <= 0x206f || r == 0xfeff
	}) || strings.Count(plain, "/") != strings.Count(text, "/") || strings.Count(plain, "?") != strings.Count(text, "?") ||
		strings.Count(plain, "#") != strings.Count(text, "#") || strings.Count(plain, "&") != strings.Count(text, "&") ||
		strings.Count(plain, "=") != strings.Count(text, "=") {
		return text
	}
	return plain
}
