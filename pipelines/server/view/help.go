package view

import (
	"context"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// HelpPath is the page that explains the query language.
const HelpPath = "/help"

// HelpRequest asks for the query language.
type HelpRequest struct{}

// Help explains the query language: examples, and the fields that a query can name.
type Help struct {
	Examples []Example    `json:"examples"`
	Fields   []QueryField `json:"fields"`
}

// Example is a query with what it finds.
type Example struct {
	Query string `json:"query"`
	Finds string `json:"finds"`
	Link  string `json:"link,omitempty" doc:"the search in the first collection"`
}

// QueryField is a field that a query can name.
type QueryField struct {
	Name string `json:"name"`
	Kind string `json:"kind" doc:"text, number, yes or no, time"`
	Text string `json:"text,omitempty"`
}

// examples are of each form that a query may have.
var examples = []Example{
	{Query: "harbour bridge", Finds: "captures with both words in their text or title; case and accents do not matter"},
	{Query: `"bridges"`, Finds: "this form of the word only: without quotation marks, its other forms are found too"},
	{Query: `"swing bridge"`, Finds: "the words next to each other, in this order"},
	{Query: "bridg*", Finds: "words that begin with these letters"},
	{Query: "bridge -railway", Finds: "the first word without the second"},
	{Query: "bridge OR ferry", Finds: "one of the words"},
	{Query: "language = fr AND mime:pdf", Finds: "PDFs in French: = compares the whole value, : finds a part of it"},
	{Query: "host = *.example.org", Finds: "hosts below a domain"},
	{Query: `url = "http://example.org/a?b=1"`, Finds: "a value with signs, in quotation marks"},
	{Query: `timestamp >= "2024-01-01" timestamp < "2025-01-01"`, Finds: "captures of a year"},
	{Query: "status >= 400", Finds: "pages that the server did not have"},
	{Query: "entities.text = Paris", Finds: "pages that name the place"},
	{Query: "NOT title:*", Finds: "captures without a title"},
}

// kindNames are what people call kinds of values.
var kindNames = map[query.Kind]string{
	query.String: "text", query.Integer: "number", query.Real: "number", query.Boolean: "yes or no", query.Time: "time",
}

// Help explains the query language, with links to searches in the first collection, if there is one.
func (v *Views) Help(ctx context.Context, _ HelpRequest) (*Help, error) {
	if err := Need(ctx, Viewer); err != nil {
		return nil, err
	}
	h := &Help{Examples: slices.Clone(examples), Fields: []QueryField{}}
	if c := v.shelf.Find(""); c != nil {
		for i, e := range h.Examples {
			h.Examples[i].Link = SearchRequest{Collection: c.Name(), Query: e.Query}.link()
		}
	}
	texts := map[string]string{}
	describe(texts, "", schemas.Columns())
	for _, f := range query.Fields() {
		if kind := kindNames[f.Kind]; kind != "" {
			h.Fields = append(h.Fields, QueryField{Name: f.Name, Kind: kind, Text: texts[f.Name]})
		}
	}
	return h, nil
}

// describe collects what fields say, by their paths.
func describe(texts map[string]string, before string, columns []schemas.Column) {
	for _, c := range columns {
		texts[before+c.Name] = c.Text
		describe(texts, before+c.Name+".", c.Columns)
	}
}
