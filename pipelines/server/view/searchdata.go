package view

// SearchRequest is a request for captures. Query is a filter in the query language; plain words are searched in text
// and title. The following parameters narrow it, and their value "-" stands for captures without a value.
type SearchRequest struct {
	// The length limits are checked before anything is parsed: all users with the right to read can send texts.
	Collection string `json:"collection,omitempty" query:"collection" maxLength:"200" doc:"the first one without it"`
	Query      string `json:"query,omitempty" query:"query" maxLength:"8000" doc:"words, or a filter: language = \"fr\" AND mime:pdf"`
	About      string `json:"about,omitempty" query:"about" maxLength:"2000" doc:"what pages are about, in any words. Ranks passages by meaning and by these words, among the captures that the other parameters choose"`
	Like       string `json:"like,omitempty" query:"like" maxLength:"8000" doc:"pages like this capture, by meaning: its time, a slash and its URL, as in 2020-01-31T12:00:00Z/https://example.org/. Not together with about"`
	Lang       string `json:"lang,omitempty" query:"lang" maxLength:"100" doc:"main language, as documents have it: fr"`
	MIME       string `json:"mime,omitempty" query:"mime" maxLength:"300" doc:"media type that was detected: application/pdf"`
	Host       string `json:"host,omitempty" query:"host" maxLength:"300" doc:"this very host"`
	Year       string `json:"year,omitempty" query:"year" maxLength:"10" doc:"year of the capture: 2026; - for captures without a date"`
	Month      string `json:"month,omitempty" query:"month" maxLength:"10" doc:"month of the capture: 2026-03"`
	Day        string `json:"day,omitempty" query:"day" maxLength:"12" doc:"day of the capture: 2026-03-09"`
	From       string `json:"from,omitempty" query:"from" maxLength:"40" doc:"captured since then: 2026-03"`
	To         string `json:"to,omitempty" query:"to" maxLength:"40" doc:"captured until the end of this: 2026"`
	PageType   string `json:"page_type,omitempty" query:"page_type" maxLength:"100" doc:"kind of page: article"`
	Source     string `json:"source,omitempty" query:"source" maxLength:"200" doc:"source_id, if documents state it"`
	Status     string `json:"status,omitempty" query:"status" maxLength:"5" doc:"HTTP status: 404"`
	RecordType string `json:"record_type,omitempty" query:"record_type" maxLength:"40" doc:"response, revisit, resource, conversion or arc"`
	Flag       string `json:"flag,omitempty" query:"flag" maxLength:"60" doc:"a flag of the capture: payload_digest"`
	Entity     string `json:"entity,omitempty" query:"entity" maxLength:"300" doc:"something that the text names, as written"`

	Domain string `json:"domain,omitempty" query:"domain" maxLength:"300" doc:"registrable domain of the host"`
	Author string `json:"author,omitempty" query:"author" maxLength:"300" doc:"one of the authors"`
	Tag    string `json:"tag,omitempty" query:"tag" maxLength:"300" doc:"one of the tags"`
	Not    string `json:"not,omitempty" query:"not" maxLength:"2000" doc:"values to leave out, a line each: lang:fr"`

	// These affect the list's form, not its content.
	Order  string `json:"order,omitempty" query:"order" enum:"relevance,newest,oldest,surt,length" doc:"relevance with words, else newest; length: the longest records first"`
	Fold   string `json:"fold,omitempty" query:"fold" enum:"address,none" doc:"address: the newest capture of each page that fits; none: all"`
	Limit  int    `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000" doc:"20 without it"`
	Cursor string `json:"cursor,omitempty" query:"cursor" maxLength:"65536" doc:"next_cursor of the page before"`
	Sample string `json:"sample,omitempty" query:"sample" maxLength:"20" doc:"a share of the pages: 1%"`
	Facets string `json:"facets,omitempty" query:"facets" enum:"yes,no" doc:"whether to count values, which may take longer than the captures"`
}

// Search is an answer. It has counts only if Counted is set.
type Search struct {
	Answer
	Request   SearchRequest `json:"request" doc:"as it was understood"`
	Captures  int64         `json:"captures" doc:"all that fit"`
	Addresses int64         `json:"addresses" doc:"pages that these are of"`
	Total     int64         `json:"total" doc:"entries of the whole list: addresses, or captures where nothing is folded"`
	// Counted means that the counts, Years and Facets are set.
	Counted bool     `json:"counted"`
	Note    string   `json:"note,omitempty" doc:"why counts are missing, or why a list ends before all that fit"`
	Filters []Filter `json:"filters" doc:"parameters in force"`
	Years   Timeline `json:"years" doc:"captures that fit by year, or by month or day within one"`
	Facets  []Facet  `json:"facets"`
	// More are fields whose values are on pages of their own.
	More  []Choice `json:"more"`
	Hits  []Hit    `json:"hits"`
	First int64    `json:"first,omitempty" doc:"number of the first hit in the list, from 1; 0 where that is not known"`
	// Cursors are empty if there is no such page.
	Next string `json:"next_cursor,omitempty"`
	Left int64  `json:"left" doc:"entries after this page, if they were counted"`

	Orders []Choice `json:"orders"`
	// Ways are the search by words and the one by meaning.
	Ways []Choice `json:"ways"`
	// These are other ways to the same captures.
	Folds     []Choice  `json:"folds"`
	Elsewhere Elsewhere `json:"elsewhere"`
	Take      string    `json:"take" doc:"page of the data sets of the search"`
	Trends    string    `json:"trends" doc:"page of the search over time"`
	Graph     string    `json:"graph" doc:"page with the graph of hosts of the search"`
	// Instead lists other searches with results, if this one found nothing.
	Instead []Value `json:"instead,omitempty"`
	// These are of a search by meaning. If the model knows no word, hits have the words and are not ranked by meaning.
	Unknown []string `json:"unknown_words,omitempty" doc:"words of about, 20 at most, that the model lacks"`
	Unsure  string   `json:"unsure,omitempty" doc:"what these words mean for the hits"`
	// NextLink is the next page, as a path of this server.
	NextLink string `json:"next_link,omitempty"`
}

