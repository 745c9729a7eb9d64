package view

// RunsRequest is a request for the runs that wrote a collection.
type RunsRequest struct {
	Collection string `json:"collection,omitempty" query:"collection" maxLength:"200" doc:"the first one without it"`
}

// Runs are the runs of a collection, newest first.
type Runs struct {
	Answer
	Runs []RunRow `json:"runs"`
}

// RunRow is the list entry of a run. Its counts are those of the archives that it read.
type RunRow struct {
	// It is the last part of the page's path.
	Number   int     `json:"number"`
	Command  string  `json:"command"`
	Started  string  `json:"started,omitempty"`
	Seconds  float64 `json:"seconds"`
	Archives int64   `json:"archives"`
	Captures int64   `json:"captures"`
	Rejects  int64   `json:"rejects"`
	Lost     int64   `json:"bytes_lost"`
	Read     int64   `json:"bytes_read"`
	State    string  `json:"state" doc:"done, or losses: something could not be read"`
	Release  string  `json:"release,omitempty" doc:"of the program"`
	Before   int64   `json:"captures_before" doc:"captures of the collection before the run"`
	After    int64   `json:"captures_after" doc:"and after it"`
	Replaced int64   `json:"captures_replaced" doc:"captures of earlier runs that it replaced or removed"`
	Link     string  `json:"link"`
}

// RunRequest is a request for one run.
type RunRequest struct {
	Collection string `json:"collection,omitempty" query:"collection" maxLength:"200" doc:"the first one without it"`
	Number     int    `json:"number" path:"number" minimum:"1" doc:"of the run"`
}

// RunOne is one run with its results, losses and costs. It embeds two structs: the answer's own fields, and the run's
// list entry.
type RunOne struct {
	Answer
	RunRow
	Runner    string  `json:"runner,omitempty"`
	Records   int64   `json:"records"`
	FeedRows  int64   `json:"feed_rows"`
	PerSecond float64 `json:"captures_per_second"`
	// These are measured only if a report exists, see Measured: 0 means unknown.
	CPUSeconds float64 `json:"cpu_seconds"`
	PeakMemory int64   `json:"peak_memory"`

	// Archives that it did not read again stay as earlier runs read them.
	Units int `json:"units" doc:"of work that it did"`
	Kept  int `json:"kept_units" doc:"that earlier runs had done"`

	Kinds      []Value `json:"reject_kinds"`
	Extractors []Cost  `json:"extractors" doc:"what took most first; of the last run"`
	Flags      []Value `json:"flags" doc:"of records of any type"`
	Quirks     []Value `json:"quirks"`
	Slowest    []Slow  `json:"slowest" doc:"of the last run"`
	Options    string  `json:"options" doc:"JSON, indented"`
	Versions   string  `json:"versions" doc:"JSON, indented"`
	Again      string  `json:"again,omitempty" doc:"the same as a command"`
	Measured   bool    `json:"measured" doc:"times are known"`
	// The page of archives has the rejects of the collection.
	Archived string `json:"archives_link"`
}

// Cost is the time that an extractor took.
type Cost struct {
	// Seconds is clock time, CPUSeconds is processor time. They differ if an extractor waits.
	Name       string  `json:"name"`
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpu_seconds"`
	Share      float64 `json:"share"`
}

// Slow is a capture that took long.
type Slow struct {
	URL       string  `json:"url"`
	File      string  `json:"filename"`
	Offset    int64   `json:"offset"`
	Bytes     int64   `json:"bytes"`
	Seconds   float64 `json:"seconds"`
	Extractor string  `json:"extractor" doc:"that took most"`
	Link      string  `json:"link"`
}

// UnitRow is a unit of the run.
type UnitRow struct {
	// It is the number in the names of its shards.
	ID       int   `json:"id"`
	Archives int   `json:"archives"`
	Read     int64 `json:"bytes_read"`
	Records  int64 `json:"records"`
	Captures int64 `json:"captures"`
	Rejects  int64 `json:"rejects"`
}
