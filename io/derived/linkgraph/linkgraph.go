// Package linkgraph makes the graphs of hosts and of domains from a collection's links, with ranks. It writes them like
// the web graphs of Common Crawl (https://commoncrawl.org/web-graphs), as GraphML and as GEXF.
//
//	b := linkgraph.NewBuilder(linkgraph.Options{TempDir: dir})
//	defer b.Close()
//	err := b.Add(&link) // each link
//	err = b.Write(open) // each file
//
// An edge represents all links of web pages from one host to another; links within a host make no edge. The vertices
// are the hosts at the ends of edges. Files are the same for the same links in any order.
//
// Vertices and edges are in memory, at about 200 and 20 bytes each; exceeding it is an error. Counts spill to TempDir.
package linkgraph

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Version changes if the same links give other files.
const Version = "2"

// Options limit a Builder; the zero value takes the defaults.
type Options struct {
	TempDir string // for counts beyond Memory; the system's
	Memory  int64  // bytes for counting, which also limits the hosts; 1 GiB
	Exact   int    // vertices up to which harmonic centrality is exact; 50,000
	Formats []string
}

// The formats of graphs.
const (
	FormatText    = "text" // Common Crawl's
	FormatGraphML = "graphml"
	FormatGEXF    = "gexf"
	FormatCSV     = "csv" // vertices and edges as tables
)

// Formats returns all formats.
func Formats() []string { return []string{FormatText, FormatGraphML, FormatGEXF, FormatCSV} }

func (o Options) withDefaults() Options {
	o.Memory, o.Exact = cmp.Or(o.Memory, 1<<30), cmp.Or(o.Exact, 50_000)
	if len(o.Formats) == 0 {
		o.Formats = []string{FormatText}
	}
	return o
}

// Builder counts links and writes the graphs. It is not safe for concurrent use.
type Builder struct {
	o             Options
	hosts         *counter
	domains       *counter
	parts         map[string]string // domains by host, both reversed
	about         map[string]Host   // by reversed host; nil if Describe was not called
	Links, Others int64             // links that make edges, and others: within a host, or not of the web
}

// NewBuilder returns a builder without links. The caller closes it.
func NewBuilder(o Options) *Builder {
	o = o.withDefaults()
	return &Builder{
		o: o, hosts: newCounter(o.Memory/2, o.TempDir), domains: newCounter(o.Memory/2, o.TempDir),
		parts: map[string]string{},
	}
}

// Add counts a link. It returns ErrHosts if there are too many hosts.
func (b *Builder) Add(l *schemas.Link) error {
	web := strings.HasPrefix(l.Target, "http://") || strings.HasPrefix(l.Target, "https://")
	if !web || l.Host == "" || l.TargetHost == "" || l.Host == l.TargetHost {
		b.Others++
		return nil
	}
	b.Links++
	year := l.Timestamp[:min(4, len(l.Timestamp))]
	from, to := reversed(l.Host), reversed(l.TargetHost)
	if err := b.hosts.add(from, to, year); err != nil {
		return err
	}
	fromDomain, toDomain := b.domain(from, l.Domain), b.domain(to, l.TargetDomain)
	if fromDomain == toDomain {
		return nil
	}
	return b.domains.add(fromDomain, toDomain, year)
}

// Count counts links from one host to another that are already known, without their domains.
func (b *Builder) Count(from, to string, year int, links int64) error {
	b.Links += links
	text := ""
	if year > 0 {
		text = fmt.Sprintf("%04d", year)
	}
	return b.hosts.addCount(reversed(from), reversed(to), text, links)
}

// Host describes a host by its captures. Graphs of hosts have it as attributes.
type Host struct {
	Pages       int64 `json:"pages"`    // URLs with a capture
	Captures    int64 `json:"captures"` // of all pages
	First, Last int   // years of captures; 0 if unknown
	Language    string
	Languages   int // number of languages
}

// Describe adds the pages and captures of a host. A host of several collections has the sums and all years. Its
// language changes if a collection has more pages of it than all before.
func (b *Builder) Describe(host string, h Host) {
	if b.about == nil {
		b.about = map[string]Host{}
	}
	name := reversed(host)
	old, known := b.about[name]
	if known {
		if old.Pages >= h.Pages && old.Language != "" || h.Language == "" {
			h.Language = old.Language
		}
		h.Languages = max(h.Languages, old.Languages)
		if old.First > 0 && (h.First == 0 || old.First < h.First) {
			h.First = old.First
		}
		h.Last = max(h.Last, old.Last)
		h.Pages, h.Captures = h.Pages+old.Pages, h.Captures+old.Captures
	}
	b.about[name] = h
}

// domain records the domain of a host. The hosts are limited by their counter.
func (b *Builder) domain(host, domain string) string {
	if d, known := b.parts[host]; known {
		return d
	}
	d := reversed(domain)
	b.parts[host] = d
	return d
}

// Close removes temporary files.
func (b *Builder) Close() error {
	return errors.Join(b.hosts.sorter.Close(), b.domains.sorter.Close())
}

// Counts are the size of a graph.
type Counts struct {
	Vertices int   `json:"vertices"`
	Edges    int   `json:"edges"`
	Links    int64 `json:"links"` // represented by the edges
	// Harmonic says how harmonic centrality was computed: "exact", or "estimated" by HyperBall.
	Harmonic string `json:"harmonic"`
}

// Write writes the graphs of all added links, and ends the builder. It calls open for each file, and closes it before
// the next.
func (b *Builder) Write(open func(name string) (io.WriteCloser, error)) (hosts, domains Counts, err error) {
	// Domains count their hosts if they are in their graph: links within a domain make no edge there.
	for _, d := range b.parts {
		if n, there := b.domains.names[d]; there {
			b.domains.names[d] = n + 1
		}
	}
	if hosts, err = b.graph(levelHost, b.hosts, open); err == nil {
		domains, err = b.graph("domain", b.domains, open)
	}
	return hosts, domains, err
}
