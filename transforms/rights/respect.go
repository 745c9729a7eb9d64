package rights

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Respect says which statements refuse the use of a page for training. The zero value heeds none.
type Respect struct {
	NoAI   bool     // noai, noml, train-ai=n, ai-train=no; of pictures noimageai
	TDM    bool     // tdm-reservation=1
	Robots bool     // a crawler of robots.txt or ai.txt may not fetch the page
	Agents []string // if not empty, only these crawlers count, and All
}

// ParseRespect reads a list of noai, tdm and robots. With robots:NAME only that crawler counts.
func ParseRespect(list []string) (r Respect, err error) {
	for _, s := range list {
		name, agent, _ := strings.Cut(s, ":")
		switch name {
		case "noai":
			r.NoAI = true
		case "tdm":
			r.TDM = true
		case "robots":
			r.Robots = true
		default:
			return Respect{}, fmt.Errorf("%q is not one of robots, robots:CRAWLER, tdm and noai", s)
		}
		if agent == "" {
			continue
		}
		known := crawler(agent)
		if name != "robots" || known == "" {
			return Respect{}, fmt.Errorf("%q: no crawler of this name is known; there are %s", s,
				strings.Join(crawlers[1:], ", "))
		}
		r.Agents = append(r.Agents, known)
	}
	return r, nil
}

// isBase reports whether a basis is a file of the host.
func isBase(basis string) bool { return basis == Robots || basis == AIText || basis == TDMRep }

// Refusal returns the statement that refuses the use of a page. The parameter own has the statements of the page, and
// host those of Hosts.Of. A reservation in the page or in the file counts before one in the header, and both count
// before tdmrep.json.
func (r Respect) Refusal(own, host []schemas.Right, mime string) (schemas.Right, bool) {
	// A file of the host makes statements about other pages.
	own = slices.DeleteFunc(slices.Clone(own), func(s schemas.Right) bool { return isBase(s.Basis) })
	all := slices.Concat(own, host)
	if i := slices.IndexFunc(all, func(s schemas.Right) bool { return r.refuses(s, mime) }); i >= 0 {
		return all[i], true
	}
	if !r.TDM {
		return schemas.Right{}, false
	}
	for _, basis := range []string{Metadata, Meta, Header, TDMRep} {
		for _, s := range all {
			if s.Signal == Reservation && s.Basis == basis {
				return s, s.Value == "1"
			}
		}
	}
	return schemas.Right{}, false
}

// refuses reports whether a statement alone refuses the use, whatever the others say.
func (r Respect) refuses(s schemas.Right, mime string) bool {
	switch s.Signal {
	case "noai", "noml", "noimageai":
		return r.NoAI && (s.Signal != "noimageai" || strings.HasPrefix(mime, "image/"))
	case "train-ai", "ai-train":
		return r.NoAI && strings.HasPrefix(s.Value, "n")
	case Disallow:
		return r.Robots && (len(r.Agents) == 0 || s.Agent == All || slices.Contains(r.Agents, s.Agent))
	}
	return false
}
