package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// Forms send parameters that were not filled in as empty ones. The address of a page is an address of the API with
// another prefix. So an empty parameter counts as missing if its type has no empty value. The description says so,
// since clients use it for checks. An empty number is refused.

// describeEmpty adds the empty text to the values that parameters accept.
func describeEmpty(o *huma.OpenAPI) (numbers map[string]bool) {
	// Names of numbers apply to all resources: a name has one type throughout.
	numbers = map[string]bool{}
	for _, path := range o.Paths {
		// These are all methods of the API.
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Delete} {
			if op == nil {
				continue
			}
			for _, p := range op.Parameters {
				switch {
				case p.In != "query":
				case p.Schema.Type == huma.TypeInteger:
					numbers[p.Name] = true
				// This is a text with a list of values. The empty one is added only if the parameter is optional.
				case p.Schema.Enum != nil && !p.Required:
					p.Schema.Enum = append(p.Schema.Enum, "")
					// Messages of the checks list the values, and were made before.
					p.Schema.PrecomputeMessages()
				}
			}
		}
	}
	return numbers
}

// refuseEmpty refuses empty numbers.
func refuseEmpty(numbers map[string]bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Only the first value is checked, since only that is read.
		for name, list := range r.URL.Query() {
			if numbers[name] && len(list) > 0 && list[0] == "" {
				Write(w, http.StatusUnprocessableEntity, &huma.ErrorModel{
					Title: "The request cannot be read", Detail: name + " takes a whole number: leave it out, or fill it in.",
					Errors: []*huma.ErrorDetail{{Message: "it is empty", Location: "query." + name}},
				})
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
