package server

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/account"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// public are the paths that need no account, and tell nothing of what is here.
func public(path string) bool {
	// /logout is none: who has no session has nothing to end. Styles and scripts are here, or the page to log in would
	// have neither.
	return path == "/healthz" || path == "/login" || strings.HasPrefix(path, "/static/") || path == "/favicon.ico"
}

// actor finds out who asks, by a session's cookie or a token. Who may do what is for views to decide; whoever is nobody
// is sent to log in here, so that no view can be forgotten.
func (s *server) actor(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, binding, err := s.identify(r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		// With each request, since any page may hold a form; it costs one HMAC.
		a.CSRF = s.csrf.token(binding)
		r = r.WithContext(view.WithActor(r.Context(), a))
		// On loopback there is nobody to protect from: jobs and replay tools of this machine may ask
		// as fast as they can.
		if !s.o.Open && !s.rates.allow(a.Name, s.origin(r)) {
			s.fail(w, r, &view.Error{
				Kind: view.TooMany, Title: "Too many requests", Detail: "Your account or address has asked too often.",
				Remedy: "Wait some seconds; scripts: see the header Retry-After.", Retry: 10,
			})
			return
		}
		if a.Role == view.Nobody && !public(r.URL.Path) {
			if isAPI(r.URL.Path) {
				// RFC 9110, section 15.5.2: a 401 names a way to prove who one is. On pages the form
				// to log in does, and browsers would open a dialogue of their own for some schemes.
				w.Header().Set("WWW-Authenticate", `Bearer realm="gleaner"`)
			}
			s.fail(w, r, view.Need(r.Context(), view.Viewer))
			return
		}
		// After the role: whoever is logged out is to be sent to log in, and not told of a token.
		if !isSafe(r.Method) && !s.proven(r, binding) {
			s.fail(w, r, &view.Error{
				Kind: view.Forbidden, Title: "This form is out of date, or not ours",
				Detail: "It does not carry the token that this server gave.",
				Remedy: "Open the page again, and send it from there.",
			})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// What a request's token for forms is bound to, where that is no session.
const (
	boundToken = ""     // a script with a token of the API: no browser sends that by itself
	boundOpen  = "open" // loopback, without accounts
	boundNone  = "none" // nobody yet: the form to log in
)

// identify tells who asks, and what the request's token for forms is bound to.
func (s *server) identify(r *http.Request) (a view.Actor, binding string, err error) {
	if s.o.Open {
		// guarded lets only names of loopback, and those of --hosts, come here.
		return view.Actor{Role: view.Admin, Open: true}, boundOpen, nil
	}
	// The header wins over a cookie, and a wrong one is an error: a script whose token was revoked is
	// to hear of it.
	if header := r.Header.Get("Authorization"); header != "" {
		text, is := strings.CutPrefix(header, "Bearer ")
		if !is {
			return a, "", loggedOut("This server takes tokens: Authorization: Bearer gleaner_….")
		}
		u, err := s.o.Accounts.ByToken(r.Context(), strings.TrimSpace(text))
		if errors.Is(err, account.ErrNoSession) {
			return a, "", loggedOut("The token is none, was revoked, or is out of date.")
		}
		return view.Actor{Name: u.Name, Role: view.Role(u.Role)}, boundToken, err
	}
	// No cookie and a cookie that is out of date are the same, and no error: the page to log in
	// follows.
	c, err := r.Cookie(s.cookieName(r))
	if err != nil {
		return view.Actor{}, boundNone, nil
	}
	u, err := s.o.Accounts.Session(r.Context(), c.Value)
	if errors.Is(err, account.ErrNoSession) {
		return view.Actor{}, boundNone, nil
	}
	return view.Actor{Name: u.Name, Role: view.Role(u.Role)}, c.Value, err
}

func loggedOut(detail string) error {
	return &view.Error{Kind: view.LoggedOut, Title: "Log in first", Detail: detail, Remedy: "Make a token under /account."}
}

// proven tells whether a request that changes something was meant by who sends it. A script with a token of the API
// needs no proof: no page of another site can send one. On loopback a program needs none either, whose requests have
// neither an Origin nor a form's media type, which is all that a page could send.
func (s *server) proven(r *http.Request, binding string) bool {
	if binding == boundToken {
		return true
	}
	// A page of another site cannot send application/json without a preflight (CORS), which nothing here allows.
	media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if binding == boundOpen && isAPI(r.URL.Path) && media == "application/json" {
		return true
	}
	token := r.Header.Get("X-CSRF-Token")
	// Only forms of pages send it in the body, which is read here and kept by net/http for who
	// answers. Bodies of the API are JSON, which its handlers read themselves.
	if token == "" && !isAPI(r.URL.Path) {
		token = r.PostFormValue("csrf")
	}
	return s.csrf.valid(token, binding)
}

// cookieName is the name of the session's cookie. Where all goes by HTTPS it has the prefix by which browsers take it
// from this very host alone (RFC 6265bis, section 4.1.3.2).
func (s *server) cookieName(r *http.Request) string {
	if s.secure(r) {
		return "__Host-gleaner"
	}
	return "gleaner"
}

// secure tells whether the browser speaks HTTPS: to us, or to a proxy that we trust.
func (s *server) secure(r *http.Request) bool {
	return r.TLS != nil || s.fromProxy(r) && r.Header.Get("X-Forwarded-Proto") == "https"
}

// fromProxy tells whether a proxy that we trust sent the request.
func (s *server) fromProxy(r *http.Request) bool {
	return s.trusts(remote(r))
}

func (s *server) trusts(ip netip.Addr) bool {
	for _, p := range s.o.Proxies {
		if p.Contains(ip) {
			return true
		}
	}
	return false
}

func remote(r *http.Request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		// The zero address is in no network, so it is trusted by nothing.
		return netip.Addr{}
	}
	// An IPv4 address comes as ::ffff:192.0.2.1 where the listener takes both kinds; networks of
	// proxies are written without that.
	return ip.Unmap()
}

// origin is the address that a request came from: the last one that is not of a proxy that we trust. What stands before
// it in the header is what anybody may have written there.
func (s *server) origin(r *http.Request) string {
	ip := remote(r)
	// Several headers are one list (RFC 9110, section 5.3), to whose end each proxy adds whom it heard
	// from.
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && s.trusts(ip); i-- {
		next, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
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
	e := account.Event{Who: who, Origin: s.origin(r), What: what, Detail: detail}
	// What was done is done: an audit log that fails is told of in the other log, and undoes nothing.
	if err := s.o.Accounts.Note(r.Context(), e); err != nil {
		slog.Error("the audit log cannot be written", "what", what, "error", err)
	}
}
