package view

// HostsRequest asks for the hosts of a collection.
type HostsRequest struct {
	Collection string `json:"collection,omitempty" query:"collection" maxLength:"200" doc:"name of the collection; the first one without it"`
	Find       string `json:"find,omitempty" query:"find" maxLength:"300" doc:"a part of the name"`
	Limit      int    `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000" doc:"hosts of a page of the answer; 50 without it"`
	Cursor     string `json:"cursor,omitempty" query:"cursor" maxLength:"4096" doc:"next_cursor of the page before"`
}

// Hosts are the hosts, those with most captures first.
type Hosts struct {
	Answer
	Find     string  `json:"find,omitempty"`
	Total    int64   `json:"total"`
	Captures int64   `json:"captures" doc:"of all hosts: what shares are of"`
	Hosts    []Value `json:"hosts"`
	First    int64   `json:"first" doc:"number of the first in the list, from 1"`
	Next     string  `json:"next_cursor,omitempty"`
	NextLink string  `json:"next_link,omitempty"`
}

// HostRequest asks for one host.
type HostRequest struct {
	Collection string `json:"collection,omitempty" query:"collection" maxLength:"200" doc:"name of the collection; the first one without it"`
	Host       string `json:"host" path:"host" maxLength:"300" doc:"name of the host"`
	Unit       string `json:"unit,omitempty" query:"unit" enum:"year,month,day" doc:"unit of the time line; month without it"`
	Cursor     string `json:"cursor,omitempty" query:"cursor" maxLength:"4096" doc:"next_cursor of the page before"`
}

