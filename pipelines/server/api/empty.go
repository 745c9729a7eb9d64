package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// Forms send parameters that nobody filled in as empty ones, and an address of a page is an address of the API with
// another beginning. So an empty parameter is one that was not given, where its kind has no empty value of its own; the
// description says so, since clients check by it. A number has none, and is refused.

// describeEmpty adds the empty text to the values that parameters take.
func describeEmpty(o *huma.OpenAPI) (numbers map[string]bool) {
	numbers = map[string]bool{}
	for _, path := range o.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Delete} {
			if op == nil {
				continue
			}
			for _, p := range op.Parameters {
				switch {
				case p.In != "query":
				// By name alone, which supposes that a name is a number in each resource or in none.
				case p.Schema.Type == huma.TypeInteger:
					numbers[p.Name] = true
				case p.Schema.Enum != nil && !p.Required:
					p.Schema.Enum = append(p.Schema.Enum, "")
					// huma has made its messages of the list when the resource was added.
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
		for name, list := range r.URL.Query() {
			// 422 as huma answers to values that do not fit the description.
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
