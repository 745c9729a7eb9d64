package look

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Columns is a chart of values in an order, which is time or size: a column each. Ranked tables do for all else.
type Columns struct {
	ID     string // of the section's heading
	Title  string
	Noun   string // what is counted, in the singular: capture
	Head   string // what a column stands for, in the table's head: Year
	Bars   []Bar
	Apart  *Bar   // what has no place in the order, grey, at the end; nil for none
	Whole  int64  // what shares are of
	Note   string // after the caption
	Places bool   // Bars are places that exist whether they hold something or not, as years are
	Low    bool   // the drawing is half as high, where it is above what it is about
}

// Bar is one column.
type Bar struct {
	Label string // of its row in the table
	Axis  string // below it; "" for none
	Value int64
	Href  string // where the figure leads; "" where nothing can be asked
}

// Parts of the drawing's height in CSS pixels: above the columns, for the largest value, below them, for their labels,
// and between, for the columns.
const (
	chartTop   = 22
	chartBelow = 24
	chartHigh  = 124
	chartLow   = 52
	// From the drawing's lower edge to the foot of the labels.
	labelMargin = 6
)

// Drawn is a column with its place in the drawing.
type Drawn struct {
	Bar
	Class               string
	X, Width            string // per cent
	Y, Height, LabelTop string // pixels
	Label               Label
}

// Label is where a text stands that belongs to a place: in the middle, except for those near an edge, which begin or
// end there, so that nothing of them is cut.
type Label struct{ X, Anchor string }

// LabelAt is the place of a text whose middle is to be at a part of the width, in per cent.
func LabelAt(middle float64) Label {
	// Near an edge a centred label would be cut.
	switch {
	case middle < 12:
		return Label{percent(max(0, middle-3)), "start"}
	case middle > 88:
		return Label{percent(min(100, middle+3)), "end"}
	}
	return Label{percent(middle), "middle"}
}

// Max is the largest value.
func (c Columns) Max() int64 {
	var most int64
	for _, b := range c.all() {
		most = max(most, b.Value)
	}
	return most
}

// Height is that of the drawing.
func (c Columns) Height() int { return chartTop + c.high() + chartBelow }

func (c Columns) high() int {
	if c.Low {
		return chartLow
	}
	return chartHigh
}

// Lines are the heights of the lines across: the base, the half, and the largest value.
// Three lines are enough to read a height by, and leave the columns in front.
func (c Columns) Lines() []string {
	high := float64(c.high())
	return []string{px(chartTop + high), px(chartTop + high/2), px(chartTop)}
}

func (c Columns) all() []Bar {
	if c.Apart == nil {
		return c.Bars
	}
	// A clone: append could write into the caller's list.
	return append(slices.Clone(c.Bars), Bar{}, *c.Apart) // an empty place keeps it apart
}

// step is the width of a column with what is free beside it, in per cent. There are at least 16 places: fewer columns
// each keep the width that they would have among 16.
func (c Columns) step() float64 { return 100 / float64(max(len(c.all()), 16)) }

// Right is where the lines across end: with the last column, so that nobody takes what is right of it for years without
// a capture.
func (c Columns) Right() string { return percent(c.step() * float64(len(c.all()))) }

// Draw places the columns. Widths and places are per cent of the drawing's width, so that it fits any screen and text
// keeps its size; no column is wider than 6 %, which three columns of a new collection would be.
func (c Columns) Draw() []Drawn {
	bars, step := c.all(), c.step()
	// At least 1, since it divides: a chart of nothing but zeros has no columns.
	most := max(c.Max(), 1)
	list := make([]Drawn, 0, len(bars))
	for i, b := range bars {
		// As floats: a count times the height may be more than an integer holds.
		height := float64(c.high()) * float64(b.Value) / float64(most)
		if b.Value > 0 {
			height = max(height, 2) // one of a million is seen
		}
		// A column takes three quarters of its place, an eighth free at each side.
		x := (float64(i) + .125) * step
		d := Drawn{
			Bar: b, Class: "c1", X: percent(x), Width: percent(step * .75), Label: LabelAt(x + step*.375),
			Y: px(float64(chartTop+c.high()) - height), Height: px(height), LabelTop: px(float64(c.Height() - labelMargin)),
		}
		// Grey marks what is not in the order.
		if c.Apart != nil && i == len(bars)-1 {
			d.Class = "c0"
		}
		list = append(list, d)
	}
	c.thin(list, step)
	return list
}

