package page

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// Policy is the Content-Security-Policy of all pages. Styles are of the one sheet, scripts are ours, and nothing comes
// from another host; htmx asks this server for what it swaps.
const Policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; " +
	"frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// FramePolicy is that of archived markup: an origin of its own, in which nothing runs, nothing is fetched and no form
// is sent. Only our pages may frame it.
const FramePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'self'"

// Pages serves pages of views. It is a handler of the paths that it was given, and of the assets.
type Pages struct {
	// Paths that begin with a collection's name are apart from those that begin with a word of ours, which are tried
	// first: one ServeMux does not take both /{collection}/search and /jobs/{number}.
	collections, others *http.ServeMux
	frame               func(ctx context.Context, collection string) view.Frame
}

// New makes a server of pages without any path yet; frame is what surrounds a page.
func New(frame func(ctx context.Context, collection string) view.Frame) *Pages {
	p := &Pages{collections: http.NewServeMux(), others: http.NewServeMux(), frame: frame}
	p.others.Handle("GET "+AssetPath, Assets())
	return p
}

// ServeHTTP answers with a page, also where there is none.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// Words of ours come first: a collection of such a name does not hide them.
	for _, mux := range []*http.ServeMux{p.others, p.collections} {
		// Asked beforehand, since a ServeMux that finds nothing answers by itself, in plain text.
		if _, pattern := mux.Handler(r); pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
	}
	p.fail(w, r, &view.Error{
		Kind: view.NotFound, Title: "There is no such page", Remedy: "Begin at the start, or search.", Link: "/",
	})
}

// Get serves the page of a view at a pattern of http.ServeMux, without the method. The view's request is made of the
// query, and of the parts of the path that the pattern names: {collection}, and those with the tag "path".
func Get[R, D any](p *Pages, pattern string, ask func(context.Context, R) (D, error)) {
	mux := p.others
	// A pattern whose first part is a variable begins with a collection's name.
	if strings.HasPrefix(pattern, "/{") && pattern != "/{$}" {
		mux = p.collections
	}
	mux.HandleFunc("GET "+pattern, func(w http.ResponseWriter, r *http.Request) {
		var request R
		err := decode(r, &request)
		if err != nil {
			p.fail(w, r, err)
			return
		}
		data, err := ask(r.Context(), request)
		if err != nil {
			p.fail(w, r, err)
			return
		}
		p.Write(w, r, http.StatusOK, data)
	})
}

// decode reads a request from a URL.
func decode(r *http.Request, request any) error {
	values := r.URL.Query()
	if name := r.PathValue("collection"); name != "" {
		values.Set("collection", name)
	}
	// request is a pointer to a struct, always one of the view's: Get makes it.
	fields := reflect.TypeOf(request).Elem()
	v := reflect.ValueOf(request).Elem()
	for i := range fields.NumField() {
		name := fields.Field(i).Tag.Get("path")
		if name == "" {
			continue
		}
		// 404 and not 400: a path with no number in it names a page that does not exist.
		if !set(v.Field(i), r.PathValue(name)) {
			return &view.Error{Kind: view.NotFound, Title: "There is no such page", Remedy: "Its number is a whole one."}
		}
	}
	return view.Decode(values, request)
}

// set sets a part of a path, which is a text or a number from 1.
func set(f reflect.Value, text string) bool {
	if f.Kind() == reflect.String {
		f.SetString(text)
		return true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	// Set even if it is wrong: the caller throws the request away then.
	f.SetInt(n)
	return err == nil && n > 0
}

// Write answers with the page of data: what a view returned, or a Login.
func (p *Pages) Write(w http.ResponseWriter, r *http.Request, status int, data any) {
	// Made with each page: what it shows, such as who is logged in, is the request's.
	f := p.frame(r.Context(), r.PathValue("collection"))
	f.Path = r.URL.RequestURI()
	f.API = apiOf(r)
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", Policy)
	h.Set("X-Content-Type-Options", "nosniff")
	// Archived addresses are links to sites of others, which learn nothing of what is searched for
	// here.
	h.Set("Referrer-Policy", "same-origin")
	// Rendered as a whole before the status is written: a template that fails half-way would leave
	// half a page with a 200.
	text, err := Render(f, data)
	if err != nil {
		slog.Error("a page could not be written", "path", r.URL.Path, "error", err)
		http.Error(w, "This page failed. The server's log says why.", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // who asked may be gone
}

// Login answers with the form to log in: what was tried, where to go after it, and what was wrong.
func (p *Pages) Login(w http.ResponseWriter, r *http.Request, status int, name, next, wrong string) {
	p.Write(w, r, status, Login{Error: wrong, Name: name, Next: next})
}

// Error answers with an error as a page. What is not the asker's goes to the log, and the page says nothing of it.
func (p *Pages) Error(w http.ResponseWriter, r *http.Request, status int, err error) {
	known := (*view.Error)(nil)
	switch {
	// The form is at the address that was asked for, and leads back to it. errors.As sets known
	// for the cases below.
	case errors.As(err, &known) && known.Kind == view.LoggedOut:
		p.Write(w, r, status, Login{Next: r.URL.RequestURI()})
		return
	case known != nil:
	case r.Context().Err() != nil:
		return // who asked is gone
	default:
		slog.Error("a page failed", "path", r.URL.Path, "error", err)
		known = &view.Error{
			Title: "This page failed", Detail: "The server's log says why. Nothing was changed.", Remedy: "Try again.",
		}
	}
	if known.Retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(known.Retry))
	}
	p.Write(w, r, status, known)
}

// statuses are the statuses of HTTP that kinds of errors have.
var statuses = map[view.Kind]int{
	view.Invalid: http.StatusBadRequest, view.LoggedOut: http.StatusUnauthorized, view.Forbidden: http.StatusForbidden,
	view.NotFound: http.StatusNotFound, view.Conflict: http.StatusConflict, view.TooMany: http.StatusTooManyRequests,
	view.NotReady: http.StatusServiceUnavailable,
}

// fail is Error with the status that the error has.
func (p *Pages) fail(w http.ResponseWriter, r *http.Request, err error) {
	// A kind that has no status is a mistake of ours, and a 500.
	status := http.StatusInternalServerError
	if known := (*view.Error)(nil); errors.As(err, &known) && statuses[known.Kind] != 0 {
		status = statuses[known.Kind]
	}
	p.Error(w, r, status, err)
}

// resources are the resources of the API that have what pages have, by what is in a page's path after the
// collection.
var resources = map[string]string{"": "overview", "resource": "resources"}

// others are those of pages that are of no collection, by their paths; "" for a page that is not data.
var others = map[string]string{
	"": "collections", "account": "account", "jobs/new": "jobs/form", "login": "", "logout": "",
}

// apiOf is the path of a page's data as JSON: the page's own parameters, with the collection as one of them. Pages that
// are of no collection have the path of their resource.
func apiOf(r *http.Request) string {
	values := r.URL.Query()
	rest := strings.TrimPrefix(r.URL.EscapedPath(), "/")
	if name := r.PathValue("collection"); name != "" {
		values.Set("collection", name)
		// The path that follows the name is the resource's, as both were named alike.
		_, rest, _ = strings.Cut(rest, "/")
		rest = cmp.Or(resources[rest], rest)
	} else if other, known := others[rest]; known {
		rest = other
	} else if r.Pattern == "" {
		rest = "" // no page is at this path, and so no data
	}
	if rest == "" {
		return ""
	}
	if len(values) == 0 {
		return "/api/v1/" + rest
	}
	return "/api/v1/" + rest + "?" + values.Encode()
}
