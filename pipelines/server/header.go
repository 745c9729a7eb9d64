package server

import (
	"net/http"

	"github.com/gleaner-web/gleaner/pipelines/server/api"
)

// policy is what pages of this server may load and do (Content Security Policy, level 3): nothing but from here, and no
// script or style that is in a page. htmx needs connect-src; frames are for sanitised HTML, which comes with a
// policy of its own.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; " +
	"frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// secured sets the headers that all answers have. Handlers may set stricter ones.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		// For browsers that do not know frame-ancestors. The frame for sanitised HTML allows our own
		// pages.
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer") // addresses here hold what somebody searched for
		// No window of another site keeps a handle to ours. By plain HTTP browsers heed it on loopback alone, and say
		// in the console of each other page that they do not.
		if api.Secure(r) || isLoopback(hostOf(r.Host)) {
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		// None can embed our answers.
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		// Only over HTTPS, where browsers heed it (RFC 6797, section 7.2).
		if r.TLS != nil {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}
