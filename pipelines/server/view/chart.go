package view

// Bar is a span of time, or a class of a distribution, with its count.
type Bar struct {
	Label string `json:"label" doc:"2008, 2008-03 or 2008-03-09; of a distribution the name of the class"`
	Count int64  `json:"count"`
	Link  string `json:"link,omitempty" doc:"search that finds exactly these, as a path of this server"`
}

// Timeline is the number of captures in each year, month or day, including empty ones in between.
type Timeline struct {
	Unit    string `json:"unit" doc:"year, month or day"`
	Bars    []Bar  `json:"bars"`
	Max     int64  `json:"max" doc:"the largest count of the bars"`
	Undated int64  `json:"undated" doc:"captures without a date, which are in no bar"`
	// UndatedLink finds the captures without a date.
	UndatedLink string `json:"undated_link,omitempty"`
	// Cut means that there are more units than are shown: only the last MaxBars are.
	Cut bool `json:"cut,omitempty"`
	// Brush is the page of a span of time: see brushOf.
	Brush string `json:"-"`
}

// MaxBars is the maximum number of bars of a timeline. So a bar is at least two pixels wide on a screen of 800.
const MaxBars = 400

// Value is a value of a field, and how many captures have it.
type Value struct {
	Value    string `json:"value" doc:"as documents have it; - for captures without one"`
	Label    string `json:"label" doc:"for people: English, 404 Not Found, no language"`
	Count    int64  `json:"count"`
	Link     string `json:"link" doc:"search with this filter added or, where it is in force, taken away"`
	Selected bool   `json:"selected,omitempty"`
	Exclude  string `json:"exclude,omitempty" doc:"search that leaves these captures out"`
	Records  int64  `json:"records,omitempty" doc:"of flags: records of any type that have it"`
}

// Facet is the values of a field, the most frequent first.
type Facet struct {
	Param  string  `json:"param" doc:"parameter of search that filters by it"`
	Field  string  `json:"field" doc:"name in documents"`
	Title  string  `json:"title"`
	Values []Value `json:"values"`
	More   int     `json:"more" doc:"values that are not listed"`
	Rest   int64   `json:"rest" doc:"captures that have these"`
	Base   int64   `json:"base" doc:"captures that are counted: what shares are of"`
	// MoreLink lists all values.
	MoreLink string `json:"more_link,omitempty"`
}

// IndexState is the state of the index. It is in every answer, since searches cannot find what the index lacks.
type IndexState struct {
	Ready  bool   `json:"ready" doc:"the index answers; otherwise shards are read, which takes longer"`
	Stale  int    `json:"behind" doc:"shards of documents that cannot be searched yet"`
	Shards int    `json:"shards" doc:"shards of documents in all"`
	Note   string `json:"note,omitempty" doc:"why it is not ready"`
	Err    string `json:"error,omitempty" doc:"why the collection cannot be read any more: answers are of what it was"`
}

// Answer is the common part of all answers.
type Answer struct {
	Collection string     `json:"collection"`
	Took       float64    `json:"took_ms" doc:"milliseconds that the server needed"`
	Index      IndexState `json:"index"`
	// These are reasons why an answer has nothing.
	Empty    bool       `json:"empty,omitempty" doc:"the collection has no captures: its runs found or kept none"`
	Lacks    []string   `json:"lacks,omitempty" doc:"extractors that fill the fields below, and did not run"`
	Unfilled []Unfilled `json:"unfilled,omitempty" doc:"fields of the question that no capture has"`
}
