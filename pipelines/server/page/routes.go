package page

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// Policy is the Content-Security-Policy of all pages. There is one style sheet, scripts are ours, and nothing comes
// from another host. htmx requests its content from this server.
const Policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; " +
	"frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// FramePolicy is the policy of archived markup. The markup has its own origin; nothing runs, nothing is loaded, and no
// form is sent. Only our pages may frame it.
const FramePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'self'"

// ThumbnailPolicy is the policy of thumbnails, for browsers that open one alone.
const ThumbnailPolicy = "sandbox; default-src 'none'; frame-ancestors 'none'"

// Pages serves the pages of views. It handles the paths that were added, and the assets.
type Pages struct {
	// Paths that begin with a collection's name are separate from those that begin with our own words. The latter are
	// tried first. One ServeMux does not accept both /{collection}/search and /jobs/{number}.
	collections, others *http.ServeMux
	frame               func(ctx context.Context, collection string) view.Frame
	feedOf              func(ctx context.Context, s *view.Search) string // nil without saved searches
}

// New makes a server of pages without any paths; frame makes the surroundings of a page.
func New(frame func(ctx context.Context, collection string) view.Frame) *Pages {
	p := &Pages{collections: http.NewServeMux(), others: http.NewServeMux(), frame: frame}
	p.others.Handle("GET "+AssetPath, Assets())
	return p
}

// ServeHTTP answers with a page, even if the path has none.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// Our own words come first: a collection with such a name does not hide them.
	for _, mux := range []*http.ServeMux{p.others, p.collections} {
		// This is checked beforehand, since a ServeMux that finds nothing answers by itself, in plain text.
		if _, pattern := mux.Handler(r); pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
	}
	p.fail(w, r, &view.Error{
		Kind: view.NotFound, Title: "There is no such page", Remedy: "Begin at the start, or search.", Link: "/",
	})
}

// Get serves the page of a view at a pattern of http.ServeMux, without the method. The view's request is made from the
// query and from the path. The pattern names the parts of the path: {collection}, and the fields with the tag "path".
func Get[R, D any](p *Pages, pattern string, ask func(context.Context, R) (D, error)) {
	mux := p.others
	// A pattern whose first part is a variable begins with a collection's name.
	if strings.HasPrefix(pattern, "/{") && pattern != "/{$}" {
		mux = p.collections
	}
	mux.HandleFunc("GET "+pattern, handler(p, ask))
}

// handler serves the page of a view.
func handler[R, D any](p *Pages, ask func(context.Context, R) (D, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
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
		p.write(w, r, http.StatusOK, data, ignored(r.URL.Query(), request))
	}
}

