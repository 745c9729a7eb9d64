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

// guarded refuses requests that a page of another site has made a browser send: those for another host than ours, and
// those whose Origin is another. The first is how DNS rebinding comes, where a name of the attacker's is pointed to
// loopback; the second how a form of another site does. Programs send no Origin, and are not refused by it.
func guarded(o Options, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The Host that the browser was told, not the address that it reached.
		host := hostOf(r.Host)
		switch {
		case !allowed(o, host):
			// JSON for all paths: whoever is refused here is no reader of pages.
			e := &view.Error{
				Kind: view.Forbidden, Title: "This server does not answer to this name",
				// Cut, as it is what anybody may send.
				Detail: "It was asked as " + clipped(host) + ".", Remedy: "Name the host by --hosts if that is yours.",
			}
			// Of HTTP/1.0: who asks cannot be distinguished from a page with a name of its own, and links would have no host.
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

// allowed reports whether the server answers to a host. One that needs no accounts answers to loopback alone.
func allowed(o Options, host string) bool {
	// Loopback always, so that a health check works on any server.
	if slices.Contains(o.Hosts, host) || isLoopback(host) {
		return true
	}
	// Without named hosts a server with accounts answers to any: its accounts protect it.
	return !o.Open && len(o.Hosts) == 0
}

// isLoopback reports whether a name is one of this machine's for itself.
func isLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true // RFC 6761, section 6.3: no name server is asked for it
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// foreign reports whether a browser says that another site's page sent the request. One that only reads, and that a
// link led to, is no harm: such requests have no Origin.
func foreign(r *http.Request) bool {
	// Browsers send Origin with each POST, and with requests of scripts to other origins.
	if origin := r.Header.Get("Origin"); origin != "" {
		u, err := url.Parse(origin)
		// "null", as of a sandboxed frame, has no host, and so is foreign.
		return err != nil || !strings.EqualFold(u.Host, r.Host)
	}
	// Older browsers leave Origin out of some forms; Sec-Fetch-Site cannot be set by a page.
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "cross-site" && !isSafe(r.Method)
}

// isSafe reports whether a method changes nothing (RFC 9110, section 9.2.1).
func isSafe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// hostOf is a host without its port and the brackets of IPv6, in lower case.
func hostOf(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	// Without a port there is nothing to split.
	if err != nil {
		host = hostport
	}
	// "example.org." is the same name, written out to the root.
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

func clipped(s string) string { return s[:min(len(s), 100)] }
