package mcp

// addTools adds the tools. Names are verbs or nouns that an assistant knows.
func (s *Server) addTools() {
	addTool(s, "collections", "Collections", "Lists the collections of web archives that you may read, with their number "+
		"of captures. Other tools take the name of one; without it they ask the first.", s.collections)
	addTool(s, "search", "Search captures", "Finds captures of pages by words and filters. Each hit has a snippet and "+
		"where it is: URL, capture time, archive, offset. One hit a page (its newest capture that fits) unless "+
		"all_versions is set. With about it ranks by meaning, if the collection has vectors. "+queryHelp, s.search)
	addTool(s, "page", "Read a page", "Returns the text of a capture of a URL, in parts: the newest capture, or the "+
		"newest until a time. Text that the page's style hides from readers is left out.", s.page)
	addTool(s, "versions", "Versions of a page", "Lists the captures of a URL, the oldest first, and what changed from "+
		"one to the next.", s.versions)
	addTool(s, "compare", "Compare two versions", "Returns the paragraphs of a page that were removed, added or changed "+
		"between two captures.", s.compare)
	addTool(s, "links", "Links of a page or host", "Lists links to a page (who links to it), links on a page, or links "+
		"between hosts.", s.links)
	addTool(s, "facets", "Count captures", "Counts the captures of a search by the values of up to three fields, such as "+
		"host, language, mime_detected, page_type, year or entities.text.", s.facets)
	addTool(s, "trends", "Captures over time", "Counts the captures of a search over time, for up to six terms that are "+
		"compared, or for the most frequent values of a field. With about it counts the captures near to a topic.", s.trends)
	addTool(s, "sources", "News sources", "Lists feeds of news sites: what they are, whether they are alive, how often "+
		"they publish. With id it describes one.", s.sources)
	addTool(s, "sql", "SQL", "Answers a statement of SQLite that reads: joins, sums and windows over documents, links, "+
		"hosts, entities and sources. Without a statement it lists tables, columns and examples.", s.sql)
}

// queryHelp is the query language in short.
const queryHelp = `The query is words ("exact phrase", prefix*, -without, a OR b) or filters: host = *.example.org, ` +
	`language = fr, title:budget, timestamp >= "2024-01-01", NOT title:*, entities.text = Paris. ` +
	`The resource gleaner:help/query has all fields.`
