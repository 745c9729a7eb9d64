package filter

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pattern"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// These filters check single properties of a document. Filter where can express them too. They exist because most
// recipes need them, and because each has a reason of its own in the counts.

var language = Filter{
	Name: "language", Does: "refuses languages that are not in the list, and doubtful ones",
	Source: "the bound is that of " + `Penedo et al. 2024, arXiv 2406.17557, 3.2, for fastText; ours are surer of ` +
		`themselves`,
	Constants: []Constant{{"min_score", 0.65, "confidence in the language, 0 to 1"}},
	Lists:     []string{"allow"}, column: "language",
	make: func(s Settings) (Judge, error) {
		allow, least := []string{}, s.Numbers["min_score"]
		for _, code := range s.Lists["allow"] {
			codes, err := query.Languages(code)
			if err != nil {
				return nil, err
			}
			allow = append(allow, codes...)
		}
		return func(p *Page) string {
			switch {
			case !schemas.IsLanguage(p.Doc.Language):
				return "unknown"
			case len(allow) > 0 && !slices.Contains(allow, p.Doc.Language):
				return "other"
			case p.Score() < least:
				return "doubtful"
			}
			return ""
		}, nil
	},
}

var length = Filter{
	Name: "length", Does: "refuses short texts and long ones",
	Constants: []Constant{{"min", 200, "code points"}, {"max", 1_000_000, "code points"}},
	make: func(s Settings) (Judge, error) {
		return func(p *Page) string {
			switch n := float64(p.Size()); {
			case n < s.Numbers["min"]:
				return "short"
			case n > s.Numbers["max"]:
				return "long"
			}
			return ""
		}, nil
	},
}

var status = Filter{
	Name: "status", Does: "refuses answers that are no success",
	Constants: []Constant{{"min", 200, "HTTP status"}, {"max", 299, "HTTP status"}},
	make: func(s Settings) (Judge, error) {
		return func(p *Page) string {
			// A resource record has no status, and is not refused for that.
			if n := float64(p.Doc.Status); n != 0 && (n < s.Numbers["min"] || n > s.Numbers["max"]) {
				return "no_success"
			}
			return ""
		}, nil
	},
}

// oneOf makes a filter of a field with a few possible values, for which is returns true.
func oneOf(name, column, does string, value func(p *Page) string, is func(value string) bool) Filter {
	return Filter{
		Name: name, Does: does, Lists: []string{"allow", "block"}, column: column,
		make: func(s Settings) (Judge, error) {
			allow, block := setOf(s.Lists["allow"]), setOf(s.Lists["block"])
			if len(allow)+len(block) == 0 {
				return nil, errors.New("name what it allows or blocks")
			}
			for _, list := range []set{allow, block} {
				for _, v := range slices.Sorted(list.all()) {
					if !is(v) {
						return nil, fmt.Errorf("no document has the %s %q", column, v)
					}
				}
			}
			return func(p *Page) string {
				v := value(p)
				_, allowed := allow[v]
				_, blocked := block[v]
				if len(allow) > 0 && !allowed || blocked {
					return "other"
				}
				return ""
			}, nil
		},
	}
}

// mediaType matches a media type without parameters.
var mediaType = pattern.Lazy(`^[a-z]+/[a-z0-9][a-z0-9!#$&^_.+-]*$`)

var media = oneOf("media", "mime_detected", "refuses media types that are not allowed, or blocked",
	func(p *Page) string { return p.Doc.MIMEDetected }, func(v string) bool { return mediaType().MatchString(v) })

// pageTypes are those of package maintext.
var pageTypes = []string{"article", "forum", "product", "collection", "listing", "documentation", "service"}

var pageType = oneOf("page_type", "page_type",
	"refuses kinds of pages that are not allowed, or blocked (article, forum, listing …)",
	func(p *Page) string { return p.Doc.PageType }, func(v string) bool { return slices.Contains(pageTypes, v) })

var dates = Filter{
	Name: "date", Does: "refuses captures before or behind a time", Lists: []string{"from", "to"},
	make: func(s Settings) (Judge, error) {
		var parts []string
		for _, bound := range []struct{ list, operator string }{{"from", ">="}, {"to", "<="}} {
			if values := s.Lists[bound.list]; len(values) == 1 {
				parts = append(parts, fmt.Sprintf("timestamp %s %q", bound.operator, values[0]))
			} else if len(values) > 1 {
				return nil, fmt.Errorf("%s: name one date", bound.list)
			}
		}
		if len(parts) == 0 {
			return nil, errors.New("name a date as from, to or both")
		}
		return asked(strings.Join(parts, " AND "), "other")
	},
}

var where = Filter{
	Name: "where", Does: "refuses what a filter of the query language does not take " +
		"(docs/query.md)", Lists: []string{"filter"}, filter: allOf,
	make: func(s Settings) (Judge, error) {
		if len(s.Lists["filter"]) == 0 {
			return nil, errors.New("name a filter")
		}
		return asked(allOf(s), "other")
	},
}

// allOf joins the filters of a list by AND.
func allOf(s Settings) string { return "(" + strings.Join(s.Lists["filter"], ") AND (") + ")" }

func asked(text, why string) (Judge, error) {
	e, err := query.Parse(text)
	if err != nil {
		return nil, err
	}
	takes := query.Compile(e)
	return func(p *Page) string {
		if takes(p.Doc) {
			return ""
		}
		return why
	}, nil
}

var urls = Filter{
	Name: "urls", Does: "refuses what is on a list of domains, of hosts, or of words in addresses, or on none that " +
		"is allowed",
	Source: "lists are the user's; FineWeb's recipe has those of Université Toulouse 1 Capitole " +
		"(dsi.ut-capitole.fr/blacklists)",
	Lists: []string{"allow", "block", "words"},
	make: func(s Settings) (Judge, error) {
		allow, err := hostsOf(s.Lists["allow"])
		if err != nil {
			return nil, err
		}
		block, err := hostsOf(s.Lists["block"])
		if err != nil {
			return nil, err
		}
		words := slices.Collect(setOf(s.Lists["words"]).all())
		slices.Sort(words)
		return func(p *Page) string {
			switch {
			case block.has(p.Doc.Host):
				return "blocked"
			case len(allow) > 0 && !allow.has(p.Doc.Host):
				return "not_allowed"
			}
			if len(words) == 0 {
				return ""
			}
			address := strings.ToLower(p.Doc.URL)
			if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(address, w) }) {
				return "word"
			}
			return ""
		}, nil
	},
}
