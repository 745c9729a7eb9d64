// Package look is how pages of ours look: one style sheet, the formats of numbers, dates and shares, charts as SVG, and
// the parts of pages that several show. The report of a run that is mailed as one file is made of it, and so is the
// dashboard.
//
//	page := template.Must(look.Parts().ParseFS(files, "page.html"))
//	err := page.ExecuteTemplate(w, "page.html", data)
//
// It knows nothing of collections or of HTTP. Three rules hold for all that it makes: nothing needs a script; no
// element has a style attribute, so that a strict Content-Security-Policy can be sent; and what a chart shows is
// in a table as well.
package look

import (
	"embed"
	"html/template"
	"regexp"
	"strings"
	"sync"
)

//go:embed style.css parts.html
var files embed.FS

// Parts are the parts of pages as templates, with the functions that templates of pages need: see [Funcs]. Each call
// returns a set of its own, to which a page's templates can be added.
func Parts() *template.Template {
	return template.Must(template.New("parts.html").Funcs(Funcs()).ParseFS(files, "parts.html"))
}

// Funcs are the functions of templates. What they format is said in format.go.
func Funcs() template.FuncMap {
	return template.FuncMap{
		"count": Count, "bytes": Bytes, "share": Share, "minute": Minute, "day": Day, "seconds": Seconds,
		"language": Language, "rtl": RightToLeft, "plural": Plural, "style": Style, "width": Width, "logo": Logo,
		"address": Address, "soft": Soft, "nouns": Nouns,
	}
}

var (
	comment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	blanks  = regexp.MustCompile(`\s+`)
	around  = regexp.MustCompile(` ?([{};,>]) ?`)
)

// Style is the style sheet without comments and blanks, which are a fifth of it.
var Style = sync.OnceValue(func() template.CSS {
	source, err := files.ReadFile("style.css")
	if err != nil {
		panic(err) // it is embedded
	}
	text := comment.ReplaceAllString(string(source), "")
	text = blanks.ReplaceAllString(text, " ")
	// Not around a colon: in a selector the blank before it means something.
	text = around.ReplaceAllString(text, "$1")
	// "> " begins a child's selector only after a brace; elsewhere no value has one.
	text = strings.ReplaceAll(text, ": ", ":")
	return template.CSS(strings.TrimSpace(text)) //nolint:gosec // our own file
})

// Logo is the mark of the program: an ear of grain, as gleaners gather it.
func Logo() template.HTML {
	return `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M11 23h2v-6h-2zM12 1c2 2 2 5 0 7-2-2-2-5 0-7z` +
		`M4.500 6c3.500 0 6 2 6.500 5.500C7.500 11.500 5 9.500 4.500 6zm15 0c-.5 3.500-3 5.500-6.500 5.500.5-3.500 3-5.5` +
		`00 6.500-5.500z` +
		`M4.500 12c3.500 0 6 2 6.500 5.500C7.500 17.500 5 15.500 4.500 12zm15 0c-.5 3.500-3 5.500-6.500 5.500.5-3.500 3-` +
		`5.500 6.500-5.500z"/></svg>`
}
