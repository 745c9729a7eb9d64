package view

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// takeTables are the tables of a search. {documents} and {entities} are the tables with the filter of the search.
var takeTables = []struct{ label, statement string }{
	{
		"Entities", "select text, type, count(distinct surt) as pages, count(*) as captures, sum(count) as mentions\n" +
			"from {entities} group by text, type order by pages desc, text, type",
	},
	{
		"Hosts", "select host, domain, count(*) as captures, count(distinct surt) as pages,\n  sum(length) as bytes, " +
			"min(timestamp) as first, max(timestamp) as last\nfrom {documents} group by host order by captures desc, host",
	},
	{
		"Captures by month and language", "select substr(timestamp, 1, 7) as month, language, count(*) as captures\n" +
			"from {documents} group by month, language order by month, language",
	},
	{
		"Captures by year and media type", "select substr(timestamp, 1, 4) as year, mime_detected, count(*) as captures\n" +
			"from {documents} group by year, mime_detected order by year, mime_detected",
	},
	{
		"Captures by host and status", "select host, status, count(*) as captures\nfrom {documents} " +
			"group by host, status order by host, status",
	},
	{
		linksTable, "select l.url, l.timestamp, l.target, l.target_host, l.text, l.rel, l.place\nfrom links as l " +
			"where (l.url, ifnull(l.timestamp, '')) in (select url, ifnull(timestamp, '') from {documents})",
	},
}

// linksTable is the label of the table of links, which most collections do not have.
const linksTable = "Links"

// tables sets the tables of the search. They count all captures, as the page of a search does.
func (t *Take) tables(folder string, q query.Query, links bool) {
	t.Tables = []TakeTable{}
	if t.Request.Sample != "" {
		return // a filter has no sample
	}
	named := func(name string) string {
		if q.Where == nil {
			return name
		}
		return name + "('" + strings.ReplaceAll(q.Where.String(), "'", "''") + "')"
	}
	for _, form := range takeTables {
		if form.label == linksTable && !links {
			continue
		}
		names := strings.NewReplacer("{documents}", named("documents"), "{entities}", named("entities"))
		text := names.Replace(form.statement)
		s := SQL{Request: SQLRequest{Collection: t.Request.Collection, Statement: text}}
		s.elsewhere(folder)
		t.Tables = append(t.Tables, TakeTable{
			Label: form.label, Preview: s.Request.link(), Command: s.Command, Downloads: s.Downloads,
		})
	}
}
