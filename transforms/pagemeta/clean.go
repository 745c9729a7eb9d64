package pagemeta

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// oneLine resolves leftover character references (many pages escape twice), removes tags and collapses white space. By
// their standards values of metadata are plain text, but some hold markup. In names, "<" begins a mail address or
// markup.
func oneLine(s string) string { return line(s, withoutTags) }

// line is oneLine with a function that removes tags.
func line(s string, without func(string) string) string {
	// Once more than the page's own parser did.
	s = page.Unescape(s)
	if strings.IndexByte(s, '<') >= 0 {
		s = without(s)
	}
	// Zero-width spaces and byte order marks are invisible, and would make equal names differ.
	return page.OneLine(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' {
			return ' '
		}
		return r
	}, s))
}

// withoutTags removes "<", a letter or slash, and all up to ">". In "a < b" there is no tag.
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

// cut returns at most the first limit bytes of s, in whole characters.
func cut[S string | []byte](s S, limit int) S {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

func (f *finder) texts(values []string) []string {
	var all []string
	for _, v := range values {
		// Four times the limit leaves room for what line removes.
		if v = line(cut(v, 4*f.o.MaxTextBytes), withoutMarkup); v != "" {
			all = append(all, cut(v, f.o.MaxTextBytes))
		}
	}
	return all
}

// names cleans names. It drops URLs, mail addresses and long ones, and merges those that differ only in case.
func (f *finder) names(values []string, limit int) []string {
	var all []string
	seen := map[string]bool{}
	for _, v := range values {
		v = oneLine(cut(v, 4*f.o.MaxTextBytes))
		// Names are compared without case and kept as first seen.
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

// isAddress reports whether a name is a URL or a mail address. A handle (@name) is a name.
func isAddress(v string) bool {
	if strings.ContainsAny(v, " \t") {
		return strings.Contains(v, "://")
	}
	return strings.Contains(v, "://") || strings.HasPrefix(v, "www.") || strings.HasPrefix(v, "/") ||
		strings.Contains(v, "@") && !strings.HasPrefix(v, "@")
}

// placeholders are whole names, in lower case, that templates write for a missing name.
var placeholders = []string{
	"null", "undefined", "none", "n/a", "unknown", "author", "admin", "administrator",
	"[object object]", "-", "default", "guest",
}

func placeholder(key string) bool { return slices.Contains(placeholders, key) }

// name returns the first sound name.
func (f *finder) name(values []string) []string { return f.names(values, 1) }

// tags cleans lists of names, split at commas, or at semicolons if there is one.
func (f *finder) tags(values []string) []string {
	var all []string
	// Commas stay within tags if semicolons separate them.
	for _, v := range values {
		separator := ","
		if strings.Contains(v, ";") {
			separator = ";"
		}
		all = append(all, strings.Split(v, separator)...)
	}
	return f.names(all, f.o.MaxTags)
}

// urls returns the first URL that is absolute or can be made so.
func (f *finder) urls(values []string) []string {
	for _, v := range values {
		if u := f.address(v); u != "" {
			return []string{u}
		}
	}
	return nil
}

// dates returns the first date that can be read, is not a placeholder and not in the future.
func (f *finder) dates(values []string) []string {
	for _, v := range values {
		if d, ok := parseDate(v, f.locale); ok && f.past(&d) {
			return []string{d.String()}
		}
	}
	return nil
}

// firstYear is the first credible year of a page: earlier ones are placeholders, or dates of the page's subject.
const firstYear = 1995

// past reports whether a page captured at Options.Captured may have this date. The margin is 36 hours: in the east a
// day begins 14 hours earlier than in UTC, and clocks are wrong.
func (f *finder) past(d *Date) bool {
	return d.Time.Year() >= firstYear && (f.o.Captured.IsZero() || d.Time.Before(f.o.Captured.Add(36*time.Hour)))
}
