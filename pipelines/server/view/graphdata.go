package view

// GraphRequest is a request for the graph of hosts of the captures that a search finds. Its limit and cursor are those
// of the table.
type GraphRequest struct {
	SearchRequest
	Place string `json:"place,omitempty" query:"place" enum:"main,navigation,other" doc:"where links count on their pages; everywhere without it"`
	Shown int    `json:"shown,omitempty" query:"shown" minimum:"1" maximum:"1000" doc:"hosts in the picture; 100 without it"`
	Rank  string `json:"rank,omitempty" query:"rank" enum:"degree,pagerank,harmonic" doc:"which hosts the picture has: those with most neighbours (the default), or best by a rank"`
	Sort  string `json:"sort,omitempty" query:"sort" enum:"host,out,in,links_out,links_in,pagerank,harmonic,pages,first_year,last_year,language" doc:"order of the table: the greatest first, of names the first; the rank without it"`
}

// HostGraph is the graph of hosts of a search: an edge is all links from the pages of a host to another host.
type HostGraph struct {
	Answer
	Request GraphRequest `json:"request" doc:"as it was understood"`
	Filters []Filter     `json:"filters"`
	// Missing is set instead of a graph if the collection has no links.
	Missing   *NoLinks    `json:"missing,omitempty"`
	Hosts     int         `json:"hosts" doc:"with at least one edge"`
	Edges     int         `json:"edges"`
	Links     int64       `json:"links" doc:"that the edges stand for"`
	Harmonic  string      `json:"harmonic,omitempty" doc:"exact, or estimated for more than 50,000 hosts"`
	Nodes     []GraphNode `json:"nodes" doc:"hosts in the picture, the best first"`
	Lines     []GraphLine `json:"lines" doc:"edges between them, those with most links first"`
	Left      int         `json:"left" doc:"edges between them that the picture leaves out"`
	Rows      []GraphHost `json:"rows" doc:"the table of all hosts"`
	First     int64       `json:"first,omitempty" doc:"number of the first row, from 1"`
	Next      string      `json:"next_cursor,omitempty"`
	NextLink  string      `json:"next_link,omitempty"`
	Sorts     []Choice    `json:"sorts"`
	Places    []Choice    `json:"places"`
	Command   string      `json:"command" doc:"the same graph, for a POSIX shell; empty for a sample"`
	API       string      `json:"api" doc:"path of this server"`
	Downloads []Download  `json:"downloads" doc:"the whole graph"`
}

// GraphHost is a host of a graph.
type GraphHost struct {
	Host      string  `json:"host"`
	Link      string  `json:"link" doc:"page of the host, or links to a host without captures"`
	Out       int     `json:"out" doc:"hosts that it links to"`
	In        int     `json:"in" doc:"hosts that link to it"`
	LinksOut  int64   `json:"links_out"`
	LinksIn   int64   `json:"links_in"`
	OutLink   string  `json:"out_link,omitempty" doc:"page with its links to others"`
	InLink    string  `json:"in_link,omitempty" doc:"page with the links to it"`
	PageRank  float64 `json:"pagerank"`
	Harmonic  float64 `json:"harmonic"`
	Pages     int64   `json:"pages" doc:"URLs with a capture in the search; 0: others link to it"`
	Captures  int64   `json:"captures"`
	FirstYear int     `json:"first_year,omitempty"`
	LastYear  int     `json:"last_year,omitempty"`
	Language  string  `json:"language,omitempty" doc:"of most pages"`
	Tongue    string  `json:"language_name,omitempty"`
	Languages int     `json:"languages" doc:"number of languages"`
}

// GraphNode is a host in a picture of 1000 by 640 units.
type GraphNode struct {
	GraphHost
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Radius float64 `json:"radius"`
	Named  bool    `json:"named" doc:"there is room for its name"`
	NameX  float64 `json:"name_x,omitempty" doc:"middle of the name, above the node"`
}

// GraphLine is an edge in a picture.
type GraphLine struct {
	From  int     `json:"from" doc:"number of the node, from 0"`
	To    int     `json:"to"`
	Links int64   `json:"links"`
	Width float64 `json:"width"`
	Link  string  `json:"link" doc:"page with these links"`
}

// GraphFileRequest is a request for the whole graph as a file.
type GraphFileRequest struct {
	SearchRequest
	Place  string `json:"place,omitempty" query:"place" enum:"main,navigation,other"`
	Format string `json:"format,omitempty" query:"format" required:"true" enum:"gexf,graphml,csv" doc:"gexf for Gephi, graphml for NetworkX, igraph and yEd, csv for the list of edges"`
}
