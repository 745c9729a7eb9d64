package page

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"reflect"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// Policy is the Content-Security-Policy of all pages. Styles are of the one sheet, scripts are ours, and nothing comes
// from another host; htmx asks this server for what it swaps.
const Policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; " +
	"frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// FramePolicy is that of archived markup: an origin of its own, in which nothing runs, nothing is fetched and no form is
// sent. Only our pages may frame it.
const FramePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'self'"

// Pages serves pages of views. It is a handler of the paths that it was given, and of the assets.
type Pages struct {
	mux   *http.ServeMux
	frame func(ctx context.Context, collection string) view.Frame
}

// New makes a server of pages without any path yet; frame is what stands around a page.
func New(frame func(ctx context.Context, collection string) view.Frame) *Pages {
	p := &Pages{mux: http.NewServeMux(), frame: frame}
	p.mux.Handle("GET "+AssetPath, Assets())
	return p
}

// ServeHTTP answers with a page, also where there is none.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, pattern := p.mux.Handler(r); pattern == "" {
		p.Error(w, r, &view.Error{
			Kind: view.NotFound, Title: "There is no such page", Remedy: "Begin at the start, or search.",
		})
		return
	}
	p.mux.ServeHTTP(w, r)
}

// Get serves the page of a view at a pattern of http.ServeMux, without the method. The view's request is made of the
// query, and of the parts of the path that the pattern names: {collection}, and those with the tag "path".
func Get[R, D any](p *Pages, pattern string, ask func(context.Context, R) (D, error)) {
	p.mux.HandleFunc("GET "+pattern, func(w http.ResponseWriter, r *http.Request) {
		var request R
		err := decode(r, &request)
		if err != nil {
			p.Error(w, r, err)
			return
		}
		data, err := ask(r.Context(), request)
		if err != nil {
			p.Error(w, r, err)
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
	fields := reflect.TypeOf(request).Elem()
	v := reflect.ValueOf(request).Elem()
	for i := range fields.NumField() {
		name := fields.Field(i).Tag.Get("path")
		if name == "" {
			continue
		}
		if err := view.Set(v.Field(i), fields.Field(i).Tag, name, r.PathValue(name)); err != nil {
			return err
		}
	}
	return view.Decode(values, request)
}

// Write answers with the page of data: what a view returned, a Login or Collections.
func (p *Pages) Write(w http.ResponseWriter, r *http.Request, status int, data any) {
	f := p.frame(r.Context(), r.PathValue("collection"))
	f.Path = r.URL.RequestURI()
	f.API = apiOf(r)
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", Policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	if r.Method != http.MethodHead {
		w = &late{ResponseWriter: w, status: status}
	}
	if err := Write(w, f, data); err != nil {
		slog.Error("a page could not be written", "path", r.URL.Path, "error", err)
		if l, is := w.(*late); is && !l.sent {
			http.Error(w, "This page failed. The server's log says why.", http.StatusInternalServerError)
		}
	}
}

// late sends the status with the first byte, so that a page that fails can still be an error.
type late struct {
	http.ResponseWriter
	status int
	sent   bool
}

func (l *late) Write(b []byte) (int, error) {
	if !l.sent {
		l.sent = true
		l.ResponseWriter.WriteHeader(l.status)
	}
	return l.ResponseWriter.Write(b)
}

// Statuses are the statuses of HTTP that kinds of errors have.
var statuses = map[view.Kind]int{
	view.Invalid: http.StatusBadRequest, view.LoggedOut: http.StatusUnauthorized, view.Forbidden: http.StatusForbidden,
	view.NotFound: http.StatusNotFound, view.Conflict: http.StatusConflict, view.TooMany: http.StatusTooManyRequests,
	view.NotReady: http.StatusServiceUnavailable,
}

// Error answers with the page of an error. One that is not the asker's goes to the log, and the page says nothing of it.
func (p *Pages) Error(w http.ResponseWriter, r *http.Request, err error) {
	known := (*view.Error)(nil)
	switch {
	case errors.As(err, &known):
	case r.Context().Err() != nil:
		return // who asked is gone
	default:
		slog.Error("a page failed", "path", r.URL.Path, "error", err)
		known = &view.Error{Title: "This page failed", Detail: "The server's log says why. Nothing was changed.",
			Remedy: "Try again."}
	}
	if known.Kind == view.LoggedOut {
		p.Write(w, r, http.StatusUnauthorized, Login{Next: r.URL.RequestURI()})
		return
	}
	status := statuses[known.Kind]
	if status == 0 {
		status = http.StatusInternalServerError
	}
	p.Write(w, r, status, known)
}

// apiOf is the resource of the API that has the same data as a page of a collection: what stands in the path behind the
// collection, with the collection in the query. Where that is another, package api says so in its answers' links.
func apiOf(r *http.Request) string {
	name := r.PathValue("collection")
	if name == "" {
		return ""
	}
	values := r.URL.Query()
	values.Set("collection", name)
	rest := r.URL.EscapedPath()
	return "/api/v1" + resourceOf(rest) + "?" + values.Encode()
}
