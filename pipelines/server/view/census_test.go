package view

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// namingPages are a hundred captures. Every second names Ann Lee in one of two spellings. Every fifth names Wrenmouth,
// a phone number and an organization.
func namingPages(t *testing.T) *Views {
	t.Helper()
	return pagesOf(t, nil, func(i int, d *schemas.Document) {
		d.SURT = fmt.Sprintf("org,example)/%d", i/2*2) // two versions each
		if i%2 == 0 {
			text := "Ann Lee"
			if i%4 == 0 {
				text = "ANN LEE"
			}
			d.Entities = append(d.Entities, schemas.Entity{Type: "person", Text: text, ID: "Q1", Count: 3})
		}
		if i%5 == 0 {
			d.Host = "b.example"
			d.Entities = append(d.Entities, schemas.Entity{Type: "place", Text: "Wrenmouth"},
				schemas.Entity{Type: "phone", Text: "+44 1", ID: "+441"},
				schemas.Entity{Type: "organization", Text: "Harbour Trust"})
		}
	})
}

// TestEntities: identities are counted once for each page that names them, however they are written.
func TestEntities(t *testing.T) {
	v := namingPages(t)
	ctx := as(t, Viewer)
	for _, tt := range []struct {
		name  string
		r     EntitiesRequest
		want  string
		left  int64
		types string
	}{
		{"the common types", EntitiesRequest{}, "person ANN LEE 50/150|organization Harbour Trust 20/20|place Wrenmouth " +
			"20/20", 0, ""},
		{"one type", EntitiesRequest{Type: "phone"}, "phone +44 1 20/20", 0, "phone"},
		{"a name of any type", EntitiesRequest{Find: "+44"}, "phone +44 1 20/20", 0, ""},
		{"the other spelling", EntitiesRequest{Find: "ann lee"}, "person ANN LEE 50/150", 0, ""},
		{"a name and a type", EntitiesRequest{Find: "wren", Type: "place"}, "place Wrenmouth 20/20", 0, "place"},
		{"nothing", EntitiesRequest{Find: "nobody"}, "", 0, ""},
		{"no such type", EntitiesRequest{Type: "planet"}, "", 0, ""},
		{"a page", EntitiesRequest{Limit: 1}, "person ANN LEE 50/150", 2, ""},
		{"the next page", EntitiesRequest{Limit: 1, Cursor: cursorAt(1)}, "organization Harbour Trust 20/20", 1, ""},
		{"after the last page", EntitiesRequest{Cursor: cursorAt(9)}, "", 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := v.Entities(ctx, tt.r)
			if err != nil {
				t.Fatal(err)
			}
			var rows []string
			for _, r := range got.Entities {
				rows = append(rows, fmt.Sprintf("%s %s %d/%d", r.Type, r.Text, r.Addresses, r.Mentions))
			}
			if list := strings.Join(rows, "|"); list != tt.want || got.Left != tt.left || (got.Next != "") != (tt.left > 0) {
				t.Errorf("%s, %d left, next %q; want %s, %d left", list, got.Left, got.Next, tt.want, tt.left)
			}
			if got.Captures != 60 || len(got.Types) != 4 || len(got.Counts) != 4 || got.Partial != "" {
				t.Errorf("%d captures, types %+v", got.Captures, got.Types)
			}
			for _, c := range got.Types {
				if c.Selected != (c.Value == tt.types) || strings.Contains(c.Link, "type="+c.Value) == c.Selected {
					t.Errorf("the type %+v", c)
				}
			}
		})
	}
	if _, err := v.Entities(ctx, EntitiesRequest{Cursor: "x"}); !isInvalid(err, "cursor") {
		t.Errorf("a cursor that cannot be read: %v", err)
	}
	if _, err := v.Entities(ctx, EntitiesRequest{Collection: "other"}); !isKind(err, NotFound) {
		t.Errorf("another collection: %v", err)
	}
}

