package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/gleaner-web/gleaner/io/derived/linkgraph"
	"github.com/gleaner-web/gleaner/transforms/webgraph"
)

// The picture of a graph, in its own units.
const (
	graphWidth, graphHeight = 1000, 640
	graphEdge               = 40 // space around the nodes
	linesOfNode             = 3  // edges are drawn for each node on average
	mostNames               = 40
	leastNameGap            = 20 // between the lines of names
	nameWidth               = 10 // of a letter
)

// draw places the best hosts and the edges between them.
func (g *HostGraph) draw(made *linkgraph.Graph, hosts []GraphHost) {
	order := make([]int, len(hosts))
	for i := range order {
		order[i] = i
	}
	compare := byColumn(g.Request.Rank)
	slices.SortStableFunc(order, func(a, b int) int { return compare(hosts[a], hosts[b]) })
	order = order[:min(len(order), cmp.Or(g.Request.Shown, standardNodes))]
	number := make(map[uint32]int, len(order)) // of nodes
	for n, i := range order {
		number[uint32(i)] = n
		g.Nodes = append(g.Nodes, GraphNode{GraphHost: g.finish(hosts[i])})
	}
	var edges []webgraph.Edge
	links := made.Weights()
	for i, e := range made.Edges() {
		from, is := number[e.From]
		to, also := number[e.To]
		if is && also {
			edges = append(edges, webgraph.Edge{From: uint32(from), To: uint32(to)})
			g.Lines = append(g.Lines, GraphLine{From: from, To: to, Links: links[i]})
		}
	}
	g.place(webgraph.Layout(len(g.Nodes), edges))
	g.lines()
	g.name()
}

// place fits the layout into the picture.
func (g *HostGraph) place(at []webgraph.Point) {
	most := 0.0
	x, y := make([]float64, len(at)), make([]float64, len(at))
	for i, p := range at {
		x[i], y[i] = p.X, p.Y
		most = max(most, math.Sqrt(float64(g.Nodes[i].In+g.Nodes[i].Out)))
	}
	x, y = spread(x, graphWidth), spread(y, graphHeight)
	for i := range at {
		n := &g.Nodes[i]
		n.X, n.Y = x[i], y[i]
		n.Radius = math.Round(10*(4+12*math.Sqrt(float64(n.In+n.Out))/most)) / 10
	}
}

// spread fits numbers into a size: half by their value, half by their order, so that crowded parts get more room.
func spread(list []float64, size float64) []float64 {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(list[a], list[b]) })
	placed := make([]float64, len(list))
	for k, i := range order {
		share := .5
		if low, high := list[order[0]], list[order[len(order)-1]]; high-low > 1e-9 {
			share = ((list[i]-low)/(high-low) + float64(k)/float64(len(list)-1)) / 2
		}
		placed[i] = math.Round(10*(graphEdge+share*(size-2*graphEdge))) / 10
	}
	return placed
}

// lines sorts the edges and keeps those with most links, since more would only be a grey surface.
func (g *HostGraph) lines() {
	slices.SortStableFunc(g.Lines, func(a, b GraphLine) int { return cmp.Compare(b.Links, a.Links) })
	if most := linesOfNode * len(g.Nodes); len(g.Lines) > most {
		g.Left = len(g.Lines) - most
		g.Lines = g.Lines[:most]
	}
	for i := range g.Lines {
		l := &g.Lines[i]
		l.Width = math.Round(10*(1+math.Log10(float64(l.Links)))) / 10
		l.Link = g.edge(g.Nodes[l.From].Host, g.Nodes[l.To].Host)
	}
}

// name marks the nodes whose names do not cover the names of better ones.
func (g *HostGraph) name() {
	type box struct{ x, y, width float64 }
	var boxes []box
	for i := range g.Nodes {
		n := &g.Nodes[i]
		b := box{n.X, n.Y, nameWidth * float64(len(n.Host))}
		// Names stay within the picture.
		b.x = max(b.width/2, min(b.x, graphWidth-b.width/2))
		covers := slices.ContainsFunc(boxes, func(o box) bool {
			return math.Abs(o.y-b.y) < leastNameGap && math.Abs(o.x-b.x) < (o.width+b.width)/2
		})
		if n.Named = !covers && len(boxes) < mostNames; n.Named {
			n.NameX = b.x
			boxes = append(boxes, b)
		}
	}
}
