package contentsql

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/netip"
	"reflect"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/webgraph"
)

// hostIndex is the view with a row for each host of the crawl. Columns have the names of Common Crawl's Host Index
// where they mean the same. Captures of robots.txt count as robots_, and not as fetch_.
const hostIndex = `create temp view host_index as
	select min(substr(surt, 1, instr(surt, ')') - 1)) as surt_host_name, host as url_host_name,
	domain as url_host_registered_domain, count(*) as captures, count(distinct digest) as payloads,
	count(distinct surt) as pages, sum(length) as bytes,
	cast(avg(length) as integer) as warc_record_length_av,
	cast(median(length) as integer) as warc_record_length_median,
	sum(not robots and status = 200) as fetch_200,
	sum(not robots and status in (301, 308)) as fetch_redirPerm,
	sum(not robots and status in (302, 303, 307)) as fetch_redirTemp,
	sum(not robots and status = 304) as fetch_notModified,
	sum(not robots and status between 300 and 399 and status not in (301, 302, 303, 304, 307, 308)) as fetch_3xx,
	sum(not robots and status in (404, 410)) as fetch_gone,
	sum(not robots and status between 400 and 499 and status not in (404, 410)) as fetch_4xx,
	sum(not robots and status between 500 and 599) as fetch_5xx,
	sum(not robots and status not between 300 and 599 and status <> 200) as fetch_other,
	sum(not robots and status = 200 and ifnull(language, '') not in ('', 'und', 'zxx', 'en')) as fetch_200_lote,
	sum(robots and status = 200) as robots_200, sum(robots and status between 300 and 399) as robots_3xx,
	sum(robots and status in (404, 410)) as robots_gone,
	sum(robots and status between 400 and 499 and status not in (404, 410)) as robots_4xx,
	sum(robots and status between 500 and 599) as robots_5xx,
	sum(robots and status not between 300 and 599 and status <> 200) as robots_other,
	nullif(substr(max(case when tells then timestamp || ' ' || rules end),
		instr(max(case when tells then timestamp || ' ' || rules end), ' ') + 1), '') as robots_rules,
	json_group_array(distinct language) filter (where language is not null) as languages,
	json_group_array(distinct mime_detected) filter (where mime_detected is not null) as media_types,
	min(timestamp) collate moment as first, max(timestamp) collate moment as last,
	sum(feed is not null) as feeds, sum(feeds is not null) as pages_with_feeds,
	avg(licenses is not null) as licensed_share, avg(rights is not null) as rights_share,
	(select hcrank from host_ranks r where r.host = d.host) as hcrank,
	(select prank from host_ranks r where r.host = d.host) as prank,
	(select hcrank_pos from host_ranks r where r.host = d.host) as hcrank_pos,
	(select prank_pos from host_ranks r where r.host = d.host) as prank_pos
	from (select *, robots and (status = 200 or status between 400 and 499) and record_type <> 'revisit' as tells,
		case when status = 200 then ifnull(rights, '') else '' end as rules
		from (select surt, host, domain, digest, length, ifnull(status, 0) as status, language, mime_detected, timestamp,
		ifnull(record_type, '') as record_type, feed, feeds, licenses, rights,
		ifnull(surt like '%)/robots.txt', 0) as robots from documents where host is not null)) d
	group by host`

// hostRank is a row of host_ranks: a host in the graph of the collection's links, as the command graph makes it.
type hostRank struct {
	Host      string  `json:"host"`
	HCRank    float64 `json:"hcrank"`
	HCRankPos int     `json:"hcrank_pos"`
	PRank     float64 `json:"prank"`
	PRankPos  int     `json:"prank_pos"`
}

// hostRanks is the table of ranks. It is empty if the collection has no links.
func hostRanks() *relation {
	return &relation{
		name: "host_ranks", columns: columnsOf(reflect.TypeFor[hostRank]()),
		rows: listed(func(ctx context.Context, q *question) iter.Seq2[hostRank, error] {
			return func(yield func(hostRank, error) bool) {
				ranks, err := rankHosts(q.db.Links(ctx))
				if errors.Is(err, contentdb.ErrNotThere) {
					q.note("hosts have no ranks, which need links: ingest --extract=links --format=links, beside others")
					return
				}
				if err != nil {
					yield(hostRank{}, err)
					return
				}
				q.noteRanks(len(ranks))
				for _, r := range ranks {
					if !yield(r, nil) {
						return
					}
				}
			}
		}),
	}
}

// noteRanks says that ranks are estimated, if they are.
func (q *question) noteRanks(hosts int) {
	if hosts > maxExactHosts {
		q.note(fmt.Sprintf("hcrank and hcrank_pos are estimated, since the graph has %d hosts, more than %d: the command "+
			"graph computes them with a larger --exact", hosts, maxExactHosts))
	}
}

// The bounds of the graph. Larger ones are for the command graph, which sorts on disk.
const (
	maxRankedHosts = 1_000_000
	maxRankedEdges = 20_000_000
	maxExactHosts  = 50_000 // as the default of graph --exact
)

