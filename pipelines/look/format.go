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

// Count formats a number: 1,234,567.
func Count(n int64) string { return cli.FormatCount(n) }

// Bytes formats a size as commands print it: 19.8 MiB.
func Bytes(n int64) string { return cli.FormatBytes(n) }

// Share formats n of whole in per cent, with one decimal. It never rounds to 0% or 100%, and returns "–" if whole is
// 0.
func Share(n, whole int64) string {
	if whole <= 0 {
		return "–"
	}
	// n times 100 may overflow an integer.
	p := 100 * float64(n) / float64(whole)
	switch {
	// Rounding must not show 0.0% or 100.0% for other values.
	case n > 0 && p < 0.1:
		return "<0.1%"
	case n < whole && p > 99.9:
		return ">99.9%"
	}
	return fmt.Sprintf("%.1f%%", p)
}

// Width returns n of most as a width in SVG, at least a visible hair unless n is 0.
func Width(n, most int64) string {
	if most <= 0 || n <= 0 {
		return "0"
	}
	// In a damaged manifest a part may exceed the whole.
	return fmt.Sprintf("%.2f%%", max(0.5, min(100, 100*float64(n)/float64(most))))
}

// Minute formats a capture time as "2006-01-02 15:04" in UTC, with its full datetime attribute, or "no date" for the
// zero time. The page's footer says that times are UTC.
func Minute(t time.Time) template.HTML { return timeTag(t, "2006-01-02 15:04") }

// Day is Minute without the time of day.
func Day(t time.Time) template.HTML { return timeTag(t, time.DateOnly) }

func timeTag(t time.Time, layout string) template.HTML {
	if t.IsZero() {
		return "no date"
	}
	t = t.UTC()
	// The layouts have nothing to escape.
	return template.HTML(fmt.Sprintf(`<time datetime="%s">%s</time>`, t.Format(time.RFC3339), //nolint:gosec // see above
		// A non-breaking space keeps a time on one line.
		strings.ReplaceAll(t.Format(layout), " ", "\u00a0")))
}

// Seconds formats a duration with a suitable unit: 273 ms, 4.6 s, 1.4 h, 2.3 d; "–" means unknown.
func Seconds(of schemas.Float) string {
	switch s := float64(of); {
	// Reports of earlier versions lack some times.
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

// Plural formats a number with its noun: 1 capture, 2 captures, 3 entities.
func Plural(n int64, noun string) string { return cli.Plural(n, noun) }

// Noun returns a noun in the number of n, as a label below it. n is an int or an int64, since templates cannot convert
// types.
func Noun(n any, noun string) string {
	if n == 1 || n == int64(1) {
		return cli.Noun(1, noun)
	}
	return cli.Nouns(noun)
}

// Nouns returns the plural as a column heading: Captures. The noun must begin with an ASCII letter.
func Nouns(noun string) string { return strings.ToUpper(noun[:1]) + cli.Nouns(noun)[1:] }

// rightToLeft are the languages whose main script runs from right to left.
var rightToLeft = []string{
	"ar", "arc", "ary", "arz", "azb", "ckb", "dv", "fa", "he", "nqo", "pnb", "ps", "sd", "syr", "ug", "ur", "yi",
}

// RightToLeft reports whether a language, ISO 639, is written from right to left.
func RightToLeft(code string) bool { return slices.Contains(rightToLeft, code) }

// Soft lets a line break after the punctuation of URLs, media types and host names, so that words stay whole in a
// narrow column.
func Soft(text string) template.HTML {
	var b strings.Builder
	for len(text) > 0 {
		// The part up to and including the punctuation, or the rest.
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

// Address returns a readable URL: without http:// and https://, and with percent-encoded letters of its path decoded.
// URLs that would become misleading stay encoded.
func Address(raw string) string {
	// Only the text lacks the scheme; links keep it.
	text := strings.TrimPrefix(strings.TrimPrefix(raw, "https://"), "http://")
	plain, err := url.PathUnescape(text)
	// Decoded delimiters would look like part of the URL's structure, and invisible characters would hide something.
	// Different counts reveal decoded delimiters.
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