// Choice is one of several ways to see the same data.
type Choice struct {
	Value    string `json:"value"`
	Label    string `json:"label"`
	Link     string `json:"link"`
	Selected bool   `json:"selected,omitempty"`
}

// Filter is an active filter.
type Filter struct {
	Param string `json:"param"`
	Title string `json:"title" doc:"Language"`
	Value string `json:"value"`
	Label string `json:"label" doc:"English"`
	Link  string `json:"link" doc:"the search without it"`
	left  string // SearchRequest.Not without this exclusion
}

// Elsewhere is the same search in other places.
type Elsewhere struct {
	Link      string     `json:"link"`
	Command   string     `json:"command" doc:"for a POSIX shell"`
	API       string     `json:"api" doc:"path of this server; curl is to have its address before it"`
	Downloads []Download `json:"downloads"`
}

// Download is a format that something can be downloaded in.
type Download struct {
	Format string `json:"format" doc:"jsonl, csv, parquet, warc, wet"`
	Label  string `json:"label" doc:"JSON lines"`
	Link   string `json:"link"`
}

// Hit is a capture of an answer: the list entry, with the matches marked.
type Hit struct {
	Capture
	TitlePieces []Piece `json:"title_pieces,omitempty" doc:"the title, with matches marked"`
	Snippet     []Piece `json:"snippet,omitempty" doc:"the part of the text that fits, or its beginning"`
	Words       int     `json:"words,omitempty"`
	// These are of a search by meaning, whose snippet is the passage that was found.
	Why   string  `json:"why,omitempty" doc:"meaning, words, or meaning and words: how it was found"`
	Alike float64 `json:"alike,omitempty" doc:"cosine of the angle between passage and question"`
	Begin int     `json:"passage_from,omitempty" doc:"where the passage is in the text, in bytes"`
	End   int     `json:"passage_to,omitempty"`
}

// Capture is the common list entry of a capture.
type Capture struct {
	URL       string `json:"url"`
	Host      string `json:"host,omitempty"`
	Path      string `json:"path" doc:"of the URL after the host, with its query"`
	Title     string `json:"title,omitempty"`
	Timestamp string `json:"timestamp,omitempty"`
	Language  string `json:"language,omitempty"`
	// With these, programs that draw pages need no tables of languages. Tongue is the language's name for people, and
	// Dir the direction of its text: ltr, rtl or auto.
	Tongue     string `json:"language_name,omitempty"`
	Dir        string `json:"dir"`
	MIME       string `json:"mime,omitempty"`
	From       string `json:"from,omitempty" query:"from" maxLength:"40" doc:"captured since then: 2026-03"`
	To         string `json:"to,omitempty" query:"to" maxLength:"40" doc:"captured until the end of this: 2026"`
	PageType   string `json:"page_type,omitempty"`
	Status     int    `json:"status,omitempty"`
	RecordType string `json:"record_type,omitempty"`
	Source     string `json:"source_id,omitempty"`
	Filename   string `json:"filename"`
	Offset     int64  `json:"offset"`
	Length     int64  `json:"length,omitempty"`
	Sequence   int    `json:"sequence,omitempty"`
	Link       string `json:"link" doc:"page of this capture, as a path of this server"`
}

// Piece is a piece of a snippet.
type Piece struct {
	Text string `json:"text"`
	Hit  bool   `json:"hit,omitempty" doc:"this was searched for"`
}

// Hidden returns the parameters that the form of dates keeps.
func (s *Search) Hidden() map[string]string { return s.Request.kept() }

// Ranked returns the parameters that the form of a search by meaning keeps.
func (s *Search) Ranked() map[string]string {
	r := s.Request.words()
	r.Collection, r.Cursor, r.Order = "", "", ""
	kept := map[string]string{}
	for name, value := range Encode(r) {
		kept[name] = value[0]
	}
	return kept
}

// kept returns the parameters of a request that a form of dates keeps.
func (r SearchRequest) kept() map[string]string {
	r.Collection, r.Cursor, r.From, r.To, r.Year, r.Month, r.Day = "", "", "", "", "", "", ""
	kept := map[string]string{}
	for name, value := range Encode(r) {
		kept[name] = value[0]
	}
	return kept
}
