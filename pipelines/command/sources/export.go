package sources

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/source/sourceindex"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// export writes the exports of the Source DB.
func (c config) export(ctx context.Context, f folder.Folder, m sourcedb.Manifest) error {
	// Files come first, because servers may be down.
	for _, e := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{c.opml, func(w io.Writer) error { return writeOPML(ctx, w, f, m) }},
		{c.frontier, func(w io.Writer) error { return writeFrontier(ctx, w, f, m) }},
		{c.cover, func(w io.Writer) error { return c.writeCover(ctx, w, f, m) }},
		{c.datastreamer, func(w io.Writer) error { return writeContent(ctx, w, f, m) }},
	} {
		if e.name == "" {
			continue
		}
		if err := whole(e.name, e.write); err != nil {
			return err
		}
	}
	// SQLite writes its own file, not as a stream.
	if c.sqlite != "" {
		path, _, err := dump.Target(c.sqlite) // checkExports refuses pipes and devices
		if err == nil {
			err = sourceindex.Write(ctx, f, m, path)
		}
		if err != nil {
			return err
		}
	}
	if c.postgres.Wanted() {
		if err := toPostgres(ctx, &c.postgres, f, m); err != nil {
			return err
		}
	}
	if c.hbase == "" {
		return nil
	}
	return toHBase(ctx, c.hbase, f, m)
}

// whole writes a local file that appears only when complete.
func whole(name string, write func(io.Writer) error) error {
	out, err := dump.CreateFile(name)
	if err != nil {
		return err
	}
	buf := bufio.NewWriter(out)
	if err := errors.Join(write(buf), buf.Flush()); err != nil {
		out.Abort()
		return err
	}
	return out.Close()
}

// outline is a feed of an OPML list, version 2.0.
type outline struct {
	Text     string `xml:"text,attr"`
	Title    string `xml:"title,attr,omitempty"`
	Type     string `xml:"type,attr"`
	XMLURL   string `xml:"xmlUrl,attr"`
	HTMLURL  string `xml:"htmlUrl,attr,omitempty"`
	Language string `xml:"language,attr,omitempty"`
}

// writeOPML streams the valid sources that are the main ones of their sites.
func writeOPML(ctx context.Context, w io.Writer, f folder.Folder, m sourcedb.Manifest) error {
	head := xml.Header + "<opml version=\"2.0\">\n<head><title>Sources</title><dateCreated>" + opmlDate(m.AsOf) +
		"</dateCreated></head>\n<body>\n"
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	for s, err := range sourcedb.Sources(ctx, f, m) {
		if err != nil {
			return err
		}
		if s.Verdict != source.Valid || s.Class != source.ClassMain || s.SameAs != nil || !s.IsFeed() {
			continue
		}
		// Marshal escapes titles.
		line, err := xml.Marshal(struct {
			XMLName xml.Name `xml:"outline"`
			outline
		}{outline: outline{
			// OPML 2.0 requires text, and for subscription lists type and xmlUrl. Atom feeds have type rss too.
			Text: cmp.Or(s.Title, s.URL), Title: s.Title, Type: "rss", XMLURL: s.URL, HTMLURL: s.Link, Language: s.Language,
		}})
		if err == nil {
			_, err = w.Write(append(line, '\n'))
		}
		if err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "</body>\n</opml>\n")
	return err
}

// opmlDate formats a time by RFC 822, as OPML requires.
func opmlDate(asOf string) string {
	t, err := time.Parse(time.RFC3339, asOf)
	if err != nil {
		return ""
	}
	// OPML 2.0 prefers four-digit years.
	return t.Format(time.RFC1123Z)
}

// Visit is a line of the frontier.
type Visit struct {
	URL      string        `json:"url"`
	Type     string        `json:"type,omitempty"` // rss, atom, sitemap …, or empty if unknown
	Next     string        `json:"next"`
	Interval schemas.Float `json:"interval"` // hours
	Priority schemas.Float `json:"priority"` // expected number of new items at that time
	Verdict  string        `json:"verdict"`
}

// writeFrontier writes the sources to visit, sorted by time and priority, without rejected and gone ones. It holds
// some 200 bytes for each in memory.
func writeFrontier(ctx context.Context, w io.Writer, f folder.Folder, m sourcedb.Manifest) error {
	var visits []Visit
	for s, err := range sourcedb.Sources(ctx, f, m) {
		if err != nil {
			return err
		}
		// Undecided sources are included, since only more captures can decide them.
		if s.Verdict == source.Rejected || s.Health.State == source.Gone || s.SameAs != nil {
			continue
		}
		// Items per day times hours, divided by 24.
		expected := float64(s.Refresh.Rate) * float64(s.Refresh.Interval) / 24
		visits = append(visits, Visit{
			URL: s.URL, Type: s.Type, Next: s.Refresh.Next, Interval: s.Refresh.Interval, Verdict: s.Verdict,
			// More than three decimals would be noise.
			Priority: schemas.Float(float64(int64(expected*1000+0.5)) / 1000),
		})
	}
	// RFC 3339 times in UTC sort as text. The URL makes the order unique.
	slices.SortFunc(visits, func(a, b Visit) int {
		return cmp.Or(cmp.Compare(a.Next, b.Next), cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.URL, b.URL))
	})
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	for _, v := range visits {
		if err := lines.Encode(v); err != nil {
			return err
		}
	}
	return nil
}

// writeCover writes a line for each site, about the feeds that lead to its pages.
func (c config) writeCover(ctx context.Context, w io.Writer, f folder.Folder, m sourcedb.Manifest) error {
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	o := sourcedb.SortOptions{MemoryBytes: int(c.options.Memory)}
	return sourcedb.Covers(ctx, f, m, o, func(one sourcedb.Cover) error { return lines.Encode(one) })
}
