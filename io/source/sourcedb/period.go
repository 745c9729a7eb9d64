package sourcedb

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// period is a time of captures whose pages are in files of their own: year*100+month of the newest year that there
// are captures of, year*100 of one of the years before it, 0 for all before these. A crawl is of a month or two, so
// that it leaves the pages of all others as they are, which are most. Periods follow from the captures alone, so that
// the files are the same in whatever order crawls come.
type period int

// unknown is that of shards which an earlier version has written, of any time.
const unknown period = -1

// yearsApart is how many years before the newest one have files of their own: so many more are read side by side.
const yearsApart = 10

// monthOf is the month of a time in Unix seconds.
func monthOf(t int64) period {
	year, month, _ := time.Unix(t, 0).UTC().Date()
	return period(year*100 + int(month))
}

// in is the period that a month belongs to when the newest captures are of a year, and so a year that was a period.
func (p period) in(newest int) period {
	switch year := int(p) / 100; {
	case year >= newest:
		return p
	case year >= newest-yearsApart:
		return period(year * 100)
	}
	return 0
}

// calendar tells the periods of times.
type calendar struct {
	newest   int
	is       period // of the time that was asked for last
	from, to int64  // its month
}

func (c *calendar) of(t int64) period {
	if t < c.from || t >= c.to {
		year, month, _ := time.Unix(t, 0).UTC().Date()
		first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
		c.is, c.from, c.to = monthOf(t).in(c.newest), first.Unix(), first.AddDate(0, 1, 0).Unix()
	}
	return c.is
}

// name is the beginning of the names of a period's files.
func (p period) name(kind string) string { return fmt.Sprintf("%s-%06d", kind, int(p)) }

var periodName = regexp.MustCompile(`^[a-z]+-([0-9]{6})-[0-9]{5}-`)

// byPeriod are shards of pages or redirects by their periods.
func byPeriod(list []schemas.Shard) map[period][]schemas.Shard {
	of := map[period][]schemas.Shard{}
	for _, s := range list {
		p := unknown
		if name := periodName.FindStringSubmatch(s.Name); name != nil {
			n, _ := strconv.Atoi(name[1]) // digits
			p = period(n)
		}
		of[p] = append(of[p], s)
	}
	return of
}
