package view

// Frame is what surrounds the content of each page.
type Frame struct {
	Actor       Actor
	Collection  string   // that the page is of; "" for none
	Collections []string // all of them
	Path        string   // of this page, with its query
	API         string   // the same as JSON; "" where there is none
	Query       string   // what is in the search box
	Replay      bool     // a replay tool is configured
	HasSources  bool
	// Empty says that no run has written the collection yet.
	Empty bool
	// Flash is what was just done, for the page behind a form.
	Flash string
}
