package view

import (
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// values returns the parameters of the request without the collection.
func (r LinksRequest) values() url.Values {
	values := Encode(r.SearchRequest)
	for name, value := range Encode(r) {
		values[name] = value
	}
	values.Del("collection")
	if r.Limit == standardLinks {
		values.Del("limit")
	}
	return values
}

// link is the page of the request.
func (r LinksRequest) link() string {
	return page(r.Collection, "links", nil) + "?" + r.values().Encode()
}

// linkPlaces are the places of links on their pages, as parameters and for people.
var linkPlaces = [][2]string{
	{"", "Everywhere"},
	{"main", "Main text"},
	{"navigation", "Navigation"},
	{"other", "Other"},
}

// ownFilters returns the active filters, whose links stay on this page.
func (r LinksRequest) ownFilters() []Filter {
	own := Encode(r)
	return onPage(r.SearchRequest.filters(), page(r.Collection, "links", nil), own)
}

// onPage leads the links of filters to another page than the search, with its own parameters.
func onPage(list []Filter, path string, own url.Values) []Filter {
	for i, f := range list {
		_, text, _ := strings.Cut(f.Link, "?")
		values, err := url.ParseQuery(text)
		if err != nil {
			continue // the link was made here, so this does not happen
		}
		for name, value := range own {
			values[name] = value
		}
		list[i].Link = path
		if len(values) > 0 {
			list[i].Link += "?" + values.Encode()
		}
	}
	return list
}

// choices adds the other ways to see the links, and the same links elsewhere.
func (l *LinkList) choices(folder string) {
	r := l.Request
	if l.Next != "" {
		next := r
		next.Cursor = l.Next
		l.NextLink = next.link()
	}
	r.Cursor = ""
	choice := func(list *[]Choice, value, label string, selected bool, to LinksRequest) {
		*list = append(*list, Choice{Value: value, Label: label, Link: to.link(), Selected: selected})
	}
	for _, p := range linkPlaces {
		to := r
		to.Place = p[0]
		choice(&l.Places, p[0], p[1], r.Place == p[0], to)
	}
	if r.URL != "" {
		to := r
		to.Way, to.At = "in", ""
		choice(&l.Ways, "in", "Links to the page", r.Way == "in", to)
		to.Way, to.Every = "out", ""
		choice(&l.Ways, "out", "Links on the page", r.Way == "out", to)
	}
	if r.URL != "" && r.Way == "in" {
		to := r
		to.Every = ""
		choice(&l.Everys, "no", "Newest capture of each page", r.Every != "yes", to)
		to.Every = "yes"
		choice(&l.Everys, "yes", "All captures", r.Every == "yes", to)
	}
	values := r.values()
	values.Set("collection", r.Collection)
	l.API = "/api/v1/links?" + values.Encode()
	// SQL has no sample, and without a capture there is none to name.
	if r.Sample == "" && (l.found || r.URL == "" || r.Way == "in") {
		l.Command = "query" + flagText("collection", folder) + flagText("sql", l.statement())
	}
}

// statement selects the links in SQL.
func (l *LinkList) statement() string {
	r := l.Request
	var tests []string
	equal := func(column, value string) {
		tests = append(tests, column+" = '"+strings.ReplaceAll(value, "'", "''")+"'")
	}
	switch {
	case r.URL != "" && r.Way == "in":
		equal("target_surt", urlkey.SURT(r.URL))
	case r.URL != "":
		equal("surt", urlkey.SURT(r.URL))
		tests = append(tests, "ifnull(timestamp, '') = '"+l.Of+"'")
	default:
		tests = append(tests, "target like 'http%'", "host <> target_host")
		if r.FromHost != "" {
			equal("host", r.FromHost)
		}
		if r.ToHost != "" {
			equal("target_host", r.ToHost)
		}
	}
	if r.Place != "" {
		equal("place", r.Place)
	}
	// The filter was parsed before, so it causes no error.
	if where, err := r.where(); err == nil && where != nil {
		tests = append(tests, "(url, ifnull(timestamp, '')) in (select url, ifnull(timestamp, '') from documents('"+
			strings.ReplaceAll(where.String(), "'", "''")+"'))")
	}
	if r.URL != "" && r.Way == "in" && r.Every != "yes" {
		tests = append(tests, "(surt, ifnull(timestamp, '')) in (select surt, max(ifnull(timestamp, '')) from links where "+
			strings.Join(tests, " and ")+" group by surt)")
	}
	return "select url, timestamp, target, text, rel, place from links where " + strings.Join(tests, " and ")
}
