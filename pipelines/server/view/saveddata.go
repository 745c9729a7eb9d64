package view

// SavedPath is the page of saved searches.
const SavedPath = "/saved"

// SavedRequest is a request for the saved searches of a user.
type SavedRequest struct{}

// SavedList are the saved searches of a user, the newest first.
type SavedList struct {
	Took     float64    `json:"took_ms"`
	Searches []SavedRow `json:"searches"`
	CSRF     string     `json:"-"`
}

// SavedRow is a saved search.
type SavedRow struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Collection string `json:"collection"`
	Query      string `json:"query" doc:"parameters of the search"`
	Captures   int64  `json:"captures" doc:"that fit now; -1 if they are not counted"`
	New        int64  `json:"new" doc:"captures of archives since you marked it as seen; -1: unknown"`
	Created    string `json:"created"`
	Link       string `json:"link" doc:"the search"`
	Open       string `json:"open" doc:"an address that leads to the search"`
	Feed       string `json:"feed" doc:"Atom feed of new captures"`
}

// SaveRequest is a search to save.
type SaveRequest struct {
	Name       string `json:"name" minLength:"1" maxLength:"100"`
	Collection string `json:"collection,omitempty" nullable:"true" maxLength:"200" doc:"the first one without it"`
	Query      string `json:"query" maxLength:"16000" doc:"parameters of a search: query=harbour&lang=fr"`
}

// SavedOneRequest is a request for one saved search.
type SavedOneRequest struct {
	ID string `json:"id" path:"id" maxLength:"24"`
}

// SavedFeed is the feed of a saved search, the newest captures first.
type SavedFeed struct {
	ID, Title, Link, Updated string
	Entries                  []SavedEntry
}

// SavedEntry is an entry of a feed: a capture.
type SavedEntry struct{ ID, Title, URL, Link, Captured, Updated string }
