package linkgraph

import (
	"bufio"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/transforms/webgraph"
)

// Graph is a graph of hosts in memory. It must not be changed.
type Graph struct {
	Counts
	g     *graph
	names []string
}

// Hosts returns the graph of hosts of all added links, and ends the builder.
func (b *Builder) Hosts() (*Graph, error) {
	g := newGraph(levelHost, b.hosts)
	if err := g.join(b.hosts, func(webgraph.Edge, count) error { return nil }); err != nil {
		return nil, err
	}
	return b.made(g), nil
}

// made ranks a graph of hosts.
func (b *Builder) made(g *graph) *Graph {
	made := &Graph{Counts: b.rank(g), g: g}
	for _, name := range g.names {
		made.names = append(made.names, reversed(name))
	}
	return made
}

// Names returns the names of the hosts; the index is the number of the host.
func (g *Graph) Names() []string { return g.names }

// Edges returns the edges, sorted by their ends.
func (g *Graph) Edges() []webgraph.Edge { return g.g.edges }

// Weights returns the number of links of each edge.
func (g *Graph) Weights() []int64 { return g.g.links }

// PageRank returns the PageRank of each host.
func (g *Graph) PageRank() []float64 { return g.g.rank }

// Harmonic returns the harmonic centrality of each host.
func (g *Graph) Harmonic() []float64 { return g.g.harmonic }

// About returns the descriptions of the hosts. They are empty unless Describe was called.
func (g *Graph) About() []Host {
	if g.g.about == nil {
		return make([]Host, len(g.names))
	}
	return g.g.about
}

// Bytes returns about how much memory the graph takes.
func (g *Graph) Bytes() int64 {
	const host, edge = 2*16 + 56 + 16, 8 + 8 + 16 // without names; see the type graph
	n := int64(len(g.names))*host + int64(len(g.g.edges))*edge
	for _, name := range g.names {
		n += 2 * int64(len(name))
	}
	return n
}

// WriteAs writes the graph as the file host.gexf, host.graphml or, with the format csv, host-edges.csv of Write.
func (g *Graph) WriteAs(out io.Writer, format string) error {
	write := map[string]func(*bufio.Writer) error{
		FormatGEXF: g.g.gexf, FormatGraphML: g.g.graphML, FormatCSV: g.g.edgeTable,
	}[format]
	if write == nil {
		return fmt.Errorf("linkgraph: format %q", format)
	}
	w := bufio.NewWriter(out)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}
