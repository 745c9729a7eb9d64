package sourcedb

import (
	"fmt"
	"strconv"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// period is a time of captures whose pages have their own files. In the newest year with captures it is a month,
// year*100+month; in the years before it is a year, year*100; before these it is 0. A crawl covers a month or two, so
// it leaves most files as they are. Periods only depend on captures, so the files do not depend on the order of crawls.
type period int

// unknown is the period of shards by an earlier version, of any time.
const unknown period = -1

// yearsApart is how many years before the newest have their own files, which are read in parallel.
const yearsApart = 10

// monthOf returns the month of a time in Unix seconds.
func monthOf(t int64) period {
	year, month, _ := time.Unix(t, 0).UTC().Date()
	return period(year*100 + int(month))
}

// in returns the period of a month or year if newest is the newest year.
func (p period) in(newest int) period {
	switch year := int(p) / 100; {
	case year >= newest:
		return p
	case year >= newest-yearsApart:
		return period(year * 100)
	}
	return 0
}

// calendar computes the periods of times.
type calendar struct {
	newest   int
	is       period // of the last time
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

// name returns the beginning of the names of a period's files.
func (p period) name(kind string) string { return fmt.Sprintf("%s-%06d", kind, int(p)) }

var periodName = pattern.Lazy(`^[a-z]+-([0-9]{6})-[0-9]{5}-`)

// byPeriod returns shards of pages or redirects by period.
func byPeriod(list []schemas.Shard) map[period][]schemas.Shard {
	of := map[period][]schemas.Shard{}
	for _, s := range list {
		p := unknown
		if name := periodName().FindStringSubmatch(s.Name); name != nil {
			n, _ := strconv.Atoi(name[1]) // digits
			p = period(n)
		}
		of[p] = append(of[p], s)
	}
	return of
}
