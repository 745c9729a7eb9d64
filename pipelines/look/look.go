// Package look is the common look of our pages: a style sheet, formats of numbers and dates, charts as SVG, and
// shared parts. The report of a run and the dashboard use it.
//
//	page := template.Must(look.Parts().ParseFS(files, "page.html"))
//	err := page.ExecuteTemplate(w, "page.html", data)
//
// It knows nothing of collections or HTTP. Pages need no script, no element has a style attribute, so that a strict
// Content-Security-Policy works, and each chart also has a table.
package look

import (
	"embed"
	"html/template"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

//go:embed style.css parts.html
var files embed.FS

// Parts returns the parts of pages as templates, with [Funcs]. Each call returns a new set, to which pages add their
// own templates.
func Parts() *template.Template {
	return template.Must(template.New("parts.html").Funcs(Funcs()).ParseFS(files, "parts.html"))
}

// Funcs returns the functions for templates.
func Funcs() template.FuncMap {
	return template.FuncMap{
		"count": Count, "bytes": Bytes, "share": Share, "minute": Minute, "day": Day, "seconds": Seconds,
		"language": Language, "rtl": RightToLeft, "plural": Plural, "label": Noun,
		"style": Style, "width": Width, "logo": Logo,
		"address": Address, "soft": Soft, "nouns": Nouns,
	}
}

var (
	comment = pattern.Lazy(`(?s)/\*.*?\*/`)
	blanks  = pattern.Lazy(`\s+`)
	around  = pattern.Lazy(` ?([{};,>]) ?`)
)

// Style returns the style sheet without comments and blanks, a fifth of it.
var Style = sync.OnceValue(func() template.CSS {
	source, err := files.ReadFile("style.css")
	if err != nil {
		panic(err) // it is embedded
	}
	text := comment().ReplaceAllString(string(source), "")
	text = blanks().ReplaceAllString(text, " ")
	// Not around a colon, because a blank before it matters in a selector.
	text = around().ReplaceAllString(text, "$1")
	// This cannot hit a selector, where no blank follows the colon.
	text = strings.ReplaceAll(text, ": ", ":")
	return template.CSS(strings.TrimSpace(text)) //nolint:gosec // our own file
})

// Logo returns the program's mark: an ear of grain, as gleaners gather it.
func Logo() template.HTML {
	return `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M11 23h2v-6h-2zM12 1c2 2 2 5 0 7-2-2-2-5 0-7z` +
		`M4.500 6c3.500 0 6 2 6.500 5.500C7.500 11.500 5 9.500 4.500 6zm15 0c-.5 3.500-3 5.500-6.500 5.500.5-3.500 3-5.5` +
		`00 6.500-5.500z` +
		`M4.500 12c3.500 0 6 2 6.500 5.500C7.500 17.500 5 15.500 4.500 12zm15 0c-.5 3.500-3 5.500-6.500 5.500.5-3.500 3-` +
		`5.500 6.500-5.500z"/></svg>`
}
