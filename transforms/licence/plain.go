package licence

import (
	"regexp"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// plain are licences other than Creative Commons by their names. Function kind returns the identifier from the name and
// the text after it, or "" for a licence of the same name by others.
var plain = []plainLicence{
	{pattern.Lazy(`(?i)GNU Free Documentation License|\bGFDL(?:\b|v?\d|_)`), always("GFDL")},
	{pattern.Lazy(`(?i)Open Government Licence`), openGovernment},
	{pattern.Lazy(`(?i)Open (?:Data Commons )?Database Licen[sc]e|\bODbL(?:\b|v?\d|_)`), always("ODbL-1.0")},
	{pattern.Lazy(`(?i)Licence Ouverte(?: ?/ ?Open Licen[cs]e)?`), ouverte},
	{pattern.Lazy(`(?i)Apache Licen[sc]e,? (?:Version )?2\.0`), always("Apache-2.0")},
	{pattern.Lazy(`\bMIT [Ll]icen[sc]e\b`), always("MIT")},
	{pattern.Lazy(`(?i)Datenlizenz Deutschland.{0,30}2\.0`), deutschland},
}

type plainLicence struct {
	re   func() *regexp.Regexp
	kind func(name, after string) string
}

func always(name string) func(string, string) string {
	return func(string, string) string { return name }
}

// mayBePlain finds parts of which each expression of plain needs one. None has an s or a k, which the expressions also
// find as signs outside of ASCII.
var mayBePlain = pattern.WordsFold[string](
	"gnu free documentation licen", "gfdl", "open government licence", "open data", "odbl", "licence ouverte",
	"apache licen", "mit licen", "datenlizenz deut",
)

// findPlain returns the first licence of plain that a text names, and where its name begins.
func findPlain(text string) (name string, at int) {
	if !mayBePlain(text) {
		return "", 0
	}
	for _, p := range plain {
		if m := p.re().FindStringIndex(text); m != nil {
			if name := p.kind(text[m[0]:m[1]], text[m[1]:]); name != "" {
				return name, m[0]
			}
		}
	}
	return "", 0
}

var (
	// reEdition is the version that may follow a name.
	reEdition = pattern.Lazy(`^,?[\s(–—_-]*(?i:v\.?|version)?\s*(\d)(?:\.(\d))?\b`)
	// reOwner is another government: a word with a capital after a dash or a space. Countries and cities have licences
	// of this name too.
	reOwner = pattern.Lazy(`^[ \x{a0}]*(?:[–—-][ \x{a0}]*|[ \x{a0}])(\p{Lu}\pL+)`)
)

// reLetter begins with a letter: the name is part of a longer word.
var reLetter = pattern.Lazy(`^\pL`)

// edition returns the version at the beginning of a text, such as "2.0", or "".
func edition(after string) string {
	m := reEdition().FindStringSubmatch(after)
	if m == nil {
		return ""
	}
	if m[2] == "" {
		m[2] = "0"
	}
	return m[1] + "." + m[2]
}

// openGovernment returns the licence of the United Kingdom, or that of Canada.
func openGovernment(_, after string) string {
	after = strings.TrimPrefix(after, " (OGL)")
	switch v := edition(after); v {
	case "1.0", "2.0", "3.0":
		return "OGL-UK-" + v
	case "":
	default:
		return ""
	}
	if reLetter().MatchString(after) {
		return ""
	}
	owner := reOwner().FindStringSubmatch(after)
	if owner == nil {
		return "OGL-UK-3.0"
	}
	switch strings.ToLower(owner[1]) {
	case "uk", "united", "great":
		return "OGL-UK-3.0"
	case "canada":
	default:
		return ""
	}
	rest := after[len(owner[0]):]
	if v := edition(rest); v != "" && v != "2.0" {
		return ""
	}
	return "OGL-Canada-2.0"
}

func ouverte(_, after string) string {
	if v := edition(after); v != "" && v != "2.0" {
		return ""
	}
	return "etalab-2.0"
}

// deutschland returns the licence of Germany's data: with attribution, or without conditions.
func deutschland(name, after string) string {
	if strings.Contains(strings.ToLower(name+after[:min(len(after), len(" – Zero"))]), "zero") {
		return "DL-DE-ZERO-2.0"
	}
	return "DL-DE-BY-2.0"
}
