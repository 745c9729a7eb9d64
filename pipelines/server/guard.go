package server

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// guarded refuses requests that a page of another site made a browser send. These name another host than ours, or have
// another Origin. Requests for another host come from DNS rebinding, where an attacker's name is pointed to loopback.
// Requests with another Origin come from forms of other sites. Programs send no Origin, so it does not exclude them.
func guarded(o Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// This is the Host that the browser was given, not the address that it connected to.
		host := hostOf(r.Host)
		switch {
		case !allowed(o, host):
			// JSON is sent for all paths: a refused client is not a reader of pages.
			e := &view.Error{
				Kind: view.Forbidden, Title: "This server does not answer to this name",
				// It is clipped, since anybody may send it.
				Detail: "It was asked as " + clipped(host) + ".", Remedy: "Name the host by --hosts if that is yours.",
			}
			// HTTP/1.0 has no Host. Such a client cannot be distinguished from a page with its own name, and links
			// would have no host.
			if host == "" {
				e.Detail, e.Remedy = "The request has no Host.", "Send one, as HTTP/1.1 does."
			}
			api.WriteError(w, e)
		case foreign(r):
			api.WriteError(w, &view.Error{
				Kind: view.Forbidden, Title: "A page of another site sent this request",
				Detail: "Its Origin is not this server.", Remedy: "Open this server's own page and do it there.",
			})
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// allowed reports whether the server answers to a host. A server without accounts answers only to loopback.
func allowed(o Options, host string) bool {
	// Loopback is always allowed, so that a health check works on any server.
	if slices.Contains(o.Hosts, host) || isLoopback(host) {
		return true
	}
	// Without named hosts, a server with accounts answers to any host: its accounts protect it.
	return !o.Open && len(o.Hosts) == 0
}

// isLoopback reports whether a name is a loopback name of this machine.
func isLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true // RFC 6761, section 6.3: no name server is asked for it
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// foreign reports whether, according to the browser, another site's page sent the request. Following a link only
// reads, and does no harm; such requests have no Origin.
func foreign(r *http.Request) bool {
	// Browsers send Origin with each POST, and with scripts' requests to other origins.
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		// "null", for example of a sandboxed frame, has no host, and so is foreign.
		return err != nil || !strings.EqualFold(u.Host, r.Host)
	}
	// Older browsers omit Origin for some forms. A page cannot set Sec-Fetch-Site.
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "cross-site" && !isSafe(r.Method)
}

// isSafe reports whether a method changes nothing (RFC 9110, section 9.2.1).
func isSafe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// hostOf returns a host in lower case, without its port and without the brackets of IPv6.
func hostOf(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	// An error means that there is no port.
	if err != nil {
		host = hostport
	}
	// "example.org." is the same name, written with the root.
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

func clipped(s string) string { return s[:min(len(s), 100)] }
