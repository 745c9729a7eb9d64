package view

// LinksRequest is a request for links: into or out of one URL, or from hosts to hosts. The parameters of a search
// choose the captures whose links are listed.
type LinksRequest struct {
	SearchRequest
	URL string `json:"url,omitempty" query:"url" maxLength:"8000" doc:"a page; scheme and www do not matter"`
	Way string `json:"way,omitempty" query:"way" enum:"in,out" doc:"links to the page (the default), or those on it"`
	At  string `json:"at,omitempty" query:"at" maxLength:"40" doc:"of the links on the page: the newest capture until then"`
	// Instead of a page:
	FromHost string `json:"from_host,omitempty" query:"from_host" maxLength:"300" doc:"host that links"`
	ToHost   string `json:"to_host,omitempty" query:"to_host" maxLength:"300" doc:"another host, to which links lead"`
	Place    string `json:"place,omitempty" query:"place" enum:"main,navigation,other" doc:"where links are on their pages"`
	Every    string `json:"every,omitempty" query:"every" enum:"yes,no" doc:"links to a page from all captures, not the newest alone"`
}

// LinkList are links.
type LinkList struct {
	Answer
	Request LinksRequest `json:"request" doc:"as it was understood"`
	Filters []Filter     `json:"filters"`
	// Missing is set instead of links if the collection has none.
	Missing *NoLinks `json:"missing,omitempty"`
	// Links, Pages and Captures count all links, not only those of this page of the list.
	Links    int64  `json:"links" doc:"of all captures, each as often as it is there"`
	Pages    int64  `json:"pages" doc:"that have these links"`
	Captures int64  `json:"captures" doc:"that have these links"`
	Note     string `json:"note,omitempty" doc:"that only the first 200,000 links to the page count, if there are more"`
	// Of is the capture whose links are listed, for links on a page.
	Of       string    `json:"of,omitempty" doc:"time of the capture"`
	Total    int64     `json:"total" doc:"entries of the whole list"`
	First    int64     `json:"first,omitempty" doc:"number of the first entry, from 1"`
	Rows     []LinkRow `json:"rows"`
	Next     string    `json:"next_cursor,omitempty"`
	NextLink string    `json:"next_link,omitempty"`
	Ways     []Choice  `json:"ways,omitempty"`
	Places   []Choice  `json:"places"`
	Everys   []Choice  `json:"everys,omitempty"`
	Command  string    `json:"command" doc:"the same links, for a POSIX shell; empty for a sample or no capture"`
	API      string    `json:"api" doc:"path of this server"`

	found bool // a capture of the page
}

// NoLinks says why there are no links, and what to do.
type NoLinks struct {
	Text    string `json:"text"`
	Command string `json:"command,omitempty"`
}

// LinkRow is a link.
type LinkRow struct {
	URL        string `json:"url" doc:"page with the link"`
	Timestamp  string `json:"timestamp,omitempty" doc:"of its capture"`
	Link       string `json:"link" doc:"page of this server for the capture"`
	Target     string `json:"target" doc:"as resolved; of any scheme"`
	TargetLink string `json:"target_link,omitempty" doc:"page of this server for the target, if it is on the web"`
	Text       string `json:"text,omitempty" doc:"of the anchor"`
	Rel        string `json:"rel,omitempty"`
	Place      string `json:"place" doc:"main, navigation or other"`
}
