package view

import (
	"strings"
	"testing"
)

// TestSample_commands: a command never has the words of a sample as its filter.
func TestSample_commands(t *testing.T) {
	v, ctx := linkedViews(t, smallWeb...), as(t, Viewer)
	for _, r := range []SearchRequest{
		{Sample: "1%"}, {Sample: "1%", Query: "harbour"}, {Sample: "0.5", Lang: "fr"}, {Query: "words", Lang: "fr"},
	} {
		trends, err := v.Trends(ctx, TrendsRequest{SearchRequest: r, Terms: "bridge"})
		if err != nil {
			t.Fatal(err)
		}
		links, err := v.Links(ctx, LinksRequest{SearchRequest: r, URL: "http://b.example/"})
		if err != nil {
			t.Fatal(err)
		}
		graph, err := v.Graph(ctx, GraphRequest{SearchRequest: r})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(trends.Command, "--sample="+r.Sample) == (r.Sample != "") {
			t.Errorf("%+v: %s", r, trends.Command)
		}
		for name, command := range map[string]string{"links": links.Command, "graph": graph.Command} {
			if (command == "") != (r.Sample != "") {
				t.Errorf("%s of %+v: %q", name, r, command)
			}
		}
		for _, command := range []string{trends.Command, links.Command, graph.Command} {
			if strings.Contains(command, "million") || r.Query != "" && command != "" && !strings.Contains(command, r.Query) {
				t.Errorf("%+v: %s", r, command)
			}
		}
	}
}
