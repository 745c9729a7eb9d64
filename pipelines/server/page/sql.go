package page

import (
	"errors"
	"net/http"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// sql answers a statement. A refused statement stays in its box, with the mistake.
func (p *Pages) sql(v *view.Views) http.HandlerFunc {
	answer := func(w http.ResponseWriter, r *http.Request) {
		var request view.SQLRequest
		if err := decode(r, &request); err != nil {
			p.fail(w, r, err)
			return
		}
		data, err := v.SQL(r.Context(), request)
		known := (*view.Error)(nil)
		if !errors.As(err, &known) || known.Param != "sql" {
			if err != nil {
				p.fail(w, r, err)
				return
			}
			p.write(w, r, http.StatusOK, data, ignored(r.URL.Query(), request))
			return
		}
		form, err := v.SQLForm(r.Context(), request)
		if err != nil {
			p.fail(w, r, err)
			return
		}
		form.Error = known
		p.write(w, r, statuses[known.Kind], form, "")
	}
	return answer
}
