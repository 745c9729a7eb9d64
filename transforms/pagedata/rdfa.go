package pagedata

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// statement is one triple of RDFa. The object is a text unless resource is set.
type statement struct {
	subject, predicate, object string
	resource                   bool
	lang                       string
}

func (s *statement) size() int { return len(s.predicate) + len(s.object) }

// graph collects the statements of a page by the algorithm of RDFa Core 1.1, section 7.5, for HTML. It leaves out XML
// literals, whose text it takes, and takes the elements of lists for values.
type graph struct {
	r        *reader
	list     []statement
	bytes    int  // of the objects and predicates in list
	full     bool // a limit was met
	blanks   int
	prefixes map[string]bool // whose <meta> are in the item of Open Graph
	starts   []int           // elements that make statements, ascending; parts without any are not read
}

// scope is what holds in an element: the evaluation context of the specification.
type rdfScope struct {
	vocab      string
	prefixes   map[string]string // declared here or around, in lower case
	object     string            // the parent object
	incomplete []incomplete      // statements that wait for a resource below
}

type incomplete struct {
	subject, predicate string
	reverse            bool
}

// The attributes of relations, and all that matter.
var (
	relBits  = page.AttrBits("rel", "rev")
	rdfaBits = page.AttrBits("property", "typeof", "rel", "rev", "about", "resource", "href", "src", "vocab", "prefix")
)

const rdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

// maxStatements bounds the statements of a page.
const maxStatements = 20_000

// statements returns the statements of the page.
func (r *reader) statements() []statement {
	g := &graph{r: r, prefixes: r.at.prefixes, starts: r.at.statements}
	if len(g.starts) == 0 {
		return nil
	}
	base, _, _ := strings.Cut(r.p.Base(), "#")
	g.element(0, rdfScope{object: base}, base)
	return g.list
}

// idle reports whether nothing in element i makes a statement.
func (g *graph) idle(i int) bool {
	k, _ := slices.BinarySearch(g.starts, i)
	return k == len(g.starts) || g.starts[k] >= int(g.r.p.Nodes[i].End)
}

func (g *graph) add(s statement) {
	if s.subject == "" || s.predicate == "" {
		return
	}
	if g.full = g.full || len(g.list) >= maxStatements || g.bytes+s.size() > maxBytes; g.full {
		g.r.left++
		return
	}
	g.bytes += s.size()
	g.list = append(g.list, s)
}

// blank returns a new resource without a name.
func (g *graph) blank() string {
	g.blanks++
	return "_:" + strconv.Itoa(g.blanks)
}

// element reads element i and the elements in it. The depth of pages is bounded.
func (g *graph) element(i int, s rdfScope, base string) {
	n := &g.r.p.Nodes[i]
	if n.Tag == page.TagTemplate || len(s.incomplete) == 0 && g.idle(i) {
		return
	}
	g.declare(i, &s)
	if g.full && n.Own&rdfaBits != 0 {
		g.r.left++
	}
	if g.full || n.Own&rdfaBits == 0 {
		g.inside(i, s, base)
		return
	}
	rels, revs := g.relations(i, s)
	e := g.resources(i, s, base, len(rels)+len(revs) > 0)
	if e.typed != "" {
		for _, t := range g.terms(i, "typeof", s) {
			g.add(statement{subject: e.typed, predicate: rdfType, object: t, resource: true})
		}
	}
	var waiting []incomplete
	for _, p := range rels {
		if e.object != "" {
			g.add(statement{subject: e.subject, predicate: p, object: e.object, resource: true})
		} else {
			waiting = append(waiting, incomplete{e.subject, p, false})
		}
	}
	for _, p := range revs {
		if e.object != "" {
			g.add(statement{subject: e.object, predicate: p, object: e.subject, resource: true})
		} else {
			waiting = append(waiting, incomplete{e.subject, p, true})
		}
	}
	g.properties(i, s, e, base)
	below := rdfScope{vocab: s.vocab, prefixes: s.prefixes, object: e.object, incomplete: waiting}
	if below.object == "" {
		below.object = e.subject
		if len(waiting) > 0 {
			below.object = g.blank()
		}
	}
	// Elements without a role of their own hand on what waits.
	if !e.own && len(rels)+len(revs) == 0 {
		below.incomplete = s.incomplete
	} else if e.subject != "" {
		g.complete(s.incomplete, e.subject)
	}
	g.inside(i, below, base)
}

