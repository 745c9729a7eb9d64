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

// public reports whether a path needs no account. Such paths reveal nothing about the data.
func public(path string) bool {
	// These include the style and the script of the log-in form.
	return path == "/healthz" || path == "/login" || strings.HasPrefix(path, "/static/") || path == "/favicon.ico"
}

// actor identifies the user by a session's cookie or a token. Views decide about permissions. But users without an
// account are sent to log in here, so that no view can be forgotten.
func (s *server) actor(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The user is identified first, since limits are for each account.
		a, binding, err := s.identify(r)
		a = s.visiting(a, err)
		a.CSRF, a.Origin = s.csrf.token(binding), s.origin(r)
		r = r.WithContext(view.WithActor(r.Context(), a))
		named(r.Context(), a.Name)
		// The only user on loopback needs no protection.
		if !s.o.Open && !s.rates.allow(a.Name, a.Origin) {
			s.fail(w, r, &view.Error{
				Kind: view.TooMany, Title: "Too many requests", Detail: "Your account or network address has sent too many " +
					"requests.",
				Remedy: "Wait some seconds; scripts: see the header Retry-After.", Retry: 10,
			})
			return
		}
		// This comes after the limit, so that somebody who tries invalid tokens is a stranger, counted by address.
		if err != nil {
			s.fail(w, r, err)
			return
		}
		if a.Role == view.Nobody && !public(r.URL.Path) {
			// By RFC 9110, section 11.6.1, a 401 says how to log in. Browsers get the form instead.
			if isAPI(r.URL.Path) {
				w.Header().Set("WWW-Authenticate", `Bearer realm="gleaner"`)
			}
			s.fail(w, r, view.Need(r.Context(), view.Viewer))
			return
		}
		// Only requests that change something need proof. Reading does not, as no other site can see the answer.
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

// Bindings of a request's token for forms other than a session.
const (
	boundToken = ""     // a script with an API token: browsers do not send these by themselves
	boundOpen  = "open" // loopback, without accounts
	boundNone  = "none" // not logged in: the log-in form
)

// identify returns the user, and the binding of the request's token for forms.
func (s *server) identify(r *http.Request) (a view.Actor, binding string, err error) {
	if s.o.Open {
		// Every user of the machine could read the files anyway.
		return view.Actor{Role: view.Admin, Open: true}, boundOpen, nil
	}
	header := r.Header.Get("Authorization")
	if token := r.URL.Query().Get("token"); header == "" && token != "" && isFeed(r.URL.Path) && isSafe(r.Method) {
		header = "Bearer " + token
	}
	if header != "" {
		text, is := strings.CutPrefix(header, "Bearer ")
		// Another scheme is refused instead of ignored, so that a script gets an error.
		if !is {
			return a, "", loggedOut("This server takes tokens: Authorization: Bearer gleaner_….")
		}
		u, err := s.o.Accounts.ByToken(r.Context(), strings.TrimSpace(text))
		if errors.Is(err, account.ErrNoSession) {
			return a, "", loggedOut("The token is invalid, revoked or expired.")
		}
		// The binding is empty, so proven requires no form token.
		return view.Actor{Name: u.Name, Role: view.Role(u.Role), Since: u.Created, Token: u.Token}, boundToken, err
	}
	// A request without a cookie is not logged in, which is not an error.
	c, err := r.Cookie(s.cookieName(r))
	if err != nil {
		return view.Actor{}, boundNone, nil
	}
	u, err := s.o.Accounts.Session(r.Context(), c.Value)
	// An expired cookie is the same as none: the log-in page follows.
	if errors.Is(err, account.ErrNoSession) {
		return view.Actor{}, boundNone, nil
	}
	return view.Actor{Name: u.Name, Role: view.Role(u.Role), Since: u.Created, Session: u.Session}, c.Value, err
}

// visiting lets a visitor without an account read, if the rules of access do.
func (s *server) visiting(a view.Actor, err error) view.Actor {
	if err == nil && a.Role == view.Nobody && s.o.Views.LetsVisitors() {
		a.Role, a.Visitor = view.Viewer, true
	}
	return a
}

func loggedOut(detail string) error {
	return &view.Error{
		Kind: view.LoggedOut, Title: "Log in first", Detail: detail,
		Remedy: "Create a token under /account.",
	}
}

// proven reports whether a request that changes something was intended by its user. A script with an API token needs
// no proof: no page of another site can send one. On loopback a program needs none either. Its requests have neither
// an Origin nor a form's media type, and a page could send only such requests.
func (s *server) proven(r *http.Request, binding string) bool {
	if binding == boundToken {
		return true
	}
	// A form of another site can send three media types without a preflight, and JSON is not among them (Fetch,
	// "CORS-safelisted").
	media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if binding == boundOpen && isAPI(r.URL.Path) && media == "application/json" {
		return true
	}
	// A visitor has nothing that another site could use, and a call of an assistant only reads.
	if binding == boundNone && r.URL.Path == assistants && media == "application/json" {
		return true
	}
	// Our scripts send it as a header, forms as a field.
	token := r.Header.Get("X-CSRF-Token")
	if token == "" && !isAPI(r.URL.Path) {
		token = r.PostFormValue("csrf")
	}
	return s.csrf.valid(token, binding)
}

// cookieName returns the name of the session's cookie. With HTTPS it has the prefix by which browsers accept it only
// from this host (RFC 6265bis, section 4.1.3.2).
func (s *server) cookieName(r *http.Request) string {
	// The prefix requires Secure and the path "/", which cookie sets.
	if s.secure(r) {
		return "__Host-gleaner"
	}
	return "gleaner"
}

// secure reports whether the browser uses HTTPS: directly, or to a trusted proxy. Method believed has checked that.
func (s *server) secure(r *http.Request) bool { return api.Secure(r) }

// believed removes proxy headers from requests that no trusted proxy has sent. So later code cannot use forged
// headers.
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

// contains reports whether an address is in one of a few networks.
func contains(networks []netip.Prefix, ip netip.Addr) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(ip) })
}

func remote(r *http.Request) netip.Addr { return addressOf(r.RemoteAddr) }

// addressOf returns the address of a peer.
func addressOf(peer string) netip.Addr {
	host, _, err := net.SplitHostPort(peer)
	// A Unix socket has no port.
	if err != nil {
		host = peer
	}
	// An invalid address is in no network, so it is not trusted.
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	// ::ffff:192.0.2.7 becomes 192.0.2.7, the form in networks.
	return ip.Unmap()
}

// origin returns the address from which a request came: the last one that is not a trusted proxy's. Anybody could have
// written the part of the header before it.
func (s *server) origin(r *http.Request) string {
	ip := remote(r)
	// Several headers with one name are one list (RFC 9110, section 5.3).
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	// The loop starts at the end, written by the nearest proxy.
	for i := len(hops) - 1; i >= 0 && s.trusts(ip); i-- {
		next, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		// An invalid address ends the trusted part.
		if err != nil {
			break
		}
		ip = next.Unmap()
	}
	return ip.String()
}

// note writes to the audit log, if there are accounts.
func (s *server) note(r *http.Request, who, what, detail string) {
	if s.o.Accounts == nil {
		return
	}
	// The request continues in any case: a full disk must not keep people out.
	e := account.Event{Who: who, Origin: s.origin(r), What: what, Detail: detail}
	if err := s.o.Accounts.Note(r.Context(), e); err != nil {
		slog.Error("the audit log cannot be written", "what", what, "error", err)
	}
}
