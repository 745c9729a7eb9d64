package page

import (
	"errors"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// TestRender_words fills pages that are nearly empty in other tests: the compiler does not check the fields that a
// template names. Text from outside is escaped.
func TestRender_words(t *testing.T) {
	const evil = `<b onclick="x()">`
	job := view.JobRow{
		Number: 3, Title: evil, State: "running", Brief: evil, By: evil, Created: "2026-11-23T22:04:00Z", Share: .5,
		Progress: evil, Error: evil, Command: evil, Link: "/jobs/3", Cancel: "/jobs/3/cancel", Repeat: "/jobs/new?from=3",
	}
	for _, c := range []struct {
		name string
		data any
		want string
	}{
		{"entities", &view.Entities{
			Names: 2, Types: []view.Choice{{Label: evil, Link: "/x"}}, Counts: []int64{2}, Max: 5, Partial: evil,
			Entities: []view.EntityRow{{Text: evil, Also: []string{evil}, Type: evil, Addresses: 5, Host: evil, Link: "/x"}},
		}, "also"},
		{
			"datasets", &view.Datasets{Datasets: []view.Dataset{{Name: evil, Query: evil, Link: "/x", Repeat: "/y"}}},
			"Edit and run again",
		},
		{"jobs", &view.Jobs{Jobs: []view.JobRow{job}, Forms: []view.Choice{{Label: evil, Link: "/x"}}, Live: true}, "Cancel"},
		{"job", &view.JobOne{JobRow: job, Log: evil, LogCut: true}, "50.0%"},
		{"form", &view.Form{
			Verb: "ingest", Verbs: []view.Choice{{Label: evil, Link: "/x"}}, Error: evil, Root: evil, Command: evil,
			Inputs: []view.Input{
				{Name: "a", Kind: "lines", Value: evil, Help: evil, Error: evil, Line: 2},
				{Name: "b", Kind: "switch", Value: "true"},
				{Name: "c", Kind: "choice", Choices: []view.Choice{{Value: evil, Label: evil, Selected: true}}},
				{Name: "d", Kind: "choices", Choices: []view.Choice{{Value: evil, Label: evil}}},
				{Name: "e", Kind: "number", More: true},
			},
		}, "Line 2:"},
		{"collections", &view.Collections{Collections: []view.CollectionRow{{Name: "x", Link: "/x"}}}, "empty"},
		{"error", &view.Error{
			Title: evil, Detail: evil, Remedy: evil, Value: "ab(", Column: 3, Retry: 5,
			Near: []view.Capture{{
				URL: evil, Link: "/x", Title: evil,
			}},
		}, "  ^"},
		{"login", Login{Error: evil, Name: evil, Next: evil}, "Password"},
		{"source", &view.SourceOne{
			Checks: []view.Check{{Name: evil, Result: "failed", Found: evil}}, Pieces: []view.Item{{URL: evil, Title: evil}},
			Entities: []view.Named{{Text: evil, Link: "/x"}}, Statuses: []int{200}, Aliases: []view.Link{{URL: evil}},
			Template: evil,
		}, "failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := Render(view.Frame{Collection: "x", Collections: []string{"x", "y"}, Flash: evil, Query: evil}, c.data)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text, "<b onclick") || strings.Contains(text, "ZgotmplZ") {
				t.Error("a word became markup, or the template does not know what it is in")
			}
			if !strings.Contains(text, c.want) {
				t.Errorf("the page lacks %q", c.want)
			}
		})
	}
	if _, err := Render(view.Frame{}, 7); !errors.Is(err, ErrNoPage) {
		t.Errorf("the page of a number: %v", err)
	}
}
