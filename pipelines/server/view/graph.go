package view

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/derived/linkgraph"
	"github.com/gleaner-web/gleaner/pipelines/hostgraph"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/query"
)

const (
	standardNodes = 100
	standardRows  = 50
	// graphMemory is for counting the links of a graph; it allows some 300,000 hosts.
	graphMemory = 256 << 20
)

// Graph is the graph of hosts of a search, as a picture and a table.
func (v *Views) Graph(ctx context.Context, r GraphRequest) (*HostGraph, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	r.Collection = c.Name()
	first, err := offsetOf(r.Cursor)
	if err != nil {
		return nil, err
	}
	made, missing, err := v.graphOf(ctx, c, now, &r.SearchRequest, r.Place)
	if err != nil {
		return nil, err
	}
	g := &HostGraph{
		Answer: answer(c), Request: r, Filters: r.ownFilters(), Missing: missing, Nodes: []GraphNode{}, Lines: []GraphLine{},
		Rows: []GraphHost{},
	}
	g.explain(now, nil)
	if missing == nil {
		g.Hosts, g.Edges, g.Links, g.Harmonic = made.Vertices, made.Counts.Edges, made.Links, made.Counts.Harmonic
		hosts := g.hostsOf(made)
		g.draw(made, hosts)
		g.table(hosts, first)
	}
	if err := g.choices(c.Path()); err != nil {
		return nil, err
	}
	g.Took = v.since(start)
	return g, nil
}

// GraphFile writes the whole graph of a search, with the bytes that the command graph writes.
func (v *Views) GraphFile(ctx context.Context, r GraphFileRequest) (*Export, error) {
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	if r.Format == "" {
		return nil, invalid("format", "", "It takes gexf, graphml, csv.")
	}
	made, missing, err := v.graphOf(ctx, c, now, &r.SearchRequest, r.Place)
	if err != nil {
		return nil, err
	}
	if missing != nil {
		return nil, &Error{
			Kind: NotFound, Title: "No links", Detail: missing.Text, Remedy: "Run " + missing.Command + " and the archives.",
		}
	}
	file := map[string][2]string{
		linkgraph.FormatGEXF: {"host.gexf", "application/gexf+xml"}, linkgraph.FormatCSV: {"host-edges.csv", "text/csv"},
		linkgraph.FormatGraphML: {"host.graphml", "application/graphml+xml"},
	}[r.Format]
	return &Export{
		// The graph is in memory, so the collection need not be held.
		Name: c.Name() + "-" + file[0], Type: file[1], Close: func() {},
		Write: func(_ context.Context, out io.Writer) (bool, error) { return false, made.WriteAs(out, r.Format) },
	}, nil
}

