package pagedata

import (
	"maps"
	"strings"
)

// declare reads the prefixes and the vocabulary that element i declares.
func (g *graph) declare(i int, s *rdfScope) {
	own := g.r.p.Nodes[i].Own
	if own == 0 {
		return
	}
	fresh := false
	set := func(prefix, iri string) {
		if !fresh {
			s.prefixes, fresh = maps.Clone(s.prefixes), true
			if s.prefixes == nil {
				s.prefixes = map[string]string{}
			}
		}
		if len(s.prefixes) < maxPrefixes && len(iri) <= maxIRI && prefix != "" && prefix != "_" {
			s.prefixes[strings.ToLower(prefix)] = iri
		}
	}
	if v, ok := g.r.p.Attr(i, "vocab"); ok {
		if v = strings.TrimSpace(v); len(v) <= maxIRI {
			s.vocab = v
		}
	}
	// Prefixes of XML are still common, mostly on the first elements.
	if i < 16 || own&rdfaBits != 0 {
		g.r.p.RawAttrs(i, func(name, value []byte) bool {
			if prefix, ok := strings.CutPrefix(strings.ToLower(string(name)), "xmlns:"); ok {
				set(prefix, string(value))
			}
			return true
		})
	}
	if v, ok := g.r.p.Attr(i, "prefix"); ok {
		words := strings.Fields(clip(v))
		// The first declaration of a prefix counts.
		for k := len(words)/2*2 - 2; k >= 0; k -= 2 {
			if prefix, ok := strings.CutSuffix(words[k], ":"); ok {
				set(prefix, words[k+1])
			}
		}
	}
}

// maxPrefixes bounds the prefixes that hold at one place.
const maxPrefixes = 256

// maxIRI bounds a vocabulary, which is part of each name.
const maxIRI = 2 << 10

// relations are the predicates of rel and rev. Beside property= only full names count, as HTML+RDFa has it: plain words
// there are relations of HTML.
func (g *graph) relations(i int, s rdfScope) (rels, revs []string) {
	if g.r.p.Nodes[i].Own&relBits == 0 {
		return nil, nil
	}
	return g.terms(i, "rel", s), g.terms(i, "rev", s)
}

// terms are the names in an attribute: terms, compact names, or absolute ones.
func (g *graph) terms(i int, attr string, s rdfScope) (list []string) {
	v, ok := g.r.p.Attr(i, attr)
	if !ok {
		return nil
	}
	for word := range strings.FieldsSeq(clip(v)) {
		if iri := g.name(word, s); iri != "" {
			list = append(list, iri)
		}
	}
	return list
}

// name resolves a term, a compact name or an absolute one, or returns "".
func (g *graph) name(word string, s rdfScope) string {
	if !strings.Contains(word, ":") {
		if s.vocab != "" {
			return s.vocab + word
		}
		return termNames[strings.ToLower(word)]
	}
	if iri := g.compact(word, s); iri != "" {
		return iri
	}
	if strings.HasPrefix(word, "_:") {
		return ""
	}
	return word
}

// compact resolves a compact name (CURIE), or returns "".
func (g *graph) compact(word string, s rdfScope) string {
	prefix, rest, ok := strings.Cut(word, ":")
	if !ok || strings.HasPrefix(rest, "//") {
		return ""
	}
	if prefix == "" {
		return "http://www.w3.org/1999/xhtml/vocab#" + rest
	}
	prefix = strings.ToLower(prefix)
	if iri, ok := s.prefixes[prefix]; ok {
		return iri + rest
	}
	if iri, ok := commonPrefixes[prefix]; ok {
		return iri + rest
	}
	return ""
}

// resource is the resource that the first of these attributes names, or "".
func (g *graph) resource(i int, base string, s rdfScope, attrs ...string) string {
	for _, name := range attrs {
		v, ok := g.r.p.Attr(i, name)
		if !ok {
			continue
		}
		v = strings.TrimSpace(clip(v))
		if name == "about" || name == "resource" {
			if inner, ok := strings.CutPrefix(v, "["); ok {
				return g.curie(strings.TrimSuffix(inner, "]"), s)
			}
			if iri := g.curie(v, s); iri != "" {
				return iri
			}
		}
		if v == "" {
			return base
		}
		return g.r.absolute(v)
	}
	return ""
}

