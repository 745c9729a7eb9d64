package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/schemas"
)

// prefix is where the API lives. A new major version would live beside this one.
const prefix = "/api/v1"

// version is that of the API: of what a caller may count on.
const version = "1"

// encoding/json takes fields in any case; a client that writes another case has misspelt one.
func init() { huma.ValidateStrictCasing = true }

// New makes the API of views.
// Its own mux: package server passes on what begins with the prefix.
func New(v *view.Views, o Options) http.Handler {
	mux := http.NewServeMux()
	config := huma.DefaultConfig("Gleaner", version)
	config.Info.Description = "Collections of web archives: search, pages and their versions, sources, runs and jobs. " +
		"What a page of the server shows is here as well: the same functions make both."
	// Hooks would add $schema and a Link header to each answer.
	// No page that loads scripts from elsewhere, and no $schema in answers: clients that want the schema have the whole.
	config.DocsPath, config.SchemasPath, config.CreateHooks = "", "", nil
	config.OpenAPIPath = "/openapi"
	// A misspelt filter that is ignored would give all captures, and look like an answer.
	config.RejectUnknownQueryParameters = true
	config.Transformers = append(config.Transformers, brief)
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token": {Type: "http", Scheme: "bearer", Description: "token of an account; not needed on loopback"},
	}
	// Either nothing or a token: which of them holds is decided by package server.
	config.Security = []map[string][]string{{}, {"token": {}}}
	a := humago.New(mux, config)
	reading(a, v)
	files(a, v)
	work(a, v, o)
	accounts(a, o)
	describe(a.OpenAPI().Components.Schemas.Map(), "Document", schemas.Columns())
	// The outermost checks first: an empty number is refused before huma reads it as none.
	return refuseEmpty(describeEmpty(a.OpenAPI()), notFound(mux))
}

// reading are the resources that are read.
func reading(a huma.API, v *view.Views) {
	get(a, "/collections", "collections", "Collections of this server", v.Collections)
	get(a, "/overview", "overview", "What a collection holds", v.Overview)
	get(a, "/search", "search", "Captures that a query finds", v.Search)
	get(a, "/facets", "facets", "Captures that a query finds, counted by fields", v.Facets)
	get(a, "/resources", "resource", "One URL: its versions, and the data of one of them", v.Resource)
	get(a, "/hosts", "hosts", "Hosts of a collection", v.Hosts)
	get(a, "/hosts/{host}", "host", "One host", v.Host)
	get(a, "/entities", "entities", "What pages name, one identity a row", v.Entities)
	get(a, "/sources", "sources", "Sources of the Source DB", v.Sources)
	get(a, "/sources/{id}", "source", "One source", v.Source)
	get(a, "/runs", "runs", "Runs that wrote a collection", v.Runs)
	get(a, "/runs/{number}", "run", "One run", v.Run)
}

// body is an answer with a body of JSON.
type body[O any] struct{ Body O }

// get adds a resource that a function of views makes.
// in is filled and checked by huma, from the tags of the request.
func get[I, O any](a huma.API, path, id, summary string, make func(context.Context, I) (O, error)) {
	huma.Register(a, operation(http.MethodGet, path, id, summary), func(ctx context.Context, in *I) (*body[O], error) {
		// A copy: views change their request while they work.
		out, err := make(ctx, *in)
		if err != nil {
			return nil, problem(err)
		}
		return &body[O]{out}, nil
	})
}

// operation describes one.
func operation(method, path, id, summary string) huma.Operation {
	// Resources are grouped by their first word.
	tag, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return huma.Operation{
		Method: method, Path: prefix + path, OperationID: id, Summary: summary, Tags: []string{tag},
		// All resources can answer with these, so the description has them once for all.
		Errors: []int{
			http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusConflict,
			http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusInternalServerError,
			http.StatusServiceUnavailable,
		},
		// This one comes from net/http, before any code of ours and in its words, so its type is another.
		Responses: map[string]*huma.Response{
			strconv.Itoa(http.StatusRequestHeaderFieldsTooLarge): {
				Description: http.StatusText(http.StatusRequestHeaderFieldsTooLarge),
				Content:     map[string]*huma.MediaType{"text/plain": {}},
			},
		},
	}
}

// notFound answers what is not a resource as other errors are answered.
func notFound(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// An empty pattern means that nothing matches the path with this method.
		if _, pattern := mux.Handler(r); pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		allowed := []string{}
		// Which other methods would match reports whether it is 405 or 404.
		for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			other := r.Clone(r.Context())
			other.Method = m
			if _, pattern := mux.Handler(other); pattern != "" {
				allowed = append(allowed, m)
			}
		}
		if len(allowed) > 0 {
			// RFC 9110, section 15.5.6: a 405 has to say what is allowed.
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			Write(w, http.StatusMethodNotAllowed, &huma.ErrorModel{
				Title: "This method is not for this resource", Detail: "It takes " + strings.Join(allowed, ", ") + ".",
			})
			return
		}
		Write(w, http.StatusNotFound, &huma.ErrorModel{
			Title: "There is no such resource", Detail: "GET /openapi.json lists those that there are.",
		})
	})
}

// retryAfter is the header that says when to come again.
func retryAfter(seconds int) http.Header {
	return http.Header{"Retry-After": {strconv.Itoa(seconds)}}
}
