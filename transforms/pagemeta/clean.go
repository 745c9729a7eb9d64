package pagemeta

import (
	"html"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// oneLine resolves what is left of character references (many pages escape twice), takes tags out and collapses white
// space. Values of metadata are plain text by their standards, and hold markup all the same.
func oneLine(s string) string {
	// Once more than the page's own parser did.
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	if strings.IndexByte(s, '<') >= 0 {
		s = withoutTags(s)
	}
	// Zero-width spaces and byte order marks are invisible, and would make equal names differ.
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\u200b' || r == '\ufeff'
	}), " ")
}

// withoutTags takes out "<", a letter or slash, and all up to ">". "a < b" stays: only what looks like a tag goes.
func withoutTags(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 || i+1 >= len(s) {
			break
		}
		if c := s[i+1]; c != '/' && (c|0x20 < 'a' || c|0x20 > 'z') {
			b.WriteString(s[:i+1])
			s = s[i+1:]
			continue
		}
		// Without its ">" it is not a tag.
		end := strings.IndexByte(s[i:], '>')
		if end < 0 {
			break
		}
		b.WriteString(s[:i])
		s = s[i+end+1:]
	}
	b.WriteString(s)
	return b.String()
}

// cut shortens s to at most limit bytes at a rune's start.
func cut[S string | []byte](s S, limit int) S {
	if len(s) <= limit {
		return s
	}
	// Back to the beginning of the character that the limit would cut.
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// texts cleans running text.
func (f *finder) texts(values []string) []string {
	var all []string
	for _, v := range values {
		// Four times the limit leaves room for what oneLine takes away.
		if v = oneLine(cut(v, 4*f.o.MaxTextBytes)); v != "" {
			all = append(all, cut(v, f.o.MaxTextBytes))
		}
	}
	return all
}

// names cleans names: those that are URLs, mail addresses or too long are left out, and those that differ in case only
// are kept once.
func (f *finder) names(values []string, limit int) []string {
	var all []string
	seen := map[string]bool{}
	for _, v := range values {
		v = oneLine(cut(v, 4*f.o.MaxTextBytes))
		// Names are compared without case, and kept as the first has them.
		key := strings.ToLower(v)
		if v == "" || len(v) > f.o.MaxNameBytes || isAddress(v) || placeholder(key) || seen[key] {
			continue
		}
		all = append(all, v)
		if len(all) >= limit {
			break
		}
		seen[key] = true
	}
	return all
}

// isAddress reports whether a name is a URL or a mail address. A handle (@name) is a name, a mail address is not.
func isAddress(v string) bool {
	if strings.ContainsAny(v, " \t") {
		return strings.Contains(v, "://")
	}
	return strings.Contains(v, "://") || strings.HasPrefix(v, "www.") || strings.HasPrefix(v, "/") ||
		strings.Contains(v, "@") && !strings.HasPrefix(v, "@")
}

// placeholders are what templates write where a name is missing. They are compared in lower case, as a whole.
var placeholders = []string{
	"null", "undefined", "none", "n/a", "unknown", "author", "admin", "administrator",
	"[object object]", "-", "default", "guest",
}

func placeholder(key string) bool { return slices.Contains(placeholders, key) }

// name cleans a name that there can be one of. It is the first that is sound.
func (f *finder) name(values []string) []string { return f.names(values, 1) }

// tags cleans lists of names, taking them apart at commas, or at semicolons where there is one.
func (f *finder) tags(values []string) []string {
	var all []string
	// Commas stay within tags where semicolons divide them.
	for _, v := range values {
		separator := ","
		if strings.Contains(v, ";") {
			separator = ";"
		}
		all = append(all, strings.Split(v, separator)...)
	}
	return f.names(all, f.o.MaxTags)
}

// urls cleans URLs. The first that is absolute, or can be made so.
func (f *finder) urls(values []string) []string {
	for _, v := range values {
		if u := f.address(v); u != "" {
			return []string{u}
		}
	}
	return nil
}

// dates cleans dates: the first that can be read, is no placeholder and not in the future is left.
func (f *finder) dates(values []string) []string {
	for _, v := range values {
		// A date that does not make sense is passed over, for the next source may have a better one.
		if d, ok := parseDate(v, f.locale); ok && f.past(&d) {
			return []string{d.String()}
		}
	}
	return nil
}

// firstYear is the first year of which dates of pages are believed: earlier ones are placeholders, or of the matter
// that a page is about.
const firstYear = 1995

// past reports whether a date is one on which the page, as it was captured, can have been published. A day is left for
// the zones of the world. 36 hours, since a day begins 14 hours earlier in the east than in UTC, and clocks are
// wrong.
func (f *finder) past(d *Date) bool {
	return d.Time.Year() >= firstYear && (f.o.Captured.IsZero() || d.Time.Before(f.o.Captured.Add(36*time.Hour)))
}
