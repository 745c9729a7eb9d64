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
	// Page returns the known values of a line's page; false if there are none. An error ends the migration.
	Page   func(e Entry) (Page, bool, error)
	Strict bool // lines of unknown pages, and those that cannot be read, are left out, as the original does
}

// Counts says what a migration does with lines.
type Counts struct {
	Lines    int `json:"lines"`              // those that can be read
	Kept     int `json:"kept"`               // they had five columns
	Enriched int `json:"enriched"`           // they get five columns
	Joined   int `json:"joined,omitempty"`   // their URLs stood on a line of their own
	Unknown  int `json:"unknown,omitempty"`  // nothing is known of their pages
	Bad      int `json:"bad,omitempty"`      // they cannot be read
	Dropped  int `json:"dropped,omitempty"`  // of the unknown and the bad
	Repeated int `json:"repeated,omitempty"` // there is another line of the same hash further down
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

// Migration is what becomes of a META file.
type Migration struct {
	Meta    []byte // the new content; that of before when nothing changes
	Lines   []Line // of the new content
	Renames []Rename
	Counts  Counts
	Unknown []string // URLs of which nothing is known
	Bad     []string // faults of the lines that cannot be read
}

// Rename is a folder that gets the name which its page's URL gives it.
type Rename struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Migrate writes the META file of a day in the form of revision 367. Lines of two columns get the values of o.Page, a
// URL on a line of its own is joined with its hash, which is computed again, and complete lines stay unchanged. A
// migrated file stays the same when it is migrated again.
func Migrate(meta []byte, o Options) (Migration, error) {
	var m Migration
	var out bytes.Buffer
	// Of the whole file, before the first line: only so is it known which lines are repeated.
	last := newIndex(meta).last
	for e, err := range Entries(meta) {
		// A line that cannot be read stays as it is, unless the options are strict.
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
			// With a newline alone, whatever the line had.
			out.WriteString(m.Lines[len(m.Lines)-1].String() + "\n")
		}
	}
	m.Meta = out.Bytes()
	return m, nil
}

// bad counts a line that cannot be read, and keeps it.
func (m *Migration) bad(out *bytes.Buffer, line []byte, err error, strict bool) {
	m.Counts.Bad++
	// The message holds the line in part: it may be long, or hold anything.
	m.Bad = append(m.Bad, fmt.Sprintf("%v: %.200q", err, line))
	if strict {
		m.Counts.Dropped++
		return
	}
	out.Write(bytes.TrimRight(line, "\r\n"))
	out.WriteByte('\n')
}

// line adds what becomes of a line, and reports whether there is something.
func (m *Migration) line(e Entry, o Options) (bool, error) {
	m.Counts.Lines++
	line, known := e.Line, e.Enriched()
	// Lines of five columns are not looked up, so that a second migration changes nothing.
	if known {
		m.Counts.Kept++
	} else {
		p, ok, err := o.Page(e)
		if err != nil {
			return false, fmt.Errorf("pagestore: %s: %w", e.URL, err)
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
	// The original drops them, which loses pages that are there.
	if !known && o.Strict {
		m.Counts.Dropped++
		return false, nil
	}
	if e.Joined {
		m.Counts.Joined++
		// The old hash included the line end before the URL, so that nobody finds the folder by its name.
		line.MD5 = Hash(line.URL)
		if line.MD5 != e.MD5 {
			m.Renames = append(m.Renames, Rename{e.MD5, line.MD5})
		}
	}
	m.Lines = append(m.Lines, line)
	return true, nil
}

// MigrateItems makes the META file of a feed's items as revision 367 has it: lines of two columns get the id and the
// language of the feed.
func MigrateItems(meta []byte, feed Line) (Migration, error) {
	p := Page{feed.ID, KindItem, feed.Language}
	return Migrate(meta, Options{Page: func(Entry) (Page, bool, error) { return p, true, nil }})
}
