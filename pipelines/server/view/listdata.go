package view

// HostsRequest is a request for the hosts of a collection.
type HostsRequest struct {
	Collection string `json:"collection,omitempty" query:"collection" maxLength:"200" doc:"the first one without it"`
	// Host names have at most 253 bytes; a longer search finds nothing.
	Find   string `json:"find,omitempty" query:"find" maxLength:"300" doc:"a part of the name"`
	Limit  int    `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000" doc:"50 without it"`
	Cursor string `json:"cursor,omitempty" query:"cursor" maxLength:"65536" doc:"next_cursor of the page before"`
}

// Hosts are the hosts, those with most captures first.
type Hosts struct {
	Answer
	Find  string `json:"find,omitempty"`
	Total int64  `json:"total"`
	// This includes hosts that are not in the list, so that shares are relative to all.
	Captures int64   `json:"captures" doc:"of all hosts: what shares are of"`
	Hosts    []Value `json:"hosts"`
	First    int64   `json:"first" doc:"number of the first in the list, from 1"`
	Next     string  `json:"next_cursor,omitempty"`
	NextLink string  `json:"next_link,omitempty"`
}

// HostRequest is a request for one host.
type HostRequest struct {
	Collection string `json:"collection,omitempty" query:"collection" maxLength:"200" doc:"the first one without it"`
	Host       string `json:"host" path:"host" maxLength:"300" doc:"name of the host"`
	Unit       string `json:"unit,omitempty" query:"unit" enum:"year,month,day" doc:"month without it"`
	Cursor     string `json:"cursor,omitempty" query:"cursor" maxLength:"65536" doc:"next_cursor of the page before"`
}

// Host is the description of a host.
type Host struct {
	Answer
	Host      string `json:"host"`
	Captures  int64  `json:"captures"`
	Addresses int64  `json:"addresses"`
	// "und" (an unknown language) and "zxx" (none) do not count.
	Languages int       `json:"languages"`
	First     string    `json:"first,omitempty"`
	Last      string    `json:"last,omitempty"`
	Time      Timeline  `json:"time"`
	Pages     []Version `json:"pages" doc:"newest version of each"`
	Facets    []Facet   `json:"facets" doc:"languages, media types, page types, statuses"`
	Feeds     []Link    `json:"feeds" doc:"feeds that its newest pages announce"`
	Search    string    `json:"search" doc:"link to all its captures"`
	Next      string    `json:"next_cursor,omitempty"`
	NextLink  string    `json:"next_link,omitempty"`
}

// EntitiesRequest is a request for the entities that pages name.
type EntitiesRequest struct {
	Collection string `json:"collection,omitempty" query:"collection" maxLength:"200" doc:"the first one without it"`
	Find       string `json:"find,omitempty" query:"find" maxLength:"300" doc:"a part of a name, whatever its case"`
	Type       string `json:"type,omitempty" query:"type" maxLength:"40" doc:"person, place, organization, …; without it these three and types without a pattern"`
	Limit      int    `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000" doc:"24 without it"`
	Cursor     string `json:"cursor,omitempty" query:"cursor" maxLength:"65536" doc:"next_cursor of the page before"`
}

// Entities are the entities that pages name, with one identity per row.
type Entities struct {
	Answer
	Find     string   `json:"find,omitempty"`
	Type     string   `json:"type,omitempty"`
	Names    int64    `json:"names" doc:"that match, in all pages of the list"`
	Captures int64    `json:"captures" doc:"that name any, and were counted"`
	Types    []Choice `json:"types"`
	// These are two lists of the same length, as Choice has no count.
	Counts   []int64     `json:"type_counts" doc:"names of each of types, in their order"`
	Entities []EntityRow `json:"entities"`
	Max      int64       `json:"max" doc:"the largest number of addresses"`
	// Partial is the reason why not all captures were counted, or "" if they were. An answer about a part of the
	// collection must state this itself.
	Partial  string `json:"partial,omitempty"`
	Next     string `json:"next_cursor,omitempty"`
	NextLink string `json:"next_link,omitempty"`
	Left     int64  `json:"left"`
}

// EntityRow is something that pages name.
type EntityRow struct {
	Text      string   `json:"text" doc:"the name that is written most"`
	Also      []string `json:"also,omitempty" doc:"other names of the same identity"`
	Type      string   `json:"type"`
	ID        string   `json:"id,omitempty"`
	Addresses int64    `json:"addresses"`
	Mentions  int64    `json:"mentions"`
	Host      string   `json:"host,omitempty" doc:"that names it on most addresses"`
	Link      string   `json:"link"`
}

// DatasetsRequest is a request for the list of exports.
type DatasetsRequest struct{}

// Datasets are the exports of jobs.
type Datasets struct {
	Took     float64   `json:"took_ms"`
	Datasets []Dataset `json:"datasets"`
}

// Dataset is a file that a job has exported. It is made from the job and its file; nothing else is stored.
type Dataset struct {
	Name   string `json:"name"`
	Job    int64  `json:"job"`
	Format string `json:"format"`
	Query  string `json:"query" doc:"the same as a command"`
	Bytes  int64  `json:"bytes"`
	Made   string `json:"made"`
	Link   string `json:"link"`
	Repeat string `json:"repeat" doc:"form that makes it again"`
}
