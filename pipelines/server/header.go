package server

import (
	"net/http"

	"github.com/gleaner-web/gleaner/pipelines/server/api"
)

// policy limits what pages of this server may load and do (Content Security Policy, level 3). They may load only from
// here, and may not contain scripts or styles. htmx needs connect-src. Frames are needed for sanitised HTML, which has
// a policy of its own.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; " +
	"frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// secured sets the headers of all answers. Handlers may set stricter ones.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		// This is for browsers that do not know frame-ancestors. The frame for sanitised HTML allows our own pages.
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer") // our addresses contain people's searches
		// No window of another site keeps a reference to ours. Over plain HTTP, browsers follow this only on loopback.
		// On other pages they report in the console that they ignore it.
		if api.Secure(r) || isLoopback(hostOf(r.Host)) {
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		// Other sites cannot embed our answers.
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		// This is sent only over HTTPS, where browsers follow it (RFC 6797, section 7.2).
		if r.TLS != nil {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}