// TestIdentity_bounds: an identity keeps a few names and hosts, and counts all mentions.
func TestIdentity_bounds(t *testing.T) {
	one := &identity{names: map[string]int64{}, hosts: map[string]int64{}, kinds: map[string]int64{}}
	for i := range 100 {
		one.add(schemas.Entity{Text: fmt.Sprintf("name %02d", i%50), Count: i % 3}, fmt.Sprintf("host %d", i), i%2 == 0)
	}
	if len(one.names) != maxVariants || len(one.hosts) != maxHostsKept || one.mentions != 133 {
		t.Errorf("%d names, %d hosts, %d mentions", len(one.names), len(one.hosts), one.mentions)
	}
	one.add(schemas.Entity{Text: "name 03"}, "host 0", true)
	if r := one.row("c", ""); r.Text != "name 03" || r.Host != "host 0" || len(r.Also) != maxVariants-1 {
		t.Errorf("%+v, want the most frequent name and host", r)
	}
}

// TestHosts: hosts are listed in pages, those with most captures first, and any part of a name finds them.
func TestHosts(t *testing.T) {
	v := pagesOf(t, nil, func(i int, d *schemas.Document) {
		d.Host = fmt.Sprintf("h%d.example", i%7)
		if i >= 90 {
			d.Host = ""
		}
	})
	ctx := as(t, Viewer)
	for _, tt := range []struct {
		r           HostsRequest
		first       int64
		total, rows int
	}{
		{HostsRequest{}, 1, 7, 7},
		{HostsRequest{Limit: 3}, 1, 7, 3},
		{HostsRequest{Limit: 3, Cursor: cursorAt(6)}, 7, 7, 1},
		{HostsRequest{Find: "H3"}, 1, 1, 1},
		{HostsRequest{Find: "example"}, 1, 7, 7},
		{HostsRequest{Find: "*"}, 0, 0, 0},
	} {
		got, err := v.Hosts(ctx, tt.r)
		if err != nil || got.First != tt.first || got.Total != int64(tt.total) || len(got.Hosts) != tt.rows ||
			got.Captures != 100 {
			t.Errorf("%+v: %+v, %v", tt.r, got, err)
		}
		for _, h := range got.Hosts {
			one, err := v.Host(ctx, HostRequest{Host: h.Value})
			if err != nil || one.Captures != h.Count || one.Time.Unit != "month" || len(one.Pages) > pagesOfHost {
				t.Errorf("%s has %d captures, and its page %+v, %v", h.Value, h.Count, one, err)
			}
		}
	}
	for _, host := range []string{"other.example", "h*.example", `h\*.example`, "h1.example OR h2.example"} {
		if one, err := v.Host(ctx, HostRequest{Host: host}); !isKind(err, NotFound) {
			t.Errorf("the host %q: %+v, %v", host, one, err)
		}
	}
}

// TestEntities_links: the link of a row finds its pages, with all signs in the name.
func TestEntities_links(t *testing.T) {
	names := []string{"E*TRADE", "M*A*S*H", `Yahoo\Europe`, `a\*b`, "*", "Ann Lee"}
	v := pagesOf(t, nil, func(i int, d *schemas.Document) {
		d.Entities = []schemas.Entity{{Type: "organization", Text: names[i%len(names)]}}
	})
	list, err := v.Entities(as(t, Viewer), EntitiesRequest{})
	if err != nil || len(list.Entities) != len(names) {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, row := range list.Entities {
		link, err := url.Parse(row.Link)
		if err != nil {
			t.Fatal(err)
		}
		values := link.Query()
		s, err := v.Search(as(t, Viewer), SearchRequest{Entity: values.Get("entity"), Query: values.Get("query")})
		if err != nil || s.Total != row.Addresses {
			t.Errorf("%s: %+v, %v; want %d pages", row.Link, s, err, row.Addresses)
		}
	}
}
