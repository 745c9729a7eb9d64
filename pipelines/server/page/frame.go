package page

import (
	"html"
	"io"
	"net/http"

	"github.com/gleaner-web/gleaner/pipelines/look"
)

// Sandboxed answers with archived markup as a document for a frame: the sanitised HTML of a page's main part. It was
// made safe when it was written; but a folder may have been changed since, and so the response makes sure by itself
// that nothing runs: its origin is opaque, and its policy allows no script, no picture and no request.
func Sandboxed(w http.ResponseWriter, language, markup string) error {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	// This replaces the policy of our own pages, which would let our scripts run.
	h.Set("Content-Security-Policy", FramePolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "SAMEORIGIN") // for browsers that do not know frame-ancestors
	h.Set("Referrer-Policy", "no-referrer")
	// Where the language does not tell, the browser does, by the first letter with a direction.
	dir := "auto"
	if look.RightToLeft(language) {
		dir = "rtl"
	}
	// The markup is not escaped: it is archived HTML, which the policy above keeps harmless. The
	// language may come from the archive as well and is escaped.
	_, err := io.WriteString(w, `<!DOCTYPE html><html lang="`+html.EscapeString(lang(language))+`" dir="`+dir+
		`"><meta charset="utf-8"><title>Archived page, sanitised</title><style>`+frameStyle+`</style><body>`+markup)
	return err
}

// frameStyle is all the style that archived markup has: the words are archived ones.
const frameStyle = "body{font:17px/1.6 Charter,Georgia,'Noto Serif',serif;max-width:42rem;margin:1rem " +
	"auto;padding:0 1rem;" +
	"overflow-wrap:anywhere;color:#1c1f1a;background:#fff}table{border-collapse:collapse}td,th{border:1px solid #85887c;" +
	"padding:.25rem .5rem}pre{white-space:pre-wrap}"