// complete adds the statements that waited for this resource.
func (g *graph) complete(list []incomplete, resource string) {
	for k, w := range list {
		// Many elements may complete the same long list.
		if g.full {
			g.r.left += len(list) - k
			return
		}
		if w.reverse {
			g.add(statement{subject: resource, predicate: w.predicate, object: w.subject, resource: true})
			continue
		}
		g.add(statement{subject: w.subject, predicate: w.predicate, object: resource, resource: true})
	}
}

func (g *graph) inside(i int, s rdfScope, base string) {
	for k := range g.r.children(i) {
		g.element(k, s, base)
	}
}

// place is what element i is about (steps 5 and 6 of the algorithm).
type place struct {
	subject, object, typed string
	own                    bool // the element sets a subject, or has a property
}

func (g *graph) resources(i int, s rdfScope, base string, relates bool) (e place) {
	n := &g.r.p.Nodes[i]
	typed := g.r.has(i, "typeof")
	about := g.resource(i, base, s, "about")
	// The subject of head and body is that of the element around them.
	if n.Tag == page.TagHead || n.Tag == page.TagBody || i == 0 {
		if about == "" {
			about = g.resource(i, base, s, "resource")
		}
		if about == "" {
			about = s.object
		}
	}
	property := g.r.has(i, "property")
	switch {
	case relates:
		e.subject, e.object = about, g.resource(i, base, s, "resource", "href", "src")
		if typed {
			if e.typed = about; about == "" || !g.r.has(i, "about") && e.object != "" {
				if e.object == "" {
					e.object = g.blank()
				}
				e.typed = e.object
			}
		}
	case property && !g.r.has(i, "content") && !g.r.has(i, "datatype"):
		e.subject = about
		switch {
		case typed && about != "" && g.r.has(i, "about"):
			e.typed, e.object = about, about
		case typed:
			if e.typed = g.resource(i, base, s, "resource", "href", "src"); e.typed == "" {
				e.typed = g.blank()
			}
			e.object = e.typed
		}
	default:
		if e.subject = about; e.subject == "" {
			e.subject = g.resource(i, base, s, "resource", "href", "src")
		}
		if e.subject == "" && typed {
			e.subject = g.blank()
		}
		if typed {
			e.typed = e.subject
		}
	}
	e.own = e.subject != "" || property
	if e.subject == "" {
		e.subject = s.object
	}
	if e.object == "" && !relates {
		e.object = e.subject
	}
	return e
}

// properties adds the statements of property=.
func (g *graph) properties(i int, s rdfScope, e place, base string) {
	if !g.r.has(i, "property") || g.r.isOpenGraph(i) {
		return
	}
	value := statement{subject: e.subject}
	content, hasContent := g.r.p.Attr(i, "content")
	datetime, hasTime := g.r.p.Attr(i, "datetime")
	switch {
	case hasContent:
		value.object = content[:min(len(content), maxValue+1)]
	case hasTime:
		value.object = datetime[:min(len(datetime), maxValue+1)]
	case g.r.has(i, "datatype"):
		value.object = g.r.text(i, false)
	case !g.r.has(i, "rel") && !g.r.has(i, "rev") && g.resource(i, base, s, "resource", "href", "src") != "":
		value.object, value.resource = g.resource(i, base, s, "resource", "href", "src"), true
	case e.typed != "" && !g.r.has(i, "about"):
		value.object, value.resource = e.typed, true
	default:
		value.object = g.r.text(i, false)
	}
	if !value.resource {
		value.lang = g.r.langOf(i)
	}
	for _, p := range g.terms(i, "property", s) {
		value.predicate = p
		g.add(value)
	}
}
