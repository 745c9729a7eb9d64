package page

import (
	"net/http"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// take lists the data sets of a search. A form sends a parameter for each chosen column; the page has one for all.
func (p *Pages) take(v *view.Views) http.HandlerFunc {
	answer := handler(p, v.Take)
	return func(w http.ResponseWriter, r *http.Request) {
		values := r.URL.Query()
		if chosen := values["field"]; len(chosen) > 0 {
			values.Del("field")
			values.Set("fields", strings.Join(chosen, ","))
			http.Redirect(w, r, r.URL.Path+"?"+values.Encode(), http.StatusSeeOther)
			return
		}
		answer(w, r)
	}
}
