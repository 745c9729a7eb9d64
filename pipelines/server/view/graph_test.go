package view

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/derived/linkgraph"
)

// edgesOf returns the edges of a graph as texts, and checks that each leads to as many links.
func edgesOf(t *testing.T, v *Views, g *HostGraph) (list []string) {
	t.Helper()
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	for _, l := range g.Lines {
		list = append(list, fmt.Sprintf("%s %s %d", g.Nodes[l.From].Host, g.Nodes[l.To].Host, l.Links))
		_, text, _ := strings.Cut(l.Link, "?")
		values, err := url.ParseQuery(text)
		if err != nil {
			t.Fatal(err)
		}
		var r LinksRequest
		if err := Decode(values, &r); err != nil {
			t.Fatal(err)
		}
		if links, err := v.Links(ctx, r); err != nil || links.Links != l.Links || int64(len(links.Rows)) != l.Links {
			t.Errorf("%s leads to %d links in %d rows, want %d: %v", l.Link, links.Links, len(links.Rows), l.Links, err)
		}
	}
	slices.Sort(list)
	return list
}

// TestGraph: the graph of a collection and of searches, by place, with few hosts, and without any.
func TestGraph(t *testing.T) {
	v := linkedViews(t, smallWeb...)
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	all := []string{
		"a.example b.example 3", "a.example only.example 1", "a.example xn--mnchen-3ya.example 1", "b.example a.example 2",
		"c.example www.b.example 1",
	}
	for _, c := range []struct {
		name  string
		r     GraphRequest
		hosts int
		want  []string
	}{
		{"all", GraphRequest{}, 6, all},
		{"by harmonic centrality", GraphRequest{Rank: "harmonic", Sort: "language"}, 6, all},
		{"two hosts", GraphRequest{Shown: 2}, 6, []string{"a.example b.example 3", "b.example a.example 2"}},
		{"main text", GraphRequest{Place: "main"}, 6, all},
		{"other place", GraphRequest{Place: "other"}, 0, nil},
		{"a language", GraphRequest{SearchRequest: SearchRequest{Lang: "fr"}}, 4, []string{
			"b.example a.example 2", "c.example www.b.example 1",
		}},
		{"a year", GraphRequest{SearchRequest: SearchRequest{Year: "2020"}}, 2, []string{"a.example b.example 1"}},
		{"nothing", GraphRequest{SearchRequest: SearchRequest{Query: "host = nobody"}}, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := v.Graph(ctx, c.r)
			if err != nil {
				t.Fatal(err)
			}
			if got := edgesOf(t, v, g); g.Hosts != c.hosts || !slices.Equal(got, c.want) {
				t.Errorf("%d hosts, edges %q; want %d, %q", g.Hosts, got, c.hosts, c.want)
			}
			again, err := v.Graph(ctx, c.r)
			if err != nil || !slices.Equal(again.Nodes, g.Nodes) {
				t.Errorf("another picture the second time: %v", err)
			}
		})
	}
	for search, r := range map[string]SearchRequest{"lang=fr": {Lang: "fr"}, "query=words": {Query: "words"}} {
		narrow, err := v.Graph(ctx, GraphRequest{SearchRequest: r})
		if err != nil || len(narrow.Rows) == 0 {
			t.Fatal(search, err)
		}
		for _, h := range narrow.Rows {
			// The page of a host counts all its captures, and the table those of the search.
			if h.Captures > 0 && (!strings.Contains(h.Link, search) || !strings.Contains(h.Link, "host="+h.Host)) {
				t.Errorf("of a search, %s leads to %s", h.Host, h.Link)
			}
		}
	}
	g, err := v.Graph(ctx, GraphRequest{Sort: "host"})
	if err != nil {
		t.Fatal(err)
	}
	a := g.Rows[0]
	if a.Host != "a.example" || a.Out != 3 || a.In != 1 || a.LinksOut != 5 || a.Pages != 1 || a.Captures != 2 ||
		a.FirstYear != 2020 || a.LastYear != 2021 || a.Language != "en" {
		t.Errorf("the row of a host: %+v", a)
	}
	if only := g.Rows[3]; only.Host != "only.example" || only.Pages != 0 ||
		!strings.Contains(only.Link, "to_host=only.example") {
		t.Errorf("a host without captures: %+v", only)
	}
	without := pagesWith(t, "words")
	if g, err := without.Graph(ctx, GraphRequest{}); err != nil || g.Missing == nil || g.Missing.Command == "" {
		t.Errorf("a collection without links: %+v, %v", g, err)
	}
	var e *Error
	if _, err := v.Graph(t.Context(), GraphRequest{}); !errors.As(err, &e) || e.Kind != LoggedOut {
		t.Errorf("without an account: %v", err)
	}
}