// curie resolves a compact name or the name of a blank resource, or returns "".
func (g *graph) curie(v string, s rdfScope) string {
	if rest, ok := strings.CutPrefix(v, "_:"); ok {
		return "_:n" + rest
	}
	return g.compact(v, s)
}

// termNames are the terms of the initial context of HTML+RDFa.
var termNames = map[string]string{
	"describedby": "http://www.w3.org/2007/05/powder-s#describedby",
	"license":     "http://www.w3.org/1999/xhtml/vocab#license",
	"role":        "http://www.w3.org/1999/xhtml/vocab#role",
}

// commonPrefixes has the initial context (www.w3.org/2011/rdfa-context/rdfa-1.1) and the prefixes of Open Graph, which
// pages use without a declaration.
var commonPrefixes = map[string]string{
	"article": "http://ogp.me/ns/article#", "as": "https://www.w3.org/ns/activitystreams#",
	"book": "http://ogp.me/ns/book#", "cc": "http://creativecommons.org/ns#", "csvw": "http://www.w3.org/ns/csvw#",
	"ctag": "http://commontag.org/ns#", "dc": "http://purl.org/dc/terms/", "dc11": "http://purl.org/dc/elements/1.1/",
	"dcat": "http://www.w3.org/ns/dcat#", "dcterms": "http://purl.org/dc/terms/", "dqv": "http://www.w3.org/ns/dqv#",
	"duv": "https://www.w3.org/ns/duv#", "fb": "http://ogp.me/ns/fb#", "foaf": "http://xmlns.com/foaf/0.1/",
	"gr": "http://purl.org/goodrelations/v1#", "grddl": "http://www.w3.org/2003/g/data-view#",
	"ical": "http://www.w3.org/2002/12/cal/icaltzd#", "jsonld": "http://www.w3.org/ns/json-ld#",
	"ldp": "http://www.w3.org/ns/ldp#", "ma": "http://www.w3.org/ns/ma-ont#", "music": "http://ogp.me/ns/music#",
	"oa": "http://www.w3.org/ns/oa#", "odrl": "http://www.w3.org/ns/odrl/2/", "og": "http://ogp.me/ns#",
	"org": "http://www.w3.org/ns/org#", "owl": "http://www.w3.org/2002/07/owl#",
	"profile": "http://ogp.me/ns/profile#", "prov": "http://www.w3.org/ns/prov#",
	"qb": "http://purl.org/linked-data/cube#", "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
	"rdfa": "http://www.w3.org/ns/rdfa#", "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
	"rev": "http://purl.org/stuff/rev#", "rif": "http://www.w3.org/2007/rif#", "rr": "http://www.w3.org/ns/r2rml#",
	"schema": "http://schema.org/", "sd": "http://www.w3.org/ns/sparql-service-description#",
	"sioc": "http://rdfs.org/sioc/ns#", "skos": "http://www.w3.org/2004/02/skos/core#",
	"skosxl": "http://www.w3.org/2008/05/skos-xl#", "sosa": "http://www.w3.org/ns/sosa/",
	"ssn": "http://www.w3.org/ns/ssn/", "time": "http://www.w3.org/2006/time#",
	"twitter": "https://dev.twitter.com/cards#", "v": "http://rdf.data-vocabulary.org/#",
	"vcard": "http://www.w3.org/2006/vcard/ns#", "video": "http://ogp.me/ns/video#",
	"void": "http://rdfs.org/ns/void#", "wdr": "http://www.w3.org/2007/05/powder#",
	"wdrs": "http://www.w3.org/2007/05/powder-s#", "xhv": "http://www.w3.org/1999/xhtml/vocab#",
	"xml": "http://www.w3.org/XML/1998/namespace", "xsd": "http://www.w3.org/2001/XMLSchema#",
}
