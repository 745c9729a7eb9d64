package view

// SourcesRequest is a request for sources.
type SourcesRequest struct {
	// Each parameter is a filter of the index; all of them must match.
	Find      string `json:"find,omitempty" query:"find" maxLength:"300" doc:"a part of title or URL, whatever its case"`
	Site      string `json:"site,omitempty" query:"site" maxLength:"300" doc:"registrable domain, or host"`
	Verdict   string `json:"verdict,omitempty" query:"verdict" enum:"valid,rejected,undecided" doc:"of the check whether it is a real source"`
	Reason    string `json:"reason,omitempty" query:"reason" maxLength:"60" doc:"what decided that it is not valid"`
	Health    string `json:"health,omitempty" query:"health" enum:"live,dormant,gone,unseen" doc:"whether it is alive"`
	Language  string `json:"lang,omitempty" query:"lang" maxLength:"40" doc:"main language of its pages"`
	Class     string `json:"class,omitempty" query:"class" maxLength:"40" doc:"main, comments, category, author, page, search, list, placeholder, spam"`
	Publisher string `json:"publisher,omitempty" query:"publisher" maxLength:"60" doc:"kind of its site"`
	// These affect the list's form.
	Order  string `json:"order,omitempty" query:"order" enum:"rate,next,last,site" doc:"rate (the default): most frequent first; next: by due date; last: newest publication first; site: by host"`
	Limit  int    `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000" doc:"25 without it"`
	Cursor string `json:"cursor,omitempty" query:"cursor" maxLength:"65536" doc:"next_cursor of the page before"`
}

// Sources are the sources of the Source DB.
type Sources struct {
	Took    float64        `json:"took_ms"`
	Request SourcesRequest `json:"request"`
	AsOf    string         `json:"as_of,omitempty" doc:"moment at which health, rates and visits hold"`
	// These describe the whole list, not this page.
	Total     int64       `json:"total" doc:"sources that fit"`
	Facets    []Facet     `json:"facets" doc:"health, verdict, reason, class, language, publisher"`
	Cycles    []Bar       `json:"cycles" doc:"sources that fit by their refresh cycle, the time between two visits"`
	CyclesMax int64       `json:"cycles_max"`
	Sources   []SourceRow `json:"sources"`
	Next      string      `json:"next_cursor,omitempty"`
	NextLink  string      `json:"next_link,omitempty"`
	Orders    []Choice    `json:"orders"`
	Filters   []Filter    `json:"filters" doc:"parameters in force"`
	Downloads []Download  `json:"downloads" doc:"OPML, CSV and JSON lines of the sources that fit"`
}

// SourceRow is the list entry of a source. The id is part of the address of its page.
type SourceRow struct {
	ID       string  `json:"source_id"`
	URL      string  `json:"url"`
	Title    string  `json:"title,omitempty"`
	Host     string  `json:"host,omitempty"`
	Class    string  `json:"class"`
	Language string  `json:"language,omitempty"`
	Tongue   string  `json:"language_name,omitempty"`
	Dir      string  `json:"dir"`
	Verdict  string  `json:"verdict"`
	Health   string  `json:"health"`
	Hours    float64 `json:"hours" doc:"between two items, from the rate; 0 where not known"`
	// The rate is measured, and the hours follow from it.
	Rate     float64 `json:"rate" doc:"items a day"`
	Items    int     `json:"items"`
	LastItem string  `json:"last_item,omitempty"`
	Next     string  `json:"next_visit,omitempty"`
	Link     string  `json:"link"`
}

// SourceRequest is a request for one source.
type SourceRequest struct {
	ID   string `json:"id" path:"id" maxLength:"64" doc:"source_id"`
	Unit string `json:"unit,omitempty" query:"unit" enum:"year,month,day" doc:"unit of the time line; the one that shows most without it"`
}

// SourceOne is one source.
type SourceOne struct {
	Took float64 `json:"took_ms"`
	AsOf string  `json:"as_of,omitempty"`
	SourceRow
	// These come from the newest document of the feed.
	Type      string   `json:"type,omitempty" doc:"rss, atom, …"`
	Site      string   `json:"site,omitempty"`
	Publisher string   `json:"publisher_type,omitempty"`
	Aliases   []Link   `json:"aliases" doc:"other addresses of the same feed; type is the evidence"`
	Reasons   []string `json:"reasons" doc:"why it is not valid"`
	// These are the basis of the verdict.
	Checks   []Check `json:"checks"`
	Entities []Named `json:"entities" doc:"what its pages name more than others do; count is pages"`
	Interval float64 `json:"interval_hours" doc:"refresh cycle: between two visits"`
	Basis    string  `json:"basis" doc:"what the rate rests on: dates, first_seen, none"`
	// These are the last visits, and what follows from them.
	Statuses []int    `json:"statuses" doc:"of the last visits, newest first"`
	Failures float64  `json:"failures"`
	Pieces   []Item   `json:"pieces" doc:"its newest items"`
	Pages    []Item   `json:"pages" doc:"its newest captured pages"`
	Time     Timeline `json:"time" doc:"its items over time"`
	// These were learnt from its pages, to find the text of further ones.
	Template  string  `json:"template,omitempty" doc:"hash of the tag path at which the text of its pages stands"`
	Support   float64 `json:"template_support,omitempty" doc:"share of pages that have it"`
	Learnt    int     `json:"template_pages,omitempty"`
	FirstSeen string  `json:"first_seen,omitempty"`
	LastVisit string  `json:"last_refresh,omitempty" doc:"last capture of the feed"`
	Changed   string  `json:"last_changed,omitempty" doc:"first capture with the present bytes of the feed"`
	Validated string  `json:"last_validation,omitempty" doc:"last capture of the feed or of one of its pages"`
	// This includes all known items, not only the listed ones.
	Updates []string `json:"last_updates" doc:"dates of its newest items, newest first, 10 at most"`
}

// Check is one test of a source, and its result.
type Check struct {
	Name   string `json:"name"`
	Result string `json:"result" doc:"passed, failed or unknown"`
	Found  string `json:"found"`
}

// Item is an item or a page of a source.
type Item struct {
	URL       string `json:"url"`
	Title     string `json:"title,omitempty"`
	Timestamp string `json:"timestamp,omitempty" doc:"of its publication"`
	Seen      string `json:"seen,omitempty" doc:"when it was first seen, if the feed has no date of it"`
	Captured  string `json:"captured,omitempty" doc:"time of the newest capture of its page"`
	Link      string `json:"link,omitempty" doc:"page of this server for it"`
}
