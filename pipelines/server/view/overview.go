package view

// OverviewRequest is a request for the overview of a collection.
type OverviewRequest struct {
	Collection string `json:"collection,omitempty" query:"collection" maxLength:"200" doc:"the first one without it"`
	Unit       string `json:"unit,omitempty" query:"unit" enum:"year,month,day" doc:"year without it"`
}

// Overview describes the content of a collection. Counts are of captures unless stated otherwise.
type Overview struct {
	Answer
	Partly      bool   `json:"partly,omitempty" doc:"rules keep captures from you: files, bytes and runs are left out"`
	Title       string `json:"title,omitempty" doc:"of the collection"`
	Description string `json:"description,omitempty"`
	// These come from the database, except for feeds, archives, bytes and rejects, which the manifest counts.
	Captures     int64  `json:"captures"`
	Addresses    int64  `json:"addresses" doc:"pages: captures of one SURT are one"`
	Hosts        int64  `json:"hosts"`
	WithText     int64  `json:"with_text"`
	Languages    int64  `json:"languages" doc:"main languages of captures, without the ones not determined"`
	Entities     int64  `json:"entities,omitempty" doc:"different names, without dates and numbers; absent if unknown"`
	Feeds        int64  `json:"feeds" doc:"feeds that captures are or announce, once for each capture"`
	Archives     int64  `json:"archives" doc:"files that were read"`
	ArchiveBytes int64  `json:"archive_bytes" doc:"compressed, as read"`
	BodyBytes    int64  `json:"body_bytes" doc:"decoded"`
	BytesLost    int64  `json:"bytes_lost" doc:"of archive_bytes, in no capture"`
	First        string `json:"first,omitempty" doc:"time of the oldest capture"`
	Last         string `json:"last,omitempty" doc:"time of the newest capture"`

	// The most important facts are at the top of the page.
	Notes   []Note   `json:"notes" doc:"what needs attention"`
	Time    Timeline `json:"time"`
	Facets  []Facet  `json:"facets" doc:"media types, languages, hosts, page types, statuses, record types"`
	Rejects []Value  `json:"rejects" doc:"what could not be read or enriched, by kind"`
	Runs    []RunRow `json:"runs" doc:"newest first"`
}

// Note is something that needs attention. It is a sentence in two parts, so that the link is the figure.
type Note struct {
	Kind  string `json:"kind" doc:"lost, rejects, digest, timestamp, damaged, unverified"`
	Count int64  `json:"count"`
	What  string `json:"what" doc:"4 rejects, 42 captures: the words of the link"`
	Text  string `json:"text" doc:"the rest of the sentence"`
	Link  string `json:"link"`
}
