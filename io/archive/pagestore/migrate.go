package pagestore

import (
	"bytes"
	"fmt"
)

// Page is what a migration knows of a page.
type Page struct {
	ID       string
	Kind     string // one of the Kind constants, except for KindItem
	Language string // ISO 639-1
}

// Options of a migration.
type Options struct {
	// Page returns the known values of a line's page, or false. An error ends the migration.
	Page   func(e Entry) (Page, bool, error)
	Strict bool // drop invalid lines and lines of unknown pages, as the original does
}

// Counts counts lines of a migration.
type Counts struct {
	Lines    int `json:"lines"`              // readable
	Kept     int `json:"kept"`               // had five columns
	Enriched int `json:"enriched"`           // get five columns
	Joined   int `json:"joined,omitempty"`   // URL was on a line of its own
	Unknown  int `json:"unknown,omitempty"`  // page is unknown
	Bad      int `json:"bad,omitempty"`      // unreadable
	Dropped  int `json:"dropped,omitempty"`  // unknown or unreadable, and dropped
	Repeated int `json:"repeated,omitempty"` // another line further down has the same hash
}

// Add adds other counts.
func (c *Counts) Add(o Counts) {
	c.Lines += o.Lines
	c.Kept += o.Kept
	c.Enriched += o.Enriched
	c.Joined += o.Joined
	c.Unknown += o.Unknown
	c.Bad += o.Bad
	c.Dropped += o.Dropped
	c.Repeated += o.Repeated
}

// Migration is the result for a META file.
type Migration struct {
	Meta    []byte // new content; the old one if nothing changes
	Lines   []Line // of the new content
	Renames []Rename
	Counts  Counts
	Unknown []string // URLs of unknown pages
	Bad     []string // errors of unreadable lines
}

// Rename renames a folder to the hash of its page's URL.
type Rename struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Migrate writes the META file of a day in the form of revision 367. Lines of two columns get the values of o.Page. A
// URL on a line of its own is joined with its hash, which is computed again. Complete lines stay unchanged, so
// migrating again changes nothing.
func Migrate(meta []byte, o Options) (Migration, error) {
	var m Migration
	var out bytes.Buffer
	// The whole file comes first, to know which lines are repeated.
	last := newIndex(meta).last
	for e, err := range Entries(meta) {
		// Invalid lines stay, unless the options are strict.
		if err != nil {
			m.bad(&out, meta[e.Offset:e.Offset+e.Length], err, o.Strict)
			continue
		}
		// Counted and kept, because the programs write such lines themselves.
		if last[key(e.MD5)] != e.Offset {
			m.Counts.Repeated++
		}
		keep, err := m.line(e, o)
		if err != nil {
			return m, err
		}
		if keep {
			// Always with a newline alone.
			out.WriteString(m.Lines[len(m.Lines)-1].String() + "\n")
		}
	}
	m.Meta = out.Bytes()
	return m, nil
}

// bad counts an invalid line, and keeps it unless strict.
func (m *Migration) bad(out *bytes.Buffer, line []byte, err error, strict bool) {
	m.Counts.Bad++
	// The message quotes only a part: lines may be long and contain anything.
	m.Bad = append(m.Bad, fmt.Sprintf("%v: %.200q", err, line))
	if strict {
		m.Counts.Dropped++
		return
	}
	out.Write(bytes.TrimRight(line, "\r\n"))
	out.WriteByte('\n')
}

// line adds the new form of a line, and reports whether the line stays.
func (m *Migration) line(e Entry, o Options) (bool, error) {
	m.Counts.Lines++
	line, known := e.Line, e.Enriched()
	// Complete lines are not looked up, so that a second migration changes nothing.
	if known {
		m.Counts.Kept++
	} else {
		p, ok, err := o.Page(e)
		if err != nil {
			return false, fmt.Errorf("%s: %w", e.URL, err)
		}
		if known = ok; ok {
			m.Counts.Enriched++
			line.ID, line.Kind, line.Language = p.ID, p.Kind, p.Language
		}
	}
	if !known {
		m.Counts.Unknown++
		m.Unknown = append(m.Unknown, e.URL)
	}
	// The original drops them, which loses existing pages.
	if !known && o.Strict {
		m.Counts.Dropped++
		return false, nil
	}
	if e.Joined {
		m.Counts.Joined++
		// The old hash included the line end before the URL, which makes the folder impossible to find.
		line.MD5 = Hash(line.URL)
		if line.MD5 != e.MD5 {
			m.Renames = append(m.Renames, Rename{e.MD5, line.MD5})
		}
	}
	m.Lines = append(m.Lines, line)
	return true, nil
}

// MigrateItems migrates the META file of a feed's items to revision 367: lines of two columns get the feed's ID and
// language.
func MigrateItems(meta []byte, feed Line) (Migration, error) {
	p := Page{feed.ID, KindItem, feed.Language}
	return Migrate(meta, Options{Page: func(Entry) (Page, bool, error) { return p, true, nil }})
}
