package filter

import (
	"cmp"
	"errors"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/rights"
)

// rightsName is the name of the filter of opt-outs.
const rightsName = "rights"

// optOuts refuses pages by what they and the files of their hosts state.
var optOuts = Filter{
	Name: rightsName,
	Does: "refuses pages that opt out of training (docs/rights.md): respect is a list of noai, tdm, robots, or " +
		"robots:GPTBot for one crawler",
	Lists: []string{"respect"}, column: "rights",
	use: func(s Settings, t Tools) (Judge, error) {
		respect, err := rights.ParseRespect(s.Lists["respect"])
		if err == nil && len(s.Lists["respect"]) == 0 {
			err = errors.New("name robots, tdm or noai")
		}
		if err != nil {
			return nil, err
		}
		return func(p *Page) string {
			var host []schemas.Right
			if t.Hosts != nil {
				host = t.Hosts.Of(p.Doc)
			}
			mime := cmp.Or(p.Doc.MIMEDetected, p.Doc.MIMEDeclared)
			if refusal, refused := respect.Refusal(p.Doc.Rights, host, mime); refused {
				return refusal.Signal
			}
			return ""
		}, nil
	},
}

// HasRights reports whether the recipe has the filter rights.
func (r Recipe) HasRights() bool {
	return slices.ContainsFunc(r, func(s Step) bool { return s.Name == rightsName })
}
