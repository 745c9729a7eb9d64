package view

// TrendsRequest is a request for captures over time: of some filters that are compared, or of the most frequent values
// of a field. The parameters of a search choose the captures that are counted.
type TrendsRequest struct {
	SearchRequest
	// Terms are words, phrases or filters, as query.ParseSeries reads them.
	Terms string `json:"terms,omitempty" query:"terms" maxLength:"2000" doc:"six filters at most, with commas"`
	// Field is compared by its most frequent values if there are no terms.
	Field string `json:"field,omitempty" query:"field" enum:"lang,host,domain,mime,page_type,status,source,record_type,flag,author,tag,entity"`
	// Without a unit, it is the one that fits the span of time.
	Unit string `json:"unit,omitempty" query:"unit" enum:"year,month,day"`
	// Near is the least cosine of a passage that is near the topic of about or like.
	Near string `json:"near,omitempty" query:"near" maxLength:"10" doc:"least cosine to about or like, above 0 to 1"`
	// Shown is what the page draws: counts, or shares of all captures of the period.
	Shown string `json:"shown,omitempty" query:"shown" enum:"captures,share"`
}

// Trends are captures over time.
type Trends struct {
	Answer
	Request  TrendsRequest `json:"request" doc:"as it was understood"`
	Filters  []Filter      `json:"filters"`
	Unit     string        `json:"unit" doc:"year, month or day"`
	Captures int64         `json:"captures" doc:"all that the search finds, with those without a date"`
	Periods  []Bar         `json:"periods" doc:"all captures of the search, from the first to the last"`
	Lines    []TrendLine   `json:"lines"`
	Undated  int64         `json:"undated" doc:"captures without a date, which are in no period"`
	Cut      bool          `json:"cut,omitempty" doc:"there are more periods, and these are the last"`
	Units    []Choice      `json:"units"`
	Fields   []Choice      `json:"fields"`
	Command  string        `json:"command" doc:"the same counts, for a POSIX shell"`
	API      string        `json:"api" doc:"path of this server"`
	Brush    string        `json:"-"`
	// These are of a request with about or like. Then captures with a text are counted: of a page in a period the newest,
	// or all with fold=none. The first line is near.
	Bound   float64 `json:"bound,omitempty" doc:"with about or like: the least cosine of a near passage"`
	Nearest float64 `json:"nearest,omitempty" doc:"the greatest cosine of a passage"`
	Unsure  string  `json:"unsure,omitempty" doc:"what words of about that the model lacks mean for the counts"`
	NoNear  string  `json:"none_near,omitempty" doc:"why no capture is near"`
}

// TrendLine is one of the compared series.
type TrendLine struct {
	Label  string   `json:"label" doc:"for people"`
	Query  string   `json:"query" doc:"the filter"`
	Total  int64    `json:"total" doc:"captures of all periods, and without a date"`
	Counts []int64  `json:"counts" doc:"captures of each period"`
	Link   string   `json:"link" doc:"search that finds all of them; beside a near line, that ranks them, or empty"`
	Near   bool     `json:"near,omitempty" doc:"it has the captures near about or like"`
	Links  []string `json:"-"`
}

// Hidden returns the parameters that the form of trends keeps: filters that it has no fields for.
func (t *Trends) Hidden() map[string]string {
	kept := t.Request.kept()
	delete(kept, "about")
	return kept
}
