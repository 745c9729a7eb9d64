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
	// The names of numbers are of all resources: a name has one type throughout.
	numbers = map[string]bool{}
	for _, path := range o.Paths {
		// The methods that the API has; it describes no other.
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Delete} {
			if op == nil {
				continue
			}
			for _, p := range op.Parameters {
				switch {
				case p.In != "query":
				case p.Schema.Type == huma.TypeInteger:
					numbers[p.Name] = true
				// A text with a list of values: the empty one is added, and only where it may be left
				// out.
				case p.Schema.Enum != nil && !p.Required:
					p.Schema.Enum = append(p.Schema.Enum, "")
					// The messages of the checks name the values, and were made before.
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
		// The first value only, as that is the one that is read.
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
