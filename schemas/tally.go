package schemas

import "strconv"

// None is the name for documents without the counted value: a date, a status, a page type. The parentheses keep it
// apart from whatever an archive says.
const None = "(none)"

// Document counts a written document by its values. Captures are counted apart, by [Counts.Capture], since there may be
// no document of one.
func (c *Counts) Document(d *Document) {
	c.Documents++
	c.TemplateBlocks += int64(d.TemplateBlocks)
	if d.Text != "" {
		c.Texts++
	}
	for _, by := range c.tallies(d) {
		Count(by.counts, by.key, 1)
	}
}

// SetDocuments replaces the counts of documents by those of another Tally, for example when pages were taken down and
// the remaining documents were counted again.
func (c *Counts) SetDocuments(o Counts) {
	c.Documents, c.TemplateBlocks, c.Texts = o.Documents, o.TemplateBlocks, o.Texts
	c.ByMIME, c.ByLang, c.ByYear, c.ByStatus, c.ByPageType = o.ByMIME, o.ByLang, o.ByYear, o.ByStatus, o.ByPageType
}

// tally is a name that a document is counted under, and the counts that have it.
type tally struct {
	counts *map[string]int64
	key    string
}

// tallies are all that a document is counted under.
func (c *Counts) tallies(d *Document) []tally {
	list := []tally{
		{&c.ByMIME, orNamed(d.MIMEDetected, "unknown")},
		{&c.ByYear, yearOf(d.Timestamp)},
		{&c.ByStatus, statusOf(d.Status)},
		{&c.ByPageType, orNamed(d.PageType, None)},
	}
	if d.Language != "" {
		list = append(list, tally{&c.ByLang, d.Language})
	}
	return list
}

func orNamed(value, name string) string {
	if value == "" {
		return name
	}
	return value
}

// yearOf is the year of a timestamp of RFC 3339, whose first four characters it is.
func yearOf(timestamp string) string {
	if len(timestamp) < len("2006-") || timestamp[4] != '-' {
		return None
	}
	return timestamp[:4]
}

// statusOf is an HTTP status as text. Records without an exchange have none.
func statusOf(status int) string {
	if status == 0 {
		return None
	}
	return strconv.Itoa(status)
}
