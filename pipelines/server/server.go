package server

import (
	"bytes"
	"cmp"
	"io"
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
	// Error answers with an error as a page with this status. The error may be from a view, or another one.
	Error(w http.ResponseWriter, r *http.Request, status int, err error)
	// Write answers with the page of a view's result.
	Write(w http.ResponseWriter, r *http.Request, status int, data any)
	// Login answers with the form to log in. It has the name that was tried, the next path, and the mistake.
	Login(w http.ResponseWriter, r *http.Request, status int, name, next, wrong string)
}

// Options are the options of a server.
type Options struct {
	Views *view.Views
	Pages Pages
	// Open means that the server needs no accounts: everyone who can connect to it may do everything. It is only for
	// loopback.
	Open bool
	// Accounts are the users' accounts, if Open is false.
	Accounts *account.Store
	// Proxies are the networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted.
	Proxies []netip.Prefix
	// Hosts are the names that the server answers to, without ports; if it is empty, the server answers to any name.
	// On loopback, localhost and the loopback addresses are always included, and all others must be named.
	Hosts []string
	// Others are further handlers by the beginnings of paths: "/cdx", "/timemap/".
	Others map[string]http.Handler
}

// New makes the handler of a server.
func New(o Options) http.Handler {
	s := &server{o: o, csrf: newCSRF(), rates: newRates(), gate: newGate()}
	s.api = api.New(o.Views, api.Options{Accounts: o.Accounts})
	// The order is from inside to outside: the last one here sees a request first. The user must be known before the
	// gate, so that strangers do not wait in it. A body is received before it, so that slow senders hold no turn. The
	// step guarded comes before anything reads the request. The step logged is outermost, so that refusals are logged.
	var h http.Handler = http.HandlerFunc(s.route)
	h = repeated(o.Views, h)
	h = s.gated(h)
	h = received(h)
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

// maxForm limits the body of a request, in bytes. Forms of jobs are the longest, with up to a thousand lines of
// archives.
const maxForm = 1 << 20

// bounded limits bodies before anything reads them.
func bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		next.ServeHTTP(w, r)
	})
}

// received reads the whole body of a request that has one. An error of reading comes after the bytes before it.
func received(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isSafe(r.Method) {
			body, err := io.ReadAll(r.Body)
			r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{cmp.Or(err, io.EOF)}))
		}
		next.ServeHTTP(w, r)
	})
}

// failing is a reader that has only an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// route finds the handler of a path. A ServeMux would clean paths, but those of Memento contain URLs.
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
	// These come before pages, whose paths begin with names of collections.
	case path == "/healthz":
		health(w, r)
	case isAPI(path):
		s.api.ServeHTTP(w, r)
	// The form itself needs no account, and a link to it may contain the next path.
	case path == "/login" && isSafe(r.Method):
		s.o.Pages.Login(w, r, http.StatusOK, "", local(r.URL.Query().Get("next")), "")
	case path == "/account" && isSafe(r.Method):
		s.account(w, r, http.StatusOK, "", "")
	// A request that changes something, and is not an API call, is a form.
	case !isSafe(r.Method):
		s.post(w, r)
	default:
		s.o.Pages.ServeHTTP(w, r)
	}
}

// assistants is the path of the Model Context Protocol. Its requests are POST, and only read.
const assistants = "/mcp"

// isAPI reports whether a path is for programs, which get errors as JSON.
func isAPI(path string) bool {
	// Programs should not have to read HTML to learn the cause of an error.
	for _, prefix := range []string{
		"/api/", "/openapi", "/cdx", "/timemap/", "/timegate/", "/memento/", "/wasapi/", assistants,
	} {
		if under(path, prefix) {
			return true
		}
	}
	return false
}

// health reports that the server answers. It tells nothing else, since clients need no account for it.
func health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n")) // the client has left
}

// fail answers with an error in the format of the path.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if isAPI(r.URL.Path) || s.o.Pages == nil {
		api.WriteError(w, err)
		return
	}
	s.o.Pages.Error(w, r, api.Status(err), err)
}

// failed answers after a panic, which logged has logged.
func (s *server) failed(w http.ResponseWriter, r *http.Request, err error) { s.fail(w, r, err) }

// Reserved are the paths of the server, which cannot be names of collections. Some are reserved for later, so that a
// collection's address need not change.
var Reserved = []string{
	"api", "cdx", "timemap", "timegate", "wasapi", "healthz", "openapi.json", "openapi.yaml", "static", "login", "logout",
	"account", "accounts", "audit", "jobs", "sources", "datasets", "docs", "favicon.ico", "robots.txt", "memento",
	"replay", "search", "help", "saved", "mcp",
}
