package server

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/account"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// public are the paths that need no account, and tell nothing of what is here.
func public(path string) bool {
	// The style and the script of the form to log in are among them.
	return path == "/healthz" || path == "/login" || strings.HasPrefix(path, "/static/") || path == "/favicon.ico"
}

// actor finds out who asks, by a session's cookie or a token. Who may do what is for views to decide; whoever is nobody
// is sent to log in here, so that no view can be forgotten.
func (s *server) actor(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Who asks comes first: the limits are by account.
		a, binding, err := s.identify(r)
		a.CSRF, a.Origin = s.csrf.token(binding), s.origin(r)
		r = r.WithContext(view.WithActor(r.Context(), a))
		named(r.Context(), a.Name)
		// On loopback there is one user, who need not be protected from himself.
		if !s.o.Open && !s.rates.allow(a.Name, a.Origin) {
			s.fail(w, r, &view.Error{
				Kind: view.TooMany, Title: "Too many requests", Detail: "Your account or network address has sent too many requests.",
				Remedy: "Wait some seconds; scripts: see the header Retry-After.", Retry: 10,
			})
			return
		}
		// Behind the limit: whoever tries tokens that are none is a stranger, and counted by address.
		if err != nil {
			s.fail(w, r, err)
			return
		}
		if a.Role == view.Nobody && !public(r.URL.Path) {
			// RFC 9110, section 11.6.1: a 401 says how to log in. Browsers get the form instead.
			if isAPI(r.URL.Path) {
				w.Header().Set("WWW-Authenticate", `Bearer realm="gleaner"`)
			}
			s.fail(w, r, view.Need(r.Context(), view.Viewer))
			return
		}
		// Only what changes something: reading needs no proof, as no other site can see the answer.
		if !isSafe(r.Method) && !s.proven(r, binding) {
			s.fail(w, r, &view.Error{
				Kind: view.Forbidden, Title: "This form has expired, or is not from this server",
				Detail: "It does not carry the token that this server gave.",
				Remedy: "Open the page again, and send it from there.",
			})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// What a request's token for forms is bound to, where that is not a session.
const (
	boundToken = ""     // a script with a token of the API: no browser sends that by itself
	boundOpen  = "open" // loopback, without accounts
	boundNone  = "none" // nobody yet: the form to log in
)

// identify tells who asks, and what the request's token for forms is bound to.
func (s *server) identify(r *http.Request) (a view.Actor, binding string, err error) {
	if s.o.Open {
		// Whoever uses the machine could read the files anyway.
		return view.Actor{Role: view.Admin, Open: true}, boundOpen, nil
	}
	if header := r.Header.Get("Authorization"); header != "" {
		text, is := strings.CutPrefix(header, "Bearer ")
		// Another scheme is refused, and not taken for nobody: a script learns what is wrong.
		if !is {
			return a, "", loggedOut("This server takes tokens: Authorization: Bearer gleaner_….")
		}
		u, err := s.o.Accounts.ByToken(r.Context(), strings.TrimSpace(text))
		if errors.Is(err, account.ErrNoSession) {
			return a, "", loggedOut("The token is invalid, revoked or expired.")
		}
		// The binding is empty: proven asks for no form's token then.
		return view.Actor{Name: u.Name, Role: view.Role(u.Role), Token: u.Token}, boundToken, err
	}
	// Without a cookie somebody is nobody, which is not an error.
	c, err := r.Cookie(s.cookieName(r))
	if err != nil {
		return view.Actor{}, boundNone, nil
	}
	u, err := s.o.Accounts.Session(r.Context(), c.Value)
	// An old cookie is not told from none: the page to log in follows.
	if errors.Is(err, account.ErrNoSession) {
		return view.Actor{}, boundNone, nil
	}
	return view.Actor{Name: u.Name, Role: view.Role(u.Role), Session: u.Session}, c.Value, err
}

func loggedOut(detail string) error {
	return &view.Error{Kind: view.LoggedOut, Title: "Log in first", Detail: detail, Remedy: "Create a token under /account."}
}

// proven reports whether a request that changes something was meant by callers that send it. A script with a token of
// the API needs no proof: no page of another site can send one. On loopback a program needs none either, whose requests
// have neither an Origin nor a form's media type, which is all that a page could send.
func (s *server) proven(r *http.Request, binding string) bool {
	if binding == boundToken {
		return true
	}
	// A form of another site can send three media types without being asked first, and JSON is none of
	// them (Fetch, "CORS-safelisted").
	media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if binding == boundOpen && isAPI(r.URL.Path) && media == "application/json" {
		return true
	}
	// Scripts of ours send it as a header, forms as a field.
	token := r.Header.Get("X-CSRF-Token")
	if token == "" && !isAPI(r.URL.Path) {
		token = r.PostFormValue("csrf")
	}
	return s.csrf.valid(token, binding)
}

// cookieName is the name of the session's cookie. Where all goes by HTTPS it has the prefix by which browsers take it
// from this very host alone (RFC 6265bis, section 4.1.3.2).
func (s *server) cookieName(r *http.Request) string {
	// The prefix needs Secure and the path "/", which cookie sets.
	if s.secure(r) {
		return "__Host-gleaner"
	}
	return "gleaner"
}

// secure reports whether the browser speaks HTTPS: to us, or to a proxy that we trust, which believed has seen to.
func (s *server) secure(r *http.Request) bool { return api.Secure(r) }

// believed takes headers of proxies out of a request that no proxy of ours has sent. Nobody after it can believe what
// anybody may have written then.
func (s *server) believed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.trusts(remote(r)) {
			r.Header.Del("X-Forwarded-Proto")
			r.Header.Del("X-Forwarded-For")
		}
		next.ServeHTTP(w, r)
	})
}

func (s *server) trusts(ip netip.Addr) bool { return contains(s.o.Proxies, ip) }

// contains reports whether an address is in one of a handful of networks.
func contains(networks []netip.Prefix, ip netip.Addr) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(ip) })
}

func remote(r *http.Request) netip.Addr { return addressOf(r.RemoteAddr) }

// addressOf is the address of a peer.
func addressOf(peer string) netip.Addr {
	host, _, err := net.SplitHostPort(peer)
	// A Unix socket has no port.
	if err != nil {
		host = peer
	}
	// No address is in no network, and so is trusted by nobody.
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	// ::ffff:192.0.2.7 is 192.0.2.7, which networks are named by.
	return ip.Unmap()
}

// origin is the address that a request came from: the last one that is not of a proxy that we trust. What precedes
// it in the header is what anybody may have written there.
func (s *server) origin(r *http.Request) string {
	ip := remote(r)
	// Several headers of one name are one list (RFC 9110, section 5.3).
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	// From the end, which the proxy nearest to us has written.
	for i := len(hops) - 1; i >= 0 && s.trusts(ip); i-- {
		next, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		// What is not an address ends what can be believed.
		if err != nil {
			break
		}
		ip = next.Unmap()
	}
	return ip.String()
}

// note writes to the audit log, where there are accounts.
func (s *server) note(r *http.Request, who, what, detail string) {
	if s.o.Accounts == nil {
		return
	}
	// The request is answered all the same: a full disk must not keep people out.
	e := account.Event{Who: who, Origin: s.origin(r), What: what, Detail: detail}
	if err := s.o.Accounts.Note(r.Context(), e); err != nil {
		slog.Error("the audit log cannot be written", "what", what, "error", err)
	}
}
