package api

import "net/http"

// Secure reports whether who asks speaks HTTPS: to us, or to a proxy. Package server leaves the header of proxies in
// requests of those alone that it trusts.
func Secure(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}

// Base is the beginning of absolute URLs of this server, as who asks knows it: https://archive.example.org.
func Base(r *http.Request) string {
	if Secure(r) {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
