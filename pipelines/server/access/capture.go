package access

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// captures are the keys for captures, and the filters that their values make.
var captures = map[string]func(text string) (query.Expr, error){
	"host":     func(text string) (query.Expr, error) { return hostIs(text, false) },
	"domain":   func(text string) (query.Expr, error) { return hostIs(text, true) },
	"surt":     surtIs,
	"url":      func(text string) (query.Expr, error) { return common(query.Common{URL: text}) },
	"media":    func(text string) (query.Expr, error) { return common(query.Common{MIME: text}) },
	"language": func(text string) (query.Expr, error) { return common(query.Common{Lang: text}) },
	"filter":   filterIs,
}

// filterIs parses a filter. It may not test words: of captures that are only listed, the tested fields are shown.
func filterIs(text string) (query.Expr, error) {
	e, err := common(query.Common{Where: text})
	if err != nil {
		return nil, err
	}
	for _, column := range query.Columns(e) {
		if slices.Contains(contentdb.Long, column) {
			return nil, fmt.Errorf("a rule cannot test words of a page, which the field %s has", column)
		}
	}
	return e, nil
}

func common(c query.Common) (query.Expr, error) {
	q, err := c.Query()
	if err == nil && q.Where == nil {
		err = fmt.Errorf("it is empty")
	}
	return q.Where, err
}

// hostIs fits the captures of a host on any port, with and without www. With below it also fits its subdomains. SURTs
// are used, since they are the same for all forms of a URL.
func hostIs(text string, below bool) (query.Expr, error) {
	host := urlkey.Host(bracketed(text))
	if host == "" || strings.ContainsAny(host, "*/\\ ") {
		return nil, fmt.Errorf("%q is not a host, such as www.example.org", clip(text))
	}
	base := strings.TrimSuffix(urlkey.SURT("http://"+bracketed(host)+"/"), ")/")
	ends := []string{")", ":"}
	if below {
		ends = append(ends, ",")
	}
	any := make([]query.Expr, len(ends))
	for i, end := range ends {
		any[i] = begins(base + end)
	}
	return oneOf(any), nil
}

// bracketed returns a host as URLs have it: an IPv6 address is in brackets.
func bracketed(host string) string {
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is6() {
		return "[" + host + "]"
	}
	return host
}

// surtIs fits the captures whose SURT begins with a text, such as org,example)/private or org,example.
func surtIs(text string) (query.Expr, error) {
	if strings.Contains(text, "*") {
		return nil, fmt.Errorf("a SURT is a beginning; it has no star")
	}
	if text = strings.ToLower(text); strings.Contains(text, ")") {
		return begins(text), nil
	}
	// Otherwise org,example would also fit org,example-two.
	base := strings.TrimSuffix(text, ",")
	return oneOf([]query.Expr{begins(base + ")"), begins(base + ":"), begins(base + ",")}), nil
}

func begins(surt string) query.Expr {
	return &query.Compare{Field: "surt", Op: query.Equal, Value: query.Value{Text: surt, After: true}}
}

// oneOf and allOf are flat, so that a parser reads them as they were written.
func oneOf(any []query.Expr) query.Expr {
	var list []query.Expr
	for _, e := range any {
		if or, is := e.(*query.Or); is {
			list = append(list, or.List...)
		} else {
			list = append(list, e)
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	return &query.Or{List: list}
}

func allOf(all ...query.Expr) query.Expr {
	var list []query.Expr
	for _, e := range all {
		if and, is := e.(*query.And); is {
			list = append(list, and.List...)
		} else if e != nil {
			list = append(list, e)
		}
	}
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return &query.And{List: list}
}

// cautious returns the rule so that it also restricts captures without a host if it restricts a host. Their URLs, such
// as dns:www.example.org and urn:pageinfo:https://www.example.org/, contain those of pages.
func (r rule) cautious() rule {
	if r.action == allow || r.captures == nil {
		return r
	}
	for _, path := range query.Paths(r.captures) {
		if path == "surt" || path == "host" || path == "domain" || path == "url" {
			hostless := &query.Not{X: &query.Compare{Field: "host", Op: query.Has, Value: query.Value{Text: "*", Any: true}}}
			r.captures = oneOf([]query.Expr{r.captures, hostless})
			return r
		}
	}
	return r
}
