package linkgraph

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/transforms/webgraph"
)

// levelHost is the level of the graph of hosts.
const levelHost = "host"

// graph is one of the two graphs.
type graph struct {
	level    string   // host or domain
	names    []string // of vertices, reversed and sorted: the index is the ID
	parts    map[string]int64
	edges    []webgraph.Edge // sorted
	links    []int64         // by edge
	years    [][2]int        // the first and last year of the captures with the links, by edge; 0 if unknown
	about    []Host          // by vertex; nil if nothing is known
	rank     []float64
	harmonic []float64
}

// graph counts, ranks and writes one of the two graphs.
func (b *Builder) graph(level string, c *counter, open func(string) (io.WriteCloser, error)) (n Counts, err error) {
	g := newGraph(level, c)
	years := func(w *bufio.Writer) error {
		return g.join(c, func(e webgraph.Edge, l count) error {
			_, err := fmt.Fprintf(w, "%d\t%d\t%s\t%d\n", e.From, e.To, l.year, l.links)
			return err
		})
	}
	if err := writeFile(open, level+"-years.txt.gz", years); err != nil {
		return n, err
	}
	n = b.rank(g)
	return n, g.write(b.o.Formats, open)
}

func newGraph(level string, c *counter) *graph {
	return &graph{level: level, names: slices.Sorted(maps.Keys(c.names)), parts: c.names}
}

// join makes the edges of counts, which it passes to emit.
func (g *graph) join(c *counter, emit func(webgraph.Edge, count) error) error {
	ids := make(map[string]uint32, len(g.names))
	for i, name := range g.names {
		ids[name] = uint32(i)
	}
	return c.each(func(l count) error {
		e := webgraph.Edge{From: ids[l.from], To: ids[l.to]}
		year, _ := strconv.Atoi(l.year) // 0 if unknown
		g.add(e, year, l.links)
		return emit(e, l)
	})
}

// add adds the links of an edge in a year. IDs are in the order of names, so edges come sorted, the years of one
// adjacent.
func (g *graph) add(e webgraph.Edge, year int, links int64) {
	last := len(g.edges) - 1
	if last < 0 || g.edges[last] != e {
		last++
		g.edges, g.links, g.years = append(g.edges, e), append(g.links, 0), append(g.years, [2]int{year, year})
	}
	g.links[last] += links
	if g.years[last][0] == 0 {
		g.years[last][0] = year
	}
	g.years[last][1] = year
}

// rank ranks the vertices, and adds their descriptions.
func (b *Builder) rank(g *graph) (n Counts) {
	n.Vertices, n.Edges, n.Harmonic = len(g.names), len(g.edges), "exact"
	for _, links := range g.links {
		n.Links += links
	}
	if g.level == levelHost && b.about != nil {
		g.about = make([]Host, len(g.names))
		for i, name := range g.names {
			g.about[i] = b.about[name]
		}
	}
	w := webgraph.New(len(g.names), g.edges)
	g.rank = webgraph.PageRank(w)
	if len(g.names) <= b.o.Exact {
		g.harmonic = webgraph.Harmonic(w)
	} else {
		n.Harmonic = "estimated"
		g.harmonic = webgraph.EstimateHarmonic(w, registers(b.o.Memory, len(g.names)))
	}
	return n
}

// registers returns how many registers a vertex may have, 16 to 256; two sets of them take half of memory.
func registers(memory int64, vertices int) int {
	n := min(max(memory/4/int64(vertices), 16), 256)
	return 1 << (bits.Len64(uint64(n)) - 1)
}

func (g *graph) write(formats []string, open func(string) (io.WriteCloser, error)) error {
	files := map[string]func(*bufio.Writer) error{
		"-vertices.txt.gz": g.vertices, "-edges.txt.gz": g.edgeLines, "-ranks.txt.gz": g.ranks,
	}
	if !slices.Contains(formats, FormatText) {
		clear(files)
	}
	if slices.Contains(formats, FormatGraphML) {
		files[".graphml"] = g.graphML
	}
	if slices.Contains(formats, FormatGEXF) {
		files[".gexf"] = g.gexf
	}
	if slices.Contains(formats, FormatCSV) {
		files["-vertices.csv"], files["-edges.csv"] = g.vertexTable, g.edgeTable
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := writeFile(open, g.level+name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// Makes reports whether a file of this name may belong to a graph, so that an old one can be removed.
func Makes(name string) bool {
	kind, ok := strings.CutPrefix(name, "host")
	if !ok {
		kind, ok = strings.CutPrefix(name, "domain")
	}
	made := []string{
		"-years.txt.gz", "-vertices.txt.gz", "-edges.txt.gz", "-ranks.txt.gz", ".graphml", ".gexf",
		"-vertices.csv", "-edges.csv",
	}
	return ok && slices.Contains(made, kind)
}

// writeFile writes one file, compressed if its name says so.
func writeFile(open func(string) (io.WriteCloser, error), name string, write func(*bufio.Writer) error) error {
	f, err := open(name)
	if err != nil {
		return err
	}
	var z *gzip.Writer
	w := bufio.NewWriter(f)
	if strings.HasSuffix(name, ".gz") {
		z = gzip.NewWriter(f)
		w.Reset(z)
	}
	err = errors.Join(write(w), w.Flush())
	if z != nil {
		err = errors.Join(err, z.Close())
	}
	return errors.Join(err, f.Close())
}

// vertices writes lines of ID and name; those of domains have the number of hosts.
func (g *graph) vertices(w *bufio.Writer) error {
	for i, name := range g.names {
		if _, err := fmt.Fprintf(w, "%d\t%s%s\n", i, name, g.hosts(name)); err != nil {
			return err
		}
	}
	return nil
}

// hosts returns the last column of a domain; hosts have none.
func (g *graph) hosts(name string) string {
	if g.level == levelHost {
		return ""
	}
	return "\t" + strconv.FormatInt(g.parts[name], 10)
}

func (g *graph) edgeLines(w *bufio.Writer) error {
	for _, e := range g.edges {
		if _, err := fmt.Fprintf(w, "%d\t%d\n", e.From, e.To); err != nil {
			return err
		}
	}
	return nil
}

// ranks writes the lines of Common Crawl's rank files, the best by harmonic centrality first.
func (g *graph) ranks(w *bufio.Writer) error {
	last := ""
	if g.level != levelHost {
		last = "\t#n_hosts"
	}
	_, err := fmt.Fprintf(w, "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#%s_rev%s\n", g.level, last)
	if err != nil {
		return err
	}
	place := make([]int, len(g.names))
	for i, v := range sorted(g.rank) {
		place[v] = i + 1
	}
	for i, v := range sorted(g.harmonic) {
		name := g.names[v]
		_, err := fmt.Fprintf(w, "%d\t%s\t%d\t%s\t%s%s\n", i+1, number(g.harmonic[v]), place[v], number(g.rank[v]), name,
			g.hosts(name))
		if err != nil {
			return err
		}
	}
	return nil
}

// sorted returns the vertices by value, the greatest first; equal ones by name.
func sorted(values []float64) []int {
	list := make([]int, len(values))
	for i := range list {
		list[i] = i
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Or(cmp.Compare(values[b], values[a]), cmp.Compare(a, b)) })
	return list
}

// number formats a value with all its digits.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
