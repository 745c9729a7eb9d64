package index

import (
	"context"
	"math"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
)

// Kinds that are counted from the time alone, and are not in files. The month has bitmaps and is one of the smalls.
const (
	kindYear kind = -1 - iota
	kindDay
)

// periodOf returns the kind of "year" or "day".
func periodOf(name string) (kind, bool) {
	switch name {
	case "year":
		return kindYear, true
	case "day":
		return kindDay, true
	}
	return 0, false
}

// Counts reports whether Facets counts by these fields: some of FacetFields with at most one list, or the year or day
// alone.
func Counts(by []string) bool {
	_, err := fieldsOf(by)
	return err == nil && len(by) > 0
}

// periods counts the versions of sets, one for each volume, by year or day.
func (w *view) periods(ctx context.Context, sets []*roaring.Bitmap, unit kind, top int) ([]Facet, error) {
	t := tally{}
	for i, s := range w.list {
		var err error
		if unit == kindYear {
			err = t.addYears(ctx, s, sets[i])
		} else {
			err = t.addDays(ctx, s, sets[i])
		}
		if err != nil {
			return nil, err
		}
	}
	return t.top(top), nil
}

// addYears counts by year: months are counted, and the year is the beginning of a month's name.
func (t tally) addYears(ctx context.Context, s *snapshot, set *roaring.Bitmap) error {
	months := tally{}
	if err := months.addValues(ctx, s, set, kindMonth); err != nil {
		return err
	}
	for _, f := range months {
		month := f.Values[0]
		year := yearOf(month)
		if err := t.note([]string{year}, uint64(f.Count)); err != nil {
			return err
		}
	}
	return nil
}

const dayMicros = int64(24 * time.Hour / time.Microsecond)

// addDays counts by day, from the columns of times.
func (t tally) addDays(ctx context.Context, s *snapshot, set *roaring.Bitmap) error {
	counts := map[int64]uint64{}
	err := s.walk(ctx, set, func(c columns) error {
		// Captures of one crawl are adjacent, so the same day mostly follows.
		last, n := int64(math.MinInt64), uint64(0)
		c.each(set, func(i int) {
			day := dayOf(c.time(i))
			if day != last {
				counts[last] += n
				last, n = day, 0
			}
			n++
		})
		counts[last] += n
		return nil
	})
	for day, n := range counts {
		if err == nil {
			err = t.note([]string{dayName(day)}, n)
		}
	}
	return err
}

// noDay is the day of a version without a time.
const noDay = math.MinInt64

// dayOf returns the day of a time since 1970, rounded down.
func dayOf(ts int64) int64 {
	if ts == noTime {
		return noDay
	}
	day := ts / dayMicros
	if ts%dayMicros < 0 {
		day--
	}
	return day
}

func dayName(day int64) string {
	if day == noDay {
		return ""
	}
	return moment(day * dayMicros).Format(time.DateOnly)
}
