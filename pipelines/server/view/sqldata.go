package view

import "strings"

// SQLRequest is a request for the rows of a statement of SQLite.
type SQLRequest struct {
	Collection string `json:"collection,omitempty" query:"collection" maxLength:"200" doc:"the first one without it"`
	Statement  string `json:"sql,omitempty" query:"sql" maxLength:"20000" doc:"of SQLite, one"`
	First      int    `json:"first,omitempty" query:"first" minimum:"1" maximum:"1000000" doc:"number of a row"`
}

// SQLFileRequest is a request for all rows of a statement as a file.
type SQLFileRequest struct {
	SQLRequest
	Format string `json:"format,omitempty" query:"format" enum:"csv,csv-bom,jsonl,parquet" doc:"csv without it"`
}

// SQL has the rows of a statement.
type SQL struct {
	Answer
	Request SQLRequest  `json:"request"`
	Columns []SQLColumn `json:"columns"`
	Rows    [][]any     `json:"rows" doc:"a list a row, in the order of the columns: text, number or null"`
	First   int         `json:"first" doc:"number of the first of these rows, from 1"`
	Total   int         `json:"total" doc:"rows of the statement, or the first of them where cut is set"`
	Cut     bool        `json:"cut,omitempty" doc:"there are more rows than are shown: a file has them all"`
	Notes   []string    `json:"notes,omitempty" doc:"sentences: why the answer may be empty, and what is estimated"`
	// These are other ways to the same rows.
	Command      string     `json:"command,omitempty" doc:"the same rows, for a POSIX shell"`
	API          string     `json:"api,omitempty" doc:"path of this server"`
	Downloads    []Download `json:"downloads,omitempty"`
	NextLink     string     `json:"next_link,omitempty"`
	PreviousLink string     `json:"previous_link,omitempty"`

	// These help to write a statement.
	Examples []SQLExample `json:"examples,omitempty"`
	Tables   []SQLTable   `json:"tables,omitempty"`
	Limits   string       `json:"limits" doc:"of statements, as a sentence"`

	// All are all rows that pages lead to, which a chart shows. Error is why the statement has no answer.
	All   [][]any `json:"-"`
	Error *Error  `json:"-"`
}

// Wrong returns the line of the statement that has the mistake, or "".
func (s *SQL) Wrong() string {
	if s.Error == nil || s.Error.Line == 0 {
		return ""
	}
	lines := strings.Split(s.Request.Statement, "\n")
	return lines[min(s.Error.Line, len(lines))-1]
}

// Last returns the number of the last of the rows.
func (s *SQL) Last() int { return s.First + len(s.Rows) - 1 }

// SQLColumn is a column of the answer.
type SQLColumn struct {
	Name   string `json:"name"`
	Number bool   `json:"number" doc:"each value is a number or null"`
}

// SQLExample is a statement with what it finds.
type SQLExample struct {
	Statement string `json:"sql"`
	Finds     string `json:"finds"`
	Link      string `json:"link"`
}

// SQLTable is a table that a statement can read.
type SQLTable struct {
	Name    string           `json:"name"`
	Row     string           `json:"row" doc:"what a row is"`
	Needs   string           `json:"needs,omitempty" doc:"flags of ingest, without which it is empty or an error"`
	Filter  bool             `json:"filter" doc:"it takes a filter: documents('language = fr')"`
	Columns []SQLTableColumn `json:"columns"`
}

// SQLTableColumn is a column of a table.
type SQLTableColumn struct {
	Name string `json:"name"`
	Type string `json:"type" doc:"text, time, integer, real, 0 or 1, JSON, any"`
	Text string `json:"text,omitempty"`
}

// sqlExamples are statements that people change. Each runs on every collection.
var sqlExamples = []SQLExample{
	{
		Statement: "select substr(timestamp, 1, 4) as year, count(*) as captures, count(distinct surt) as pages\n" +
			"from documents where timestamp is not null group by year order by year",
		Finds: "captures and pages by year, as lines",
	},
	{
		Statement: "select host, captures, pages, bytes, first, last from hosts order by captures desc limit 20",
		Finds:     "the largest hosts",
	},
	{
		Statement: "select mime_detected, count(*) as captures, median(length) as median_bytes,\n" +
			"  quantile(length, .9) as large_bytes\nfrom documents group by mime_detected order by captures desc limit 20",
		Finds: "media types with the usual and a large size of their records",
	},
	{
		Statement: "select text, type, count(distinct surt) as pages, sum(count) as mentions\n" +
			"from entities group by text, type order by pages desc limit 50",
		Finds: "names by the number of pages that have them",
	},
	{
		Statement: "select url, title, timestamp from documents('language = en AND title:*')\n" +
			"order by timestamp desc limit 100",
		Finds: "captures that a filter of the query language chooses",
	},
	{
		Statement: "select surt, count(*) as captures, count(distinct digest) as versions, min(timestamp) as first,\n" +
			"  max(timestamp) as last\nfrom documents where surt is not null group by surt order by versions desc limit 50",
		Finds: "pages that changed most often",
	},
}

// rowsOf are what a row of each table is.
var rowsOf = map[string]string{
	"documents": "capture", "entities": "entity of a capture", "custom": "value of a custom column", "hosts": "host",
	"links": "link of a page", "feeds": "feed that a capture is or announces", "sources": "source",
}

// needs are the flags of ingest that tables need.
var needs = map[string]string{
	"links": "ingest --extract=links --format=links", "feeds": "ingest --extract=feeds",
}