// thin takes away labels of the axis that would touch others on a narrow screen: those further right, except for the
// one of the column apart.
func (c Columns) thin(list []Drawn, step float64) {
	span := func(i int) (from, to float64) { return labelSpan(list[i].Axis, (float64(i)+.5)*step) }
	ends, end := len(list), 0.
	last := 100.
	if c.Apart != nil {
		ends--
		last, _ = span(ends)
	}
	for i := range ends {
		if list[i].Axis == "" {
			continue
		}
		from, to := span(i)
		if end > 0 && from < end || c.Apart != nil && to > last {
			list[i].Axis = ""
			continue
		}
		end = to
	}
}

// labelSpan is from where to where a label reaches whose column's middle is there, in per cent of a drawing of 328
// pixels, which a screen of 360 has; with what should stay free after it.
func labelSpan(text string, middle float64) (from, to float64) {
	const sign, free, width = 7.2, 4, 328
	wide := 100 * (sign*float64(utf8.RuneCountInString(text)) + free) / width
	switch LabelAt(middle).Anchor {
	case "start":
		from = max(0, middle-3)
	case "end":
		from = min(100, middle+3) - wide
	default:
		from = middle - wide/2
	}
	return from, from + wide
}

// Filled are the columns that hold something, for the table beside the drawing.
func (c Columns) Filled() []Bar {
	// The table leaves out empty years, which the drawing needs for its distances.
	return slices.DeleteFunc(slices.Clone(c.all()), func(b Bar) bool { return b.Value == 0 })
}

// Sentence says what is to be seen, for callers that do not see it.
func (c Columns) Sentence() string {
	filled := c.Filled()
	// A screen reader gets this sentence in place of the drawing.
	if len(filled) == 0 {
		return c.Title + ": none."
	}
	// The first of equal values, as the eye would take it.
	most := slices.MaxFunc(filled, func(a, b Bar) int { return int(a.Value - b.Value) })
	text := fmt.Sprintf("%s, %s to %s.", c.Title, filled[0].Label, filled[len(filled)-1].Label)
	// The column apart is not an end of the order.
	if c.Apart != nil && len(c.Bars) > 0 {
		text = fmt.Sprintf("%s, %s to %s.", c.Title, c.Bars[0].Label, c.Bars[len(c.Bars)-1].Label)
	}
	return fmt.Sprintf("%s Most in %s: %s. The same figures are in the table below the chart.", text, most.Label,
		Plural(most.Value, c.Noun))
}

func percent(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) + "%" }

func px(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// Years is a chart of counts by year: every year from the first to the last, also those without any. Names that are no
// year, as None, are one grey column apart. Years are cut at the newest maxYears, so that an archive which claims to be
// of the year 1 makes no page of two thousand columns; what is older is one column of its own at the left.
func Years(counts map[string]int64, none string, href func(from, to int) string) (bars []Bar, apart *Bar) {
	const maxYears = 60
	by := map[int]int64{}
	var rest int64
	for name, n := range counts {
		year, err := strconv.Atoi(name)
		// A count of 0 is as if the name were not there: it must not stretch the axis.
		if err != nil || n == 0 {
			rest += n
			continue
		}
		// Added, as "2015" and "02015" are one year.
		by[year] += n
	}
	if rest > 0 {
		apart = &Bar{Label: none, Axis: none, Value: rest}
	}
	// Without a year there is no axis, only what stands apart.
	if len(by) == 0 {
		return nil, apart
	}
	first, last := yearsOf(by)
	// Years before from are one column: the data may claim any.
	from := max(first, last-maxYears+1)
	var older int64
	for year, n := range by {
		if year < from {
			older += n
		}
	}
	if older > 0 {
		label := fmt.Sprintf("before %d", from)
		bars = append(bars, Bar{Label: label, Axis: label, Value: older, Href: href(first, from-1)})
	}
	for year := from; year <= last; year++ {
		b := Bar{Label: strconv.Itoa(year), Value: by[year], Href: href(year, year)}
		// Years that the step divides have labels: 2010, 2015, as people count.
		if every := axisStep(last - from + 1); year%every == 0 {
			b.Axis = b.Label
		}
		bars = append(bars, b)
	}
	return bars, apart
}

// axisStep is how many years are between two labels, so that they do not touch on a narrow screen.
func axisStep(years int) int {
	switch {
	case years <= 5:
		return 1
	case years <= 10:
		return 2
	case years <= 30:
		return 5
	}
	return 10
}

func yearsOf(by map[int]int64) (first, last int) {
	// Beyond any year, so that the first one found takes its place.
	first, last = math32, -1
	for year := range by {
		first, last = min(first, year), max(last, year)
	}
	return first, last
}

const math32 = 1<<31 - 1
