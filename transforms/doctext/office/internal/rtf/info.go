package rtf

import (
	"time"

	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/property"
)

// moment is a date of \info. It has no zone, so its hour is not kept.
type moment struct{ year, month, day int }

// properties are the groups of \info that are kept, and \*\generator.
var properties = map[string]bool{
	"title": true, "subject": true, "author": true, "company": true, "keywords": true, "category": true, "doccomm": true,
	"generator": true, "creatim": true, "revtim": true,
}

// infoWord reads a word of \info. It returns false for words with the same meaning in a property and in text; do then
// handles them.
func (r *reader) infoWord(word string, n int) bool {
	// Inside \info every property is a group of its own, and closing the group restores r.info.
	if word == "info" {
		r.to, r.info = toInfo, ""
		return true
	}
	// \*\generator is outside \info and has no subgroup.
	if word == "generator" {
		r.to, r.info = toInfo, word
		return true
	}
	if r.to != toInfo {
		return false
	}
	// This is the date of the open group, or nil for all other properties.
	m := r.moments[r.info]
	switch {
	case word == "creatim" || word == "revtim":
		r.info = word
		r.moments[word] = &moment{}
	case properties[word]:
		r.info = word
	// Characters of a title may be written as \u, with its \uc.
	case word == "u" || word == "uc":
		return false
	case m == nil:
	case word == "yr":
		m.year = n
	case word == "mo":
		m.month = n
	case word == "dy":
		m.day = n
	}
	return true
}

// value appends to the value of the property.
func (r *reader) value(s string) {
	// The length is checked before the addition, so a value may exceed the bound by one run (maxRun).
	if v := r.values[r.info]; properties[r.info] && len(v) < property.MaxValue {
		r.values[r.info] = append(v, s...)
	}
}

func (r *reader) describe() {
	value := func(name string) string { return property.Text(string(r.values[name])) }
	d := r.doc
	d.Title = value("title")
	if d.Description = value("doccomm"); d.Description == "" {
		d.Description = value("subject")
	}
	d.Authors = property.List(value("author"), ";")
	d.Tags = property.List(value("keywords")+";"+value("category"), ";,")
	d.Publisher = value("company")
	// Generators end with a semicolon: "Msftedit 5.41.21.2510;".
	if list := property.List(value("generator"), ";"); len(list) > 0 {
		d.Generator = list[0]
	}
	d.Created = r.date("creatim")
	d.Modified = r.date("revtim")
}

func (r *reader) date(name string) string {
	m := r.moments[name]
	if m == nil {
		return ""
	}
	t := time.Date(m.year, time.Month(m.month), m.day, 0, 0, 0, 0, time.UTC)
	// Package time makes another date of one that is not in the calendar.
	if t.Month() != time.Month(m.month) || t.Day() != m.day {
		return ""
	}
	return property.Year(t, time.DateOnly)
}