// graphOf returns the graph of a search.
func (v *Views) graphOf(
	ctx context.Context, c *shelf.Collection, now *shelf.Snapshot, r *SearchRequest, place string,
) (*linkgraph.Graph, *NoLinks, error) {
	where, err := r.where()
	if err != nil {
		return nil, nil, err
	}
	text := ""
	if where != nil {
		text = where.String()
	}
	if r.Sample != "" {
		text += " sample " + r.Sample
	}
	key := keyOf(c.Name(), now, text, place)
	if g := v.graphs.get(key); g != nil {
		return g, nil, nil
	}
	leave, err := v.turns.wait(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer leave()
	// Meanwhile, the same graph may have been made for others.
	if g := v.graphs.get(key); g != nil {
		return g, nil, nil
	}
	l, missing, err := v.linked(ctx, c, now, where)
	if err != nil || missing != nil {
		return nil, missing, err
	}
	made, err := makeGraph(ctx, now, l, where, place)
	if err != nil {
		return nil, nil, err
	}
	v.graphs.add(key, made)
	return made, nil, nil
}

func makeGraph(
	ctx context.Context, now *shelf.Snapshot, l *linked, where query.Expr, place string,
) (g *linkgraph.Graph, err error) {
	b := linkgraph.NewBuilder(linkgraph.Options{Memory: graphMemory})
	defer func() { err = errors.Join(err, b.Close()) }()
	t := b.Tally()
	described := make(chan error, 1)
	go func() { described <- hostgraph.Describe(ctx, now.DB, where, b) }()
	err = hostgraph.Build(ctx, l.index, l.keys, place, t)
	// It is waited for in any case: it uses the collection.
	unknown := <-described
	if errors.Is(err, linkgraph.ErrHosts) {
		return nil, &Error{
			Kind: Invalid, Title: "This graph has too many hosts", Detail: "The server draws some 300,000 at most.",
			Remedy: "Narrow the search, or use the command graph, which has more memory.",
		}
	}
	if err = cmp.Or(err, unknown); err != nil {
		return nil, changed(err)
	}
	return t.Hosts()
}

// hostsOf returns the hosts of a graph, in its order.
func (g *HostGraph) hostsOf(made *linkgraph.Graph) []GraphHost {
	about, rank, harmonic := made.About(), made.PageRank(), made.Harmonic()
	list := make([]GraphHost, len(about))
	for i, name := range made.Names() {
		a := about[i]
		list[i] = GraphHost{
			Host: name, PageRank: rank[i], Harmonic: harmonic[i], Pages: a.Pages, Captures: a.Captures, FirstYear: a.First,
			LastYear: a.Last, Language: a.Language, Languages: a.Languages,
		}
	}
	links := made.Weights()
	for i, e := range made.Edges() {
		from, to := &list[e.From], &list[e.To]
		from.Out, from.LinksOut = from.Out+1, from.LinksOut+links[i]
		to.In, to.LinksIn = to.In+1, to.LinksIn+links[i]
	}
	return list
}

// finish adds the links of a host, which only shown ones need.
func (g *HostGraph) finish(h GraphHost) GraphHost {
	h.Tongue = Tongue(h.Language)
	if h.Out > 0 {
		h.OutLink = g.edge(h.Host, "")
	}
	if h.In > 0 {
		h.InLink = g.edge("", h.Host)
	}
	// A host without captures has no page.
	switch h.Link = h.InLink; {
	case h.Captures > 0 && g.isPart():
		// The pages are those of the search.
		r := g.Request.SearchRequest
		r.Host, r.Cursor, r.Limit, r.Order = h.Host, "", 0, ""
		h.Link = r.link()
	case h.Captures > 0:
		h.Link = hostLink(g.Collection, h.Host)
	}
	return h
}

// isPart reports whether the graph is of a search.
func (g *HostGraph) isPart() bool {
	where, err := g.Request.where()
	return err == nil && where != nil || g.Request.Sample != ""
}

// edge returns the page with the links from one host to another; "" stands for all.
func (g *HostGraph) edge(from, to string) string {
	r := LinksRequest{SearchRequest: g.Request.SearchRequest, FromHost: from, ToHost: to, Place: g.Request.Place}
	r.Cursor, r.Limit, r.Order = "", 0, ""
	return r.link()
}

// table lists the hosts of a page of the table.
func (g *HostGraph) table(hosts []GraphHost, first int64) {
	list := slices.Clone(hosts)
	slices.SortStableFunc(list, byColumn(cmp.Or(g.Request.Sort, g.Request.Rank)))
	end := min(int64(len(list)), first+int64(cmp.Or(g.Request.Limit, standardRows)))
	for i := first; i < end; i++ {
		g.Rows = append(g.Rows, g.finish(list[i]))
	}
	if len(g.Rows) > 0 {
		g.First = first + 1
	}
	if end < int64(len(list)) {
		g.Next = cursorAt(end)
	}
}

// byColumn compares hosts by a column: the greatest first. Those without a value come last, and equal ones stay in
// order.
func byColumn(name string) func(a, b GraphHost) int {
	value := map[string]func(GraphHost) float64{
		"out": func(h GraphHost) float64 { return float64(h.Out) }, "in": func(h GraphHost) float64 { return float64(h.In) },
		"links_out":  func(h GraphHost) float64 { return float64(h.LinksOut) },
		"links_in":   func(h GraphHost) float64 { return float64(h.LinksIn) },
		"pagerank":   func(h GraphHost) float64 { return h.PageRank },
		"harmonic":   func(h GraphHost) float64 { return h.Harmonic },
		"pages":      func(h GraphHost) float64 { return float64(h.Pages) },
		"first_year": func(h GraphHost) float64 { return float64(h.FirstYear) },
		"last_year":  func(h GraphHost) float64 { return float64(h.LastYear) },
	}[name]
	switch {
	case value != nil:
		return func(a, b GraphHost) int { return cmp.Compare(value(b), value(a)) }
	case name == "host":
		return func(a, b GraphHost) int { return strings.Compare(a.Host, b.Host) }
	case name == "language":
		return func(a, b GraphHost) int {
			if a.Language == "" || b.Language == "" {
				return strings.Compare(b.Language, a.Language)
			}
			return strings.Compare(a.Language, b.Language)
		}
	}
	// The degree: hosts with most neighbours, and of those with as many the better one.
	return func(a, b GraphHost) int {
		return cmp.Or(cmp.Compare(b.In+b.Out, a.In+a.Out), cmp.Compare(b.PageRank, a.PageRank))
	}
}
