package view

// Frame is the common surroundings of each page.
type Frame struct {
	Actor       Actor
	Collection  string   // of the page; "" if it has none
	Collections []string // all of them
	Path        string   // of this page, with its query
	API         string   // address of the same as JSON; "" if there is none
	Query       string   // text in the search box
	Replay      bool     // a replay tool is configured
	HasSources  bool
	Saves       bool   // the user can save searches
	Feed        string // path of the feed of the page's search, if the user has saved it
	Partly      bool   // rules keep a part of the collections from the user: see NeedWhole
	// Empty means that no run has written the collection yet.
	Empty bool
	// Flash is a note at the top: the action that a form completed, or parameters that the page does not have.
	Flash string
}
