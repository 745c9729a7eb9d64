package rights

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
)

// directives are the directives that are kept, with their names here. All, index and follow are left out, since they
// restrict nothing.
var directives = map[string]string{
	"noindex": "noindex", "nofollow": "nofollow", "noarchive": "noarchive", "nocache": "noarchive",
	"nosnippet": "nosnippet", "noimageindex": "noimageindex", "notranslate": "notranslate",
	"noai": "noai", "noimageai": "noimageai", "noml": "noml",
}

// withValue are the directives with a value.
var withValue = map[string]bool{
	"max-snippet": true, "max-image-preview": true, "max-video-preview": true, "unavailable_after": true,
}

// directives reads X-Robots-Tag and <meta name=robots>, also those for one crawler.
func (c *collector) directives(in Input) {
	c.fields("X-Robots-Tag", func(value string) { c.robotsTag(value, "", XRobots) })
	if in.Page == nil {
		return
	}
	for _, m := range in.Page.Metas() {
		if m.Name == "robots" {
			c.robotsTag(m.Content, "", Meta)
		} else if agent := agentOf(m.Name); agent != "" {
			c.robotsTag(m.Content, agent, Meta)
		}
	}
}

// robotsTag reads a list of directives. In a header field, the name of a crawler may come before those for it.
func (c *collector) robotsTag(value, agent, basis string) {
	parts := strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ';' })
	for i := 0; i < len(parts); i++ {
		name, after, has := strings.Cut(parts[i], ":")
		name = strings.ToLower(strings.TrimSpace(name))
		if has && !withValue[name] && basis == XRobots {
			agent = short(parts[i][:strings.IndexByte(parts[i], 58)])
			name, after, has = strings.Cut(after, ":")
			name = strings.ToLower(strings.TrimSpace(name))
		}
		after = strings.TrimSpace(after)
		switch {
		case has && withValue[name]:
			// The dates of RFC 822 and 850 have a comma after the day of the week.
			if name == "unavailable_after" && isWeekday(after) && i+1 < len(parts) {
				i++
				after += "," + parts[i]
			}
			c.limit(name, after, agent, basis)
		case !has:
			c.directive(name, agent, basis)
		}
	}
}

// directive adds a directive without a value. Pages also separate them by white space alone.
func (c *collector) directive(names, agent, basis string) {
	for name := range strings.FieldsSeq(names) {
		if name == "none" {
			c.directive("noindex nofollow", agent, basis)
		} else if signal := directives[name]; signal != "" {
			c.add(schemas.Right{Signal: signal, Agent: agent, Basis: basis})
		}
	}
}

// limit adds a directive with a value. A date is in RFC 3339 if it can be read.
func (c *collector) limit(name, value, agent, basis string) {
	if name == "unavailable_after" {
		if d, ok := pagemeta.ParseDate(value); ok {
			value = d.String()
		}
	}
	if value = short(value); value != "" {
		c.add(schemas.Right{Signal: name, Value: value, Agent: agent, Basis: basis})
	}
}

// isWeekday reports whether a text is the name of a day, or its first three letters.
func isWeekday(s string) bool {
	if len(s) < 3 {
		return false
	}
	for _, day := range []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		if strings.HasPrefix(day, strings.ToLower(s)) {
			return true
		}
	}
	return false
}

// maxValue bounds values, which are a word, a date or a URL.
const maxValue = 2000

// short returns a value without white space around it, or "" if it is too long.
func short(s string) string {
	if s = strings.TrimSpace(s); len(s) > maxValue {
		return ""
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
