package filter

import "strings"

// lines removes lines that belong to the page instead of its text.
var lines = Filter{
	Name: "lines",
	Does: "takes out lines that are only about cookies, JavaScript, sharing or reading on, and those that hold a " +
		"phrase of " +
		"the list; refuses texts with lorem ipsum",
	Source: "the kinds are those of RefinedWeb's line filter: Penedo et al. 2023, arXiv 2306.01116, G.2; the " +
		"phrases are ours",
	Constants: []Constant{{"max_words", 10, "words of a line that one of the built-in phrases takes out"}},
	Lists:     []string{"phrases"},
	make: func(s Settings) (Judge, error) {
		own := setOf(s.Lists["phrases"])
		return func(p *Page) string { return judgePhrases(p, own, int(s.Numbers["max_words"])) }, nil
	},
	edit: func(s Settings) editor {
		own := setOf(s.Lists["phrases"])
		return editor{line: func(_ *Page, line string) (left string, stays bool) {
			return line, !isFurniture(strings.ToLower(line), own, int(s.Numbers["max_words"]))
		}}
	},
}

// phrases are frequent phrases of short lines on many sites, in lower case.
var phrases = strings.Split(`cookie|javascript|read more|read more…|sign in|sign-in|log in|subscribe|share this|`+
	`share on|
all rights reserved|terms of use|terms of service|privacy policy|skip to content|back to top|click here|add to cart|
items in cart|weiterlesen|mehr lesen|alle rechte vorbehalten|datenschutz|lire la suite|tous droits réservés|
leer más|todos los derechos reservados|leggi tutto|lees meer|czytaj więcej|читать далее|все права защищены`, "|")

func judgePhrases(p *Page, own set, most int) string {
	if strings.Contains(strings.ToLower(p.Text), "lorem ipsum") {
		return "lorem_ipsum"
	}
	var kept strings.Builder
	kept.Grow(len(p.Text))
	for line := range strings.SplitAfterSeq(p.Text, "\n") {
		if !isFurniture(strings.ToLower(line), own, most) {
			kept.WriteString(line)
		}
	}
	p.SetText(strings.TrimRight(kept.String(), "\n"))
	return ""
}

// isFurniture reports whether a line in lower case belongs to the page. It checks only short lines: an article about
// cookies may have the word in any of its sentences.
func isFurniture(line string, own set, most int) bool {
	for phrase := range own {
		if strings.Contains(line, phrase) {
			return true
		}
	}
	if len(line) > 16*most || len(strings.Fields(line)) > most {
		return false
	}
	for _, phrase := range phrases {
		if strings.Contains(line, strings.TrimSpace(phrase)) {
			return true
		}
	}
	return false
}