// TestGraphFile: files have the bytes that a builder makes of all links, as the command graph does.
func TestGraphFile(t *testing.T) {
	v := linkedViews(t, smallWeb...)
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	for _, format := range []string{"gexf", "graphml", "csv"} {
		e, err := v.GraphFile(ctx, GraphFileRequest{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		var got, want bytes.Buffer
		if _, err := e.Write(ctx, &got); err != nil {
			t.Fatal(err)
		}
		e.Close()
		b := linkgraph.NewBuilder(linkgraph.Options{})
		now, release, ok := v.shelf.Find("").Hold()
		if !ok {
			t.Fatal("no snapshot")
		}
		for l, err := range now.Part.Links(ctx) {
			if err == nil {
				err = b.Add(&l)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		release()
		for _, h := range []struct {
			name  string
			about linkgraph.Host
		}{
			{"a.example", linkgraph.Host{Pages: 1, Captures: 2, First: 2020, Last: 2021, Language: "en"}},
			{"b.example", linkgraph.Host{Pages: 1, Captures: 1, First: 2021, Last: 2021, Language: "fr"}},
			{"c.example", linkgraph.Host{Pages: 1, Captures: 1, First: 2022, Last: 2022, Language: "fr"}},
		} {
			b.Describe(h.name, h.about)
		}
		g, err := b.Hosts()
		if err == nil {
			err = g.WriteAs(&want, format)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() || got.Len() == 0 {
			t.Errorf("%s: got\n%s\nwant\n%s", format, &got, &want)
		}
	}
}

// TestGraph_many: the graph of 10,000 hosts is made in a bounded time, and the picture stays small.
func TestGraph_many(t *testing.T) {
	const n = 10_000
	var captures []linkedCapture
	for i := range n {
		c := linkedCapture{url: fmt.Sprintf("http://h%d.example/", i), time: "2020-01-01T00:00:00Z", language: "en"}
		for k := range 6 {
			c.links = append(c.links, fmt.Sprintf("http://h%d.example/ %d", (i*7+k*k*31)%n, k))
		}
		captures = append(captures, c)
	}
	v := linkedViews(t, captures...)
	ctx := WithActor(t.Context(), Actor{Role: Viewer})
	start := time.Now()
	for {
		_, err := v.Links(ctx, LinksRequest{URL: captures[0].url}) // waits a while for the index
		if err == nil {
			break
		}
		if time.Since(start) > time.Minute {
			t.Fatal(err)
		}
	}
	start = time.Now()
	g, err := v.Graph(ctx, GraphRequest{Shown: 1000})
	if err != nil || g.Hosts != n || len(g.Nodes) != 1000 || len(g.Lines) > 3000 || len(g.Rows) != standardRows {
		t.Fatalf("%d hosts, %d nodes, %d lines, %d rows: %v", g.Hosts, len(g.Nodes), len(g.Lines), len(g.Rows), err)
	}
	t.Logf("%d hosts, %d edges: %v", g.Hosts, g.Edges, time.Since(start))
}