// rankHosts makes the graph of hosts, with vertices and edges in the order of the command graph, so that ranks are the
// same.
func rankHosts(links iter.Seq2[schemas.Link, error]) ([]hostRank, error) {
	hosts, edges := map[string]bool{}, map[[2]string]bool{}
	for l, err := range links {
		if err != nil {
			return nil, err
		}
		web := strings.HasPrefix(l.Target, "http://") || strings.HasPrefix(l.Target, "https://")
		if !web || l.Host == "" || l.TargetHost == "" || l.Host == l.TargetHost {
			continue
		}
		hosts[l.Host], hosts[l.TargetHost], edges[[2]string{l.Host, l.TargetHost}] = true, true, true
		if len(hosts) > maxRankedHosts || len(edges) > maxRankedEdges {
			return nil, fmt.Errorf("%w: the links have more than %d hosts or %d edges: the command graph ranks them",
				ErrStatement, maxRankedHosts, maxRankedEdges)
		}
	}
	names := slices.SortedFunc(maps.Keys(hosts), func(a, b string) int { return cmp.Compare(backwards(a), backwards(b)) })
	number := make(map[string]uint32, len(names))
	for i, name := range names {
		number[name] = uint32(i)
	}
	list := make([]webgraph.Edge, 0, len(edges))
	for e := range edges {
		list = append(list, webgraph.Edge{From: number[e[0]], To: number[e[1]]})
	}
	slices.SortFunc(list, func(a, b webgraph.Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return ranked(names, webgraph.New(len(names), list)), nil
}

func ranked(names []string, g *webgraph.Graph) []hostRank {
	rows := make([]hostRank, len(names))
	page, harmonic := webgraph.PageRank(g), []float64(nil)
	if len(names) <= maxExactHosts {
		harmonic = webgraph.Harmonic(g)
	} else {
		harmonic = webgraph.EstimateHarmonic(g, 64)
	}
	for i, name := range names {
		rows[i] = hostRank{Host: name, HCRank: harmonic[i], PRank: page[i]}
	}
	for i, v := range places(harmonic) {
		rows[v].HCRankPos = i + 1
	}
	for i, v := range places(page) {
		rows[v].PRankPos = i + 1
	}
	return rows
}

// places returns the vertices by value, the greatest first; equal ones by name.
func places(values []float64) []int {
	list := make([]int, len(values))
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return list
}

// backwards reverses the labels of a host, as graphs sort them. IP addresses stay as they are.
func backwards(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}

// hostIndexColumns are the columns of the view host_index.
var hostIndexColumns = []TableColumn{
	{"surt_host_name", "text", "host in the form of SURTs: org,example"},
	{"url_host_name", "text", "host name"},
	{"url_host_registered_domain", "text", "registrable domain of the host"},
	{"captures", "integer", "captures of the host"},
	{"payloads", "integer", "different payloads, by digest"},
	{"pages", "integer", "different URLs, by their SURT"},
	{"bytes", "integer", "of all records"},
	{"warc_record_length_av", "integer", "mean bytes of a record"},
	{"warc_record_length_median", "integer", "median of the same"},
	{"fetch_200", "integer", "captures with status 200, except of robots.txt"},
	{"fetch_redirPerm", "integer", "301 and 308"},
	{"fetch_redirTemp", "integer", "302, 303 and 307"},
	{"fetch_notModified", "integer", "304"},
	{"fetch_3xx", "integer", "other redirects"},
	{"fetch_gone", "integer", "404 and 410"},
	{"fetch_4xx", "integer", "other failures of the request"},
	{"fetch_5xx", "integer", "failures of the server"},
	{"fetch_other", "integer", "other statuses, and none"},
	{"fetch_200_lote", "integer", "pages with status 200 in a language other than English"},
	{"robots_200", "integer", "captures of robots.txt with status 200"},
	{"robots_3xx", "integer", "redirects"},
	{"robots_gone", "integer", "404 and 410"},
	{"robots_4xx", "integer", "other failures of the request"},
	{"robots_5xx", "integer", "failures of the server"},
	{"robots_other", "integer", "other statuses, and none"},
	{"robots_rules", "JSON", "rules for agents in the newest robots.txt, as in rights; none after a 4xx"},
	{"languages", "JSON", "languages of the captures"},
	{"media_types", "JSON", "detected media types"},
	{"first", "time", "first capture"},
	{"last", "time", "last capture"},
	{"feeds", "integer", "captures of feeds"},
	{"pages_with_feeds", "integer", "captures that announce feeds"},
	{"licensed_share", "real", "share of captures that state a licence"},
	{"rights_share", "real", "share of captures with a statement about their use"},
	{"hcrank", "real", "harmonic centrality among the hosts that link to each other"},
	{"prank", "real", "PageRank"},
	{"hcrank_pos", "integer", "rank by hcrank"},
	{"prank_pos", "integer", "rank by prank"},
}