// Host is what is known of a host.
type Host struct {
	Answer
	Host      string    `json:"host"`
	Captures  int64     `json:"captures"`
	Addresses int64     `json:"addresses"`
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

// EntitiesRequest asks for what pages name.
type EntitiesRequest struct {
	Collection string `json:"collection,omitempty" query:"collection" maxLength:"200" doc:"name of the collection; the first one without it"`
	Find       string `json:"find,omitempty" query:"find" maxLength:"300" doc:"a part of a name, whatever its case"`
	Type       string `json:"type,omitempty" query:"type" maxLength:"40" doc:"person, place, organization, …; without it these three and what has no pattern"`
	Limit      int    `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000" doc:"rows of a page of the answer; 24 without it"`
	Cursor     string `json:"cursor,omitempty" query:"cursor" maxLength:"4096" doc:"next_cursor of the page before"`
}

// Entities are what pages name, one identity a row.
type Entities struct {
	Answer
	Find     string      `json:"find,omitempty"`
	Type     string      `json:"type,omitempty"`
	Names    int64       `json:"names" doc:"different ones"`
	Captures int64       `json:"captures" doc:"that name any, and were counted"`
	Types    []Choice    `json:"types"`
	Counts   []int64     `json:"type_counts" doc:"names of each of types, in their order"`
	Entities []EntityRow `json:"entities"`
	Max      int64       `json:"max" doc:"the largest number of addresses"`
	// Partial says why not all captures were counted; "" when they were.
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

// SourcesRequest asks for sources.
type SourcesRequest struct {
	Find     string `json:"find,omitempty" query:"find" maxLength:"300" doc:"a part of title or URL, whatever its case"`
	Verdict  string `json:"verdict,omitempty" query:"verdict" enum:"valid,rejected,undecided" doc:"of the check whether it is a real source"`
	Health   string `json:"health,omitempty" query:"health" enum:"live,dormant,gone,unseen"`
	Language string `json:"lang,omitempty" query:"lang" maxLength:"40" doc:"main language of its pages"`
	Class    string `json:"class,omitempty" query:"class" maxLength:"40" doc:"main, comments, category, author, page, search, list, placeholder, spam"`
	Rate     string `json:"rate,omitempty" query:"rate" maxLength:"40" doc:"class of the distribution of refresh rates, by its label"`
	Order    string `json:"order,omitempty" query:"order" enum:"rate,next,title" doc:"most frequent first (rate), due first (next), or by title"`
	Limit    int    `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000" doc:"sources of a page of the answer; 25 without it"`
	Cursor   string `json:"cursor,omitempty" query:"cursor" maxLength:"4096" doc:"next_cursor of the page before"`
}

// Sources are the sources of the Source DB.
type Sources struct {
	Took      float64        `json:"took_ms"`
	Request   SourcesRequest `json:"request"`
	AsOf      string         `json:"as_of,omitempty" doc:"moment at which health, rates and visits hold"`
	Total     int64          `json:"total" doc:"sources that fit"`
	All       int64          `json:"all" doc:"sources in all"`
	Facets    []Facet        `json:"facets" doc:"health, verdict, language, class"`
	Median    float64        `json:"median_hours" doc:"between two items, of the sources that fit; 0 where not known"`
	Rates     []Bar          `json:"rates" doc:"distribution of the time between two items"`
	RatesMax  int64          `json:"rates_max"`
	Sources   []SourceRow    `json:"sources"`
	Next      string         `json:"next_cursor,omitempty"`
	NextLink  string         `json:"next_link,omitempty"`
	Left      int64          `json:"left"`
	Orders    []Choice       `json:"orders"`
	Downloads []Download     `json:"downloads" doc:"OPML, CSV, JSON lines of the sources that fit"`
}

// SourceRow is what lists say of a source.
type SourceRow struct {
	ID       string  `json:"source_id"`
	URL      string  `json:"url"`
	Title    string  `json:"title,omitempty"`
	Class    string  `json:"class"`
	Language string  `json:"language,omitempty"`
	Tongue   string  `json:"language_name,omitempty"`
	Verdict  string  `json:"verdict"`
	Health   string  `json:"health"`
	Hours    float64 `json:"hours" doc:"between two items; 0 where not known"`
	Rate     float64 `json:"rate" doc:"items a day"`
	Items    int     `json:"items"`
	LastItem string  `json:"last_item,omitempty"`
	Next     string  `json:"next_visit,omitempty"`
	Link     string  `json:"link"`
}

// SourceRequest asks for one source.
type SourceRequest struct {
	ID string `json:"id" path:"id" maxLength:"64" doc:"source_id"`
}

// SourceOne is one source.
type SourceOne struct {
	Took float64 `json:"took_ms"`
	SourceRow
	Type      string   `json:"type,omitempty" doc:"rss, atom, …"`
	Site      string   `json:"site,omitempty"`
	Publisher string   `json:"publisher_type,omitempty"`
	Aliases   []Link   `json:"aliases"`
	Reasons   []string `json:"reasons" doc:"why it is not valid"`
	Checks    []Check  `json:"checks"`
	Entities  []Named  `json:"entities"`
	Interval  float64  `json:"interval_hours" doc:"between visits"`
	Basis     string   `json:"basis" doc:"what the rate rests on: dates, first_seen, none"`
	Statuses  []int    `json:"statuses" doc:"of the last visits, newest first"`
	Failures  float64  `json:"failures"`
	Items     []Item   `json:"pages" doc:"its newest captured pages"`
	Time      Timeline `json:"time" doc:"its captured pages over time"`
	Template  string   `json:"template,omitempty" doc:"tag path of where the text stands, or its hash"`
	Support   float64  `json:"template_support,omitempty"`
	Learnt    int      `json:"template_pages,omitempty"`
	FirstSeen string   `json:"first_seen,omitempty"`
	LastVisit string   `json:"last_refresh,omitempty"`
}

// Check is one test of a source, and how it went.
type Check struct {
	Name   string `json:"name"`
	Result string `json:"result" doc:"passed, weak, failed or unknown"`
	Found  string `json:"found"`
}

// Item is a page of a source.
type Item struct {
	URL       string `json:"url"`
	Title     string `json:"title,omitempty"`
	Timestamp string `json:"timestamp"`
	Link      string `json:"link" doc:"page of this server for it; \"\" where no collection has it"`
}

// DatasetsRequest asks for what was exported.
type DatasetsRequest struct{}

// Datasets are what jobs have exported.
type Datasets struct {
	Took     float64   `json:"took_ms"`
	Datasets []Dataset `json:"datasets"`
}

// Dataset is a file that a job has exported.
type Dataset struct {
	Name   string `json:"name"`
	Job    int64  `json:"job"`
	Format string `json:"format"`
	Query  string `json:"query" doc:"the same as a command"`
	Bytes  int64  `json:"bytes"`
	Rows   int64  `json:"rows,omitempty" doc:"0 where not known"`
	Made   string `json:"made"`
	Link   string `json:"link"`
	Repeat string `json:"repeat" doc:"form that makes it again"`
}
