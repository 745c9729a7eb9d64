package page

import (
	"strconv"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// weeks lays out a month as rows of seven days from Monday to Sunday. Cells outside of the month are nil.
func weeks(m view.Month) (rows [][]*view.CalendarBar) {
	known := map[string]*view.CalendarBar{}
	for i := range m.Days {
		known[m.Days[i].Label] = &m.Days[i]
	}
	row := make([]*view.CalendarBar, m.Begin)
	for day := 1; day <= m.Size; day++ {
		label := m.Label + "-" + pad(day)
		b := known[label]
		if b == nil {
			b = &view.CalendarBar{Label: label}
		}
		if row = append(row, b); len(row) == 7 {
			rows, row = append(rows, row), nil
		}
	}
	if len(row) > 0 {
		rows = append(rows, append(row, make([]*view.CalendarBar, 7-len(row))...))
	}
	return rows
}

func pad(day int) string {
	if day < 10 {
		return "0" + strconv.Itoa(day)
	}
	return strconv.Itoa(day)
}

// monthOf returns the name of a month such as 2008-03.
func monthOf(label string) string {
	t, err := time.Parse("2006-01", label)
	if err != nil {
		return label
	}
	return t.Format("January 2006")
}

// dayOfMonth returns the day of a date, without a leading zero.
func dayOfMonth(label string) string {
	t, err := time.Parse(time.DateOnly, label)
	if err != nil {
		return label
	}
	return strconv.Itoa(t.Day())
}
