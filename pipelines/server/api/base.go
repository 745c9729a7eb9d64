package api

import "net/http"

// Secure reports whether the client uses HTTPS, directly or to a proxy. Package server removes proxy headers except in
// requests of trusted proxies.
func Secure(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}

// Base returns the beginning of absolute URLs of this server, as the client knows it: https://archive.example.org.
func Base(r *http.Request) string {
	if Secure(r) {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
