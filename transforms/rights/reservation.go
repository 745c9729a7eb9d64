package rights

import (
	"encoding/json"
	"net/url"

	"github.com/gleaner-web/gleaner/schemas"
)

// reservation reads the reservation of text and data mining in the header, in the file and in the page.
func (c *collector) reservation(in Input) {
	var reserved, policy string
	c.fields("TDM-Reservation", func(value string) { reserved = short(value) })
	c.fields("TDM-Policy", func(value string) { policy = value })
	c.reserve(reserved, policy, "", Header)
	c.reserve(short(in.Reservation), in.Policy, "", Metadata)
	if in.Page == nil {
		return
	}
	reserved, policy = "", ""
	for _, m := range in.Page.Metas() {
		switch m.Name {
		case "tdm-reservation":
			reserved = short(m.Content)
		case "tdm-policy":
			policy = m.Content
		}
	}
	c.reserve(reserved, policy, "", Meta)
}

// reserve adds a reservation: 0 or 1. Other values are errors, which the protocol treats as absent; and a policy means
// nothing without a reservation.
func (c *collector) reserve(reserved, policy, path, basis string) {
	if reserved != "0" && reserved != "1" {
		return
	}
	c.add(schemas.Right{Signal: Reservation, Value: reserved, Path: path, Basis: basis})
	if policy = c.absolute(policy); policy != "" && reserved == "1" {
		c.add(schemas.Right{Signal: Policy, Value: policy, Path: path, Basis: basis})
	}
}

// absolute returns a URL relative to the capture's, or "" if it does not lead to the web.
func (c *collector) absolute(ref string) string {
	base, err := url.Parse(c.url)
	if err != nil || short(ref) == "" {
		return ""
	}
	u, err := base.Parse(short(ref))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return short(u.String())
}

// tdmrep reads the file tdmrep.json: rules in the order of their precedence.
func (c *collector) tdmrep(text []byte) {
	var rules []struct {
		Location    string `json:"location"`
		Reservation any    `json:"tdm-reservation"` // files also have it as a text
		Policy      any    `json:"tdm-policy"`
	}
	if json.Unmarshal(text, &rules) != nil {
		return
	}
	for _, r := range rules {
		reserved := ""
		switch v := r.Reservation.(type) {
		case float64:
			reserved = map[float64]string{0: "0", 1: "1"}[v]
		case string:
			reserved = short(v)
		}
		policy, _ := r.Policy.(string)
		if path := short(r.Location); path != "" {
			c.reserve(reserved, policy, path, TDMRep)
		}
	}
}
