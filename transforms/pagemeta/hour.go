package pagemeta

import (
	"strconv"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// apart is the last part of a time of day after a whole date, such as 10 h 30, 10 Uhr or 10 am.
type apart uint8

const (
	nothingApart apart = iota
	hourApart          // its word must follow
	wordApart          // minutes may follow
)

// hourApart begins such a time with a number.
func (p *parts) hourApart(f string, n int) bool {
	if p.strict || p.hasTime || len(f) > 2 || p.year == 0 || p.month == 0 || p.day == 0 {
		return false
	}
	p.hour, p.apart = n, hourApart
	return true
}

// fieldApart reads the next field of such a time. It is not done if the field belongs to something else.
func (p *parts) fieldApart(f string) (done, ok bool) {
	before := p.apart
	p.apart = nothingApart
	if before == hourApart {
		p.hasTime, p.clocked = true, true
		if cldr.IsHour(f) {
			p.apart = wordApart
			return true, true
		}
		return true, p.meridiem(f, true)
	}
	n, err := strconv.Atoi(f)
	if err != nil || len(f) != 2 {
		return false, false
	}
	p.minute = n
	return true, true
}