// ignored says which parameters a page does not have, or returns "". A misspelt filter would otherwise look as if it
// had been applied.
func ignored(values url.Values, request any) string {
	known := map[string]bool{}
	for _, field := range reflect.VisibleFields(reflect.TypeOf(request)) { // of embedded requests, too
		known[field.Tag.Get("query")] = true
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !known[name] {
			names = append(names, strconv.Quote(name))
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "This page has no parameter " + names[0] + ": it was ignored."
	}
	return "This page has no parameters " + strings.Join(names, ", ") + ": they were ignored."
}

// decode reads a request from a URL.
func decode(r *http.Request, request any) error {
	values := r.URL.Query()
	if name := r.PathValue("collection"); name != "" {
		values.Set("collection", name)
	}
	// request is always a pointer to the view's struct: Get makes it.
	fields := reflect.TypeOf(request).Elem()
	v := reflect.ValueOf(request).Elem()
	for i := range fields.NumField() {
		name := fields.Field(i).Tag.Get("path")
		if name == "" {
			continue
		}
		// The answer is 404 and not 400: if this part of the path is not a number, no such page exists.
		if !set(v.Field(i), r.PathValue(name)) {
			return &view.Error{Kind: view.NotFound, Title: "There is no such page", Remedy: "Its number is a whole one."}
		}
	}
	return view.Decode(values, request)
}

// set sets a part of a path, which is text or a number from 1.
func set(f reflect.Value, text string) bool {
	if f.Kind() == reflect.String {
		f.SetString(text)
		return true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	// It is set even if it is wrong, since the caller discards the request then.
	f.SetInt(n)
	return err == nil && n > 0
}

// Write answers with the page of data: the result of a view, or a Login.
func (p *Pages) Write(w http.ResponseWriter, r *http.Request, status int, data any) {
	p.write(w, r, status, data, "")
}

// write is Write with a note at the top of the page.
func (p *Pages) write(w http.ResponseWriter, r *http.Request, status int, data any, note string) {
	// It is made for each page, since its content, such as the user's name, depends on the request.
	f := p.frame(r.Context(), r.PathValue("collection"))
	f.Path = r.URL.RequestURI()
	f.API, f.Flash = apiOf(r), note
	if s, is := data.(*view.Search); is && p.feedOf != nil {
		f.Feed = p.feedOf(r.Context(), s)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", Policy)
	// A replayed page is in a frame of another origin, and there is nothing like it in the API.
	if d, is := data.(*view.Replayed); is {
		f.API = ""
		h.Set("Content-Security-Policy", strings.Replace(Policy, "frame-src 'self'", "frame-src "+d.FrameSource(), 1))
	}
	h.Set("X-Content-Type-Options", "nosniff")
	// Archived addresses are links to other sites. Those sites must not learn the searches made here.
	h.Set("Referrer-Policy", "same-origin")
	// The page is rendered completely before the status is sent. Otherwise a template that fails half-way would leave
	// half a page with status 200.
	text, err := Render(f, data)
	if err != nil {
		slog.Error("a page could not be written", "path", r.URL.Path, "error", err)
		http.Error(w, "This page failed. The server's log says why.", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // the client may have left
}

// Login answers with the form to log in. It has the name that was tried, the next path, and the mistake.
func (p *Pages) Login(w http.ResponseWriter, r *http.Request, status int, name, next, wrong string) {
	p.Write(w, r, status, Login{Error: wrong, Name: name, Next: next})
}

// Error answers with an error page. Causes that the user is not responsible for go to the log, and not to the page.
func (p *Pages) Error(w http.ResponseWriter, r *http.Request, status int, err error) {
	known := (*view.Error)(nil)
	switch {
	// The form is at the requested address, and leads back to it. errors.As sets known for the cases below.
	case errors.As(err, &known) && known.Kind == view.LoggedOut:
		p.Write(w, r, status, Login{Next: r.URL.RequestURI()})
		return
	case known != nil:
	case r.Context().Err() != nil:
		return // the client has left
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

// statuses are the HTTP statuses of the kinds of errors.
var statuses = map[view.Kind]int{
	view.Invalid: http.StatusBadRequest, view.LoggedOut: http.StatusUnauthorized, view.Forbidden: http.StatusForbidden,
	view.NotFound: http.StatusNotFound, view.Conflict: http.StatusConflict, view.TooMany: http.StatusTooManyRequests,
	view.NotReady: http.StatusServiceUnavailable,
}

// fail is Error with the status that belongs to the error.
func (p *Pages) fail(w http.ResponseWriter, r *http.Request, err error) {
	// A kind without a status is our mistake, and becomes a 500.
	status := http.StatusInternalServerError
	if known := (*view.Error)(nil); errors.As(err, &known) && statuses[known.Kind] != 0 {
		status = statuses[known.Kind]
	}
	p.Error(w, r, status, err)
}

// baseOf returns the address of this server, as the client has written it.
func baseOf(r *http.Request) string {
	scheme := "http"
	// The header is only there if a trusted proxy has sent it.
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// resources are the API's names of pages' data, if they differ. The keys are the parts of pages' paths that follow the
// collection.
var resources = map[string]string{"": "overview", "resource": "resources"}

// others are the resources of pages outside of collections, by their paths; "" is for a page without data.
var others = map[string]string{
	"": "collections", "search": "across", "account": "account", "jobs/new": "jobs/form", "login": "", "logout": "",
}

// apiOf returns the path of a page's data as JSON. It has the page's own parameters, and the collection as one of
// them. Pages outside of collections have the path of their resource.
func apiOf(r *http.Request) string {
	values := r.URL.Query()
	rest := strings.TrimPrefix(r.URL.EscapedPath(), "/")
	if name := r.PathValue("collection"); name != "" {
		values.Set("collection", name)
		// After the collection, the API's paths are those of the pages, except for the names in resources.
		_, rest, _ = strings.Cut(rest, "/")
		rest = cmp.Or(resources[rest], rest)
	} else if other, known := others[rest]; known {
		rest = other
	} else if r.Pattern == "" {
		rest = "" // this path has no page, and so no data
	}
	if rest == "" {
		return ""
	}
	if len(values) == 0 {
		return "/api/v1/" + rest
	}
	return "/api/v1/" + rest + "?" + values.Encode()
}
