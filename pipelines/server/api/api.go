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

// prefix is the path of the API. A new major version would exist in parallel.
const prefix = "/api/v1"

// version is the version of the API contract.
const version = "1"

// By default encoding/json ignores the case of fields. A client that writes another case has misspelt one.
func init() { huma.ValidateStrictCasing = true }

// New makes the API of views. It has its own mux: package server forwards requests with the prefix.
func New(v *view.Views, o Options) http.Handler {
	mux := http.NewServeMux()
	config := huma.DefaultConfig("Gleaner", version)
	config.Info.Description = "Collections of web archives: search, pages and their versions, sources, runs and jobs. " +
		"What a page of the server shows is here as well: the same functions make both."
	// Hooks would add $schema and a Link header to each answer. There is no page that loads scripts from elsewhere and
	// no $schema in answers: clients can get the whole schema.
	config.DocsPath, config.SchemasPath, config.CreateHooks = "", "", nil
	config.OpenAPIPath = "/openapi"
	// Ignoring a misspelt filter would return all captures, as if that was the answer.
	config.RejectUnknownQueryParameters = true
	config.Transformers = append(config.Transformers, brief)
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token": {Type: "http", Scheme: "bearer", Description: "token of an account; not needed on loopback"},
	}
	// A request has either no token or one; package server decides whether it is valid.
	config.Security = []map[string][]string{{}, {"token": {}}}
	a := humago.New(mux, config)
	reading(a, v)
	files(a, v)
	work(a, v, o)
	accounts(a, o)
	saved(a, v)
	describe(a.OpenAPI().Components.Schemas.Map(), "Document", schemas.Columns())
	// The outermost handler checks first: an empty number is refused before huma reads it as missing.
	return refuseEmpty(describeEmpty(a.OpenAPI()), notFound(mux))
}

// reading adds the resources for reading.
func reading(a huma.API, v *view.Views) {
	get(a, "/collections", "collections", "Collections of this server", v.Collections)
	get(a, "/overview", "overview", "What a collection holds", v.Overview)
	get(a, "/search", "search", "Captures that a query finds", v.Search)
	get(a, "/help", "help", "The query language: examples and fields", v.Help)
	get(a, "/across", "across", "Captures that a query finds in several collections", v.Across)
	get(a, "/facets", "facets", "Captures that a query finds, counted by fields", v.Facets)
	get(a, "/trends", "trends", "Captures that a query finds, over time: filters or values of a field compared", v.Trends)
	get(a, "/take", "take", "Data sets of a search, each with its size", v.Take)
	get(a, "/sql", "sql", "Rows of a statement of SQLite", v.SQL)
	get(a, "/images", "images", "Images, by words of the pages that show them, by size, format or likeness", v.Images)
	get(a, "/values", "values", "All values of a field, among the captures that a query finds", v.Values)
	get(a, "/resources", "resource", "One URL: its versions, and the data of one of them", v.Resource)
	get(a, "/hosts", "hosts", "Hosts of a collection", v.Hosts)
	get(a, "/hosts/{host}", "host", "One host", v.Host)
	get(a, "/graph", "graph", "The graph of hosts of the captures that a query finds", v.Graph)
	get(a, "/links", "links", "Links into or out of a page, or between hosts", v.Links)
	get(a, "/entities", "entities", "What pages name, one identity a row", v.Entities)
	get(a, "/sources", "sources", "Sources of the Source DB", v.Sources)
	get(a, "/sources/{id}", "source", "One source", v.Source)
	get(a, "/archives", "archives", "Archives of a collection, with a verdict for each", v.Archives)
	get(a, "/runs", "runs", "Runs that wrote a collection", v.Runs)
	get(a, "/runs/{number}", "run", "One run", v.Run)
}

// body is an answer with a body of JSON.
type body[O any] struct{ Body O }

// get adds a resource made by a function of views. Huma fills and checks the request by its tags.
func get[I, O any](a huma.API, path, id, summary string, make func(context.Context, I) (O, error)) {
	huma.Register(a, operation(http.MethodGet, path, id, summary), func(ctx context.Context, in *I) (*body[O], error) {
		// This is a copy, since views change their request.
		out, err := make(ctx, *in)
		if err != nil {
			return nil, problem(err)
		}
		return &body[O]{out}, nil
	})
}

// operation describes a resource.
func operation(method, path, id, summary string) huma.Operation {
	// Resources are grouped by their first word.
	tag, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return huma.Operation{
		Method: method, Path: prefix + path, OperationID: id, Summary: summary, Tags: []string{tag},
		// All resources can return these errors, so they are described once.
		Errors: []int{
			http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusConflict,
			http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusInternalServerError,
			http.StatusServiceUnavailable,
		},
		// This error comes from net/http, before our code and with its own text, so its type differs.
		Responses: map[string]*huma.Response{
			strconv.Itoa(http.StatusRequestHeaderFieldsTooLarge): {
				Description: http.StatusText(http.StatusRequestHeaderFieldsTooLarge),
				Content:     map[string]*huma.MediaType{"text/plain": {}},
			},
		},
	}
}

// notFound answers requests for unknown resources in the same form as other errors.
func notFound(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// An empty pattern means that nothing matches the path with this method.
		if _, pattern := mux.Handler(r); pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		allowed := []string{}
		// If another method matches, the answer is 405, otherwise 404.
		for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			other := r.Clone(r.Context())
			other.Method = m
			if _, pattern := mux.Handler(other); pattern != "" {
				allowed = append(allowed, m)
			}
		}
		if len(allowed) > 0 {
			// By RFC 9110, section 15.5.6, a 405 must name the allowed methods.
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

// retryAfter returns the header with the time to wait.
func retryAfter(seconds int) http.Header {
	return http.Header{"Retry-After": {strconv.Itoa(seconds)}}
}
