package server

import (
	"net/http"
	"net/netip"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/account"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// Pages are the HTML pages: package page.
type Pages interface {
	http.Handler
	// Error answers with an error of a view, or another one, as a page with this status.
	Error(w http.ResponseWriter, r *http.Request, status int, err error)
	// Write answers with the page of what a view has made.
	Write(w http.ResponseWriter, r *http.Request, status int, data any)
	// Login answers with the form to log in: what was tried, where to go after it, and what was wrong.
	Login(w http.ResponseWriter, r *http.Request, status int, name, next, wrong string)
}

// Options of a server.
type Options struct {
	Views *view.Views
	Pages Pages
	// Open says that the server asks for no accounts: whoever reaches it may do all. It is for loopback alone.
	Open bool
	// Accounts are who may use it, where Open is false.
	Accounts *account.Store
	// Proxies are the networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.
	Proxies []netip.Prefix
	// Hosts are the names that the server answers to, without ports; none for any. On loopback localhost and the addresses
	// of loopback are always among them, and nothing else without being named.
	Hosts []string
	// Others are further handlers by the beginnings of paths: "/cdx", "/timemap/".
	Others map[string]http.Handler
}

// New makes the handler of a server.
func New(o Options) http.Handler {
	s := &server{o: o, csrf: newCSRF(), rates: newRates(), gate: newGate()}
	s.api = api.New(o.Views, api.Options{Accounts: o.Accounts})
	// From the inside out: what stands last here sees a request first. Who asks must be known before
	// the gate, so that strangers do not wait in it; guarded comes before anything reads the request;
	// logged is outermost, so that refusals are noted.
	var h http.Handler = http.HandlerFunc(s.route)
	h = repeated(o.Views, h)
	h = s.gated(h)
	h = unchanged(o.Views, h)
	h = compressed(h)
	h = s.readable(h)
	h = s.actor(h)
	h = bounded(h)
	h = guarded(o, h)
	h = s.believed(h)
	h = secured(h)
	h = paced(stallTime, h)
	return logged(h, s.failed)
}

type server struct {
	o     Options
	api   http.Handler
	csrf  *csrf
	rates *rates
	gate  *gate
}

// maxForm bounds the body of a request, in bytes.
// Forms of jobs are the longest, with up to a thousand lines of archives.
const maxForm = 1 << 20

// bounded bounds bodies, before anybody reads them.
func bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		next.ServeHTTP(w, r)
	})
}

// route finds who answers a path. It is not a ServeMux, which would clean paths: those of Memento hold URLs.
func (s *server) route(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	// Prefixes do not overlap, so the order of the map does not matter.
	for prefix, h := range s.o.Others {
		if path == prefix || strings.HasSuffix(prefix, "/") && strings.HasPrefix(path, prefix) {
			h.ServeHTTP(w, r)
			return
		}
	}
	switch {
	// Before pages, whose paths begin with names of collections.
	case path == "/healthz":
		health(w, r)
	case isAPI(path):
		s.api.ServeHTTP(w, r)
	// The form itself needs no account, and a link to it may say where to go next.
	case path == "/login" && isSafe(r.Method):
		s.o.Pages.Login(w, r, http.StatusOK, "", local(r.URL.Query().Get("next")), "")
	case path == "/account" && isSafe(r.Method):
		s.account(w, r, http.StatusOK, "", "")
	// Whatever changes something, and is not a call of the API, is a form.
	case !isSafe(r.Method):
		s.post(w, r)
	default:
		s.o.Pages.ServeHTTP(w, r)
	}
}

// isAPI reports whether a path is for programs: errors there are JSON.
func isAPI(path string) bool {
	// Programs must not have to read HTML to learn what went wrong.
	for _, prefix := range []string{"/api/", "/openapi", "/cdx", "/timemap/", "/timegate/", "/memento/", "/wasapi/"} {
		if under(path, prefix) {
			return true
		}
	}
	return false
}

// health says that the server answers. It tells nothing else, since it is for callers that have no account.
func health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n")) // who asked is gone
}

// fail answers with an error in the form that the path has.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if isAPI(r.URL.Path) || s.o.Pages == nil {
		api.WriteError(w, err)
		return
	}
	s.o.Pages.Error(w, r, api.Status(err), err)
}

// failed answers after a panic, which logged has logged.
func (s *server) failed(w http.ResponseWriter, r *http.Request, err error) { s.fail(w, r, err) }

// Reserved are the paths of the server, which no collection may be called by.
// Some are kept free for later: a collection's address is not to change.
var Reserved = []string{
	"api", "cdx", "timemap", "timegate", "wasapi", "healthz", "openapi.json", "openapi.yaml", "static", "login", "logout",
	"account", "accounts", "audit", "jobs", "sources", "datasets", "docs", "favicon.ico", "robots.txt", "memento",
}
