package view

import (
	"cmp"
	"net/url"
)

// values returns the parameters of the request without the collection.
func (r GraphRequest) values() url.Values {
	values := Encode(r.SearchRequest)
	for name, value := range Encode(r) {
		values[name] = value
	}
	values.Del("collection")
	return values
}

// link is the page of the request.
func (r GraphRequest) link() string {
	path := page(r.Collection, "graph", nil)
	if values := r.values(); len(values) > 0 {
		path += "?" + values.Encode()
	}
	return path
}

// graph returns the page with the graph of the search.
func (r SearchRequest) graph() string {
	r.Order, r.Fold, r.Facets, r.Limit, r.Cursor = "", "", "", 0, ""
	return GraphRequest{SearchRequest: r}.link()
}

// ownFilters returns the active filters, whose links stay on this page.
func (r GraphRequest) ownFilters() []Filter {
	return onPage(r.SearchRequest.filters(), page(r.Collection, "graph", nil), Encode(r))
}

// graphSorts are the columns of the table.
var graphSorts = [][2]string{
	{"host", "Host"},
	{"in", "In"},
	{"out", "Out"},
	{"harmonic", "Harmonic"},
	{"pagerank", "PageRank"},
	{"pages", "Pages"},
	{"first_year", "From"},
	{"last_year", "To"},
	{"language", "Language"},
}

// choices adds the other ways to see the graph, and the same graph elsewhere.
func (g *HostGraph) choices(folder string) error {
	r := g.Request
	if g.Next != "" {
		next := r
		next.Cursor = g.Next
		g.NextLink = next.link()
	}
	r.Cursor = ""
	for _, s := range graphSorts {
		to := r
		to.Sort = s[0]
		g.Sorts = append(g.Sorts, Choice{s[0], s[1], to.link(), cmp.Or(r.Sort, r.Rank) == s[0]})
	}
	for _, p := range linkPlaces {
		to := r
		to.Place = p[0]
		g.Places = append(g.Places, Choice{p[0], p[1], to.link(), r.Place == p[0]})
	}
	values := r.values()
	values.Set("collection", r.Collection)
	g.API = "/api/v1/graph?" + values.Encode()
	where, err := r.where()
	if err != nil {
		return err
	}
	if r.Sample == "" { // the command takes none
		g.Command = "graph" + flagText("collection", folder)
		if where != nil {
			g.Command += flagText("where", where.String())
		}
		if r.Place != "" {
			g.Command += flagText("place", r.Place)
		}
		g.Command += " --format=gexf,graphml,csv"
	}
	for _, f := range [][2]string{{"gexf", "GEXF"}, {"graphml", "GraphML"}, {"csv", "Edges as CSV"}} {
		all := Encode(r.SearchRequest)
		all.Del("limit")
		all.Set("collection", r.Collection)
		all.Set("format", f[0])
		if r.Place != "" {
			all.Set("place", r.Place)
		}
		g.Downloads = append(g.Downloads, Download{f[0], f[1], "/api/v1/graph/file?" + all.Encode()})
	}
	return nil
}

// Hidden returns the parameters that the form of the graph keeps: filters that it has no fields for.
func (g *HostGraph) Hidden() map[string]string {
	kept := g.Request.kept()
	delete(kept, "query")
	delete(kept, "limit")
	for name, value := range map[string]string{
		"year": g.Request.Year, "month": g.Request.Month, "day": g.Request.Day, "place": g.Request.Place,
		"sort": g.Request.Sort,
	} {
		if value != "" {
			kept[name] = value
		}
	}
	return kept
}
