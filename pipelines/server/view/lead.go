package view

import (
	"context"
	"net/netip"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/pattern"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// withScheme matches a URL that is written out.
var withScheme = pattern.Lazy(`^(?i:https?|ftp)://\S+$`)

// hostName matches what may be a host, alone or with a port and a path.
var hostName = pattern.Lazy(`^([\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+)(?::\d+)?(/\S*)?$`)

// Lead returns the page that a user wants who types a URL or a host in the search field, or "" for a search. A URL
// leads to its versions, a host to its page, "site:" to the captures of a site.
func (v *Views) Lead(ctx context.Context, r SearchRequest) (string, error) {
	typed := strings.TrimSpace(r.Query)
	// With a filter beside it, a search goes on.
	if (SearchRequest{Collection: r.Collection, Query: r.Query}) != r || typed == "" ||
		strings.ContainsAny(typed, " \t\n\"") {
		return "", nil
	}
	if withScheme().MatchString(typed) {
		return resourceLink(r.Collection, typed), nil
	}
	if site := siteOf(typed); site != "" {
		// Values are in quotation marks, since a host may be a word of the grammar.
		filter := `host = "*.` + site + `"`
		if !strings.HasPrefix(typed, "*") {
			filter = `host = "` + site + `" OR ` + filter
		}
		return SearchRequest{Collection: r.Collection, Query: filter}.link(), nil
	}
	m := hostName().FindStringSubmatch(typed)
	if m == nil {
		return "", nil
	}
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return "", err
	}
	defer release()
	host, err := hostIn(ctx, now, strings.ToLower(m[1]))
	switch {
	case err != nil || host == "":
		return "", err
	case m[2] != "":
		return resourceLink(c.Name(), "http://"+typed), nil
	}
	return hostLink(c.Name(), host), nil
}

// resourceLink is the page of a URL's newest version.
func resourceLink(collection, url string) string {
	return page(collection, "resource", ResourceRequest{URL: url})
}

// siteOf returns the domain of "site:example.org" and "*.example.org", or "".
func siteOf(typed string) string {
	site, found := strings.CutPrefix(strings.ToLower(typed), "site:")
	if !found {
		if site, found = strings.CutPrefix(typed, "*."); !found {
			return ""
		}
	}
	site = strings.TrimSuffix(strings.TrimPrefix(site, "*."), "/")
	// One label may be meant too: site:example. An address has no domains below it, but is a host.
	if _, err := netip.ParseAddr(site); err != nil && !hostName().MatchString("www."+site) || strings.Contains(site, "/") {
		return ""
	}
	return site
}

// hostIn returns the host of the collection that a name means, with or without www, or "".
func hostIn(ctx context.Context, now *shelf.Snapshot, name string) (string, error) {
	groups, err := hostsOf(ctx, now)
	if err != nil {
		return "", changed(err)
	}
	for _, host := range []string{name, "www." + name, strings.TrimPrefix(name, "www.")} {
		if slices.ContainsFunc(groups, func(g contentdb.Group) bool { return g.Values[0] == host }) {
			return host, nil
		}
	}
	return "", nil
}

// hostsOf counts the captures of each host, once for each manifest: the index counts quickly, shards do not.
func hostsOf(ctx context.Context, now *shelf.Snapshot) ([]contentdb.Group, error) {
	return shelf.Once(now, "hosts", func() ([]contentdb.Group, error) {
		// All requests share the answer, so a cancellation of the first one must not stop the count.
		return now.DB.Facets(context.WithoutCancel(ctx), query.Query{AllVersions: true}, []string{"host"}, 0)
	})
}
