package page

import (
	"html"
	"io"
	"net/http"

	"github.com/gleaner-web/gleaner/pipelines/look"
)

// Sandboxed answers with archived markup as a document for a frame: the sanitised HTML of a page's main part. It was
// made safe when it was written, but the folder may have been changed since. So the response itself ensures that
// nothing runs. Its origin is opaque, and its policy allows no scripts, pictures or requests.
func Sandboxed(w http.ResponseWriter, language, markup string) error {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	// This replaces the policy of our own pages, which would let our scripts run.
	h.Set("Content-Security-Policy", FramePolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "SAMEORIGIN") // for browsers that do not know frame-ancestors
	h.Set("Referrer-Policy", "no-referrer")
	// If the language does not determine the direction, the browser does, by the first letter that has one.
	dir := "auto"
	if look.RightToLeft(language) {
		dir = "rtl"
	}
	// The markup is not escaped: it is archived HTML, which this policy keeps harmless. The language may also come
	// from the archive, and is escaped.
	_, err := io.WriteString(w, `<!DOCTYPE html><html lang="`+html.EscapeString(lang(language))+`" dir="`+dir+
		`"><meta charset="utf-8"><title>Archived page, sanitised</title><style>`+frameStyle+`</style><body>`+markup)
	return err
}

// frameStyle is the whole style of archived markup, which contains archived text.
const frameStyle = "body{font:17px/1.6 Charter,Georgia,'Noto Serif',serif;max-width:42rem;margin:1rem " +
	"auto;padding:0 1rem;" +
	"overflow-wrap:anywhere;color:#1c1f1a;background:#fff}table{border-collapse:collapse}td,th{border:1px solid #85887c;" +
	"padding:.25rem .5rem}pre{white-space:pre-wrap}"
