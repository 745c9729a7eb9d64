package look

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Columns is a chart of ordered values, by time or size. Other values are in ranked tables.
type Columns struct {
	ID    string // of the section's heading
	Title string
	Noun  string // name of the counted things, singular: capture
	Head  string // heading of the columns' names in the table: Year
	Bars  []Bar
	Apart *Bar   // a value outside the order: grey, at the end; may be nil
	Whole int64  // the total for shares
	Note  string // after the caption
	Low   bool   // the drawing is half as high
	Brush string // page of a span of time, with {from} and {to}; without it, the drawing has no links
}

type Bar struct {
	Label string // of its row in the table
	Axis  string // label below it, or ""
	Wide  bool   // the label is for wide screens only
	Value int64
	Href  string // link of the figure, or ""
}

// Heights in CSS pixels: above the columns for the largest value, below them for labels, and of the columns.
const (
	chartTop   = 22
	chartBelow = 24
	chartHigh  = 124
	chartLow   = 52
	// Between the drawing's lower edge and the baseline of labels.
	labelMargin = 6
)

// Drawn is a column with its position in the drawing.
type Drawn struct {
	Bar
	Class               string
	X, Width            string // per cent
	Y, Height, LabelTop string // pixels
	Label               Label
}

// Label is the position of a text.
type Label struct{ X, Anchor string }

// LabelAt returns the position for a text centred at middle, in per cent of the width. Near an edge it begins or ends
// there, so that it is not clipped.
func LabelAt(middle float64) Label {
	switch {
	case middle < 12:
		return Label{percent(max(0, middle-3)), "start"}
	case middle > 88:
		return Label{percent(min(100, middle+3)), "end"}
	}
	return Label{percent(middle), "middle"}
}

// Max returns the largest value.
func (c Columns) Max() int64 {
	var most int64
	for _, b := range c.all() {
		most = max(most, b.Value)
	}
	return most
}

// Height returns the height of the drawing in pixels.
func (c Columns) Height() int { return chartTop + c.high() + chartBelow }

func (c Columns) high() int {
	if c.Low {
		return chartLow
	}
	return chartHigh
}

// Lines returns the heights of the horizontal lines: the base, the half and the largest value.
func (c Columns) Lines() []string {
	high := float64(c.high())
	return []string{px(chartTop + high), px(chartTop + high/2), px(chartTop)}
}

func (c Columns) all() []Bar {
	if c.Apart == nil {
		return c.Bars
	}
	// Cloned, because append could write into the caller's list.
	return append(slices.Clone(c.Bars), Bar{}, *c.Apart) // an empty column separates it
}

// step is the width of a column with its gap, in per cent, as if there were at least 16 columns.
func (c Columns) step() float64 { return 100 / float64(max(len(c.all()), 16)) }

// Right is the end of the horizontal lines, after the last column, so that the space beyond does not look like empty
// years.
func (c Columns) Right() string { return percent(c.step() * float64(len(c.all()))) }

// Draw positions the columns, in per cent of the width, so that the drawing fits any screen and text keeps its size.
// No column is wider than 6%.
func (c Columns) Draw() []Drawn {
	bars, step := c.all(), c.step()
	// At least 1, because it divides.
	most := max(c.Max(), 1)
	list := make([]Drawn, 0, len(bars))
	for i, b := range bars {
		// The product may overflow an integer.
		height := float64(c.high()) * float64(b.Value) / float64(most)
		if b.Value > 0 {
			height = max(height, 2) // one of a million must be visible
		}
		// A column takes three quarters of its step, with an eighth free at each side.
		x := (float64(i) + .125) * step
		d := Drawn{
			Bar: b, Class: "c1", X: percent(x), Width: percent(step * .75), Label: labelOf(b.Axis, x, step*.75),
			Y: px(float64(chartTop+c.high()) - height), Height: px(height), LabelTop: px(float64(c.Height() - labelMargin)),
		}
		// Grey marks the value outside the order.
		if c.Apart != nil && i == len(bars)-1 {
			d.Class = "c0"
		}
		list = append(list, d)
	}
	c.thin(list, step)
	return list
}

// Widths in CSS pixels of a drawing on a screen of 360, and on one of 1,100 from where wide labels are shown.
const (
	narrowWidth = 328
	wideWidth   = 1040
)

// thin removes labels that would overlap others, from the left, but keeps that of Apart. Labels that fit on a wide
// screen only are marked.
func (c Columns) thin(list []Drawn, step float64) {
	narrow := make([]bool, len(list))
	ends, end, last := len(list), math.Inf(-1), math.Inf(1)
	if c.Apart != nil {
		ends--
		narrow[ends] = true
		last, _ = list[ends].span(ends, step, narrowWidth)
	}
	for i := range ends {
		if list[i].Axis == "" || list[i].Wide {
			continue
		}
		from, to := list[i].span(i, step, narrowWidth)
		if narrow[i] = from >= end && to <= last; narrow[i] {
			end = to
		}
	}
	widen(list, narrow, step)
}

// widen marks the labels that are added on wide screens, at equal distances between the narrow ones, and removes the
// others.
func widen(list []Drawn, narrow []bool, step float64) {
	first, every := stride(list, narrow, step)
	end, next := math.Inf(-1), -1
	for i := range list {
		if narrow[i] {
			list[i].Wide = false
			_, end = list[i].span(i, step, wideWidth)
			continue
		}
		if next < i {
			next = i + slices.Index(narrow[i:], true) // before i if none follows
		}
		from, to := list[i].span(i, step, wideWidth)
		fits := from >= end && (i-first)%every == 0
		if next > i {
			before, _ := list[next].span(next, step, wideWidth)
			fits = fits && to <= before
		}
		if !fits {
			list[i].Axis = ""
			continue
		}
		list[i].Wide, end = true, to
	}
}

// stride returns the first narrow label, and the distance of labels on a wide screen. It divides the distance of the
// narrow ones.
func stride(list []Drawn, narrow []bool, step float64) (first, every int) {
	first = max(0, slices.Index(narrow, true))
	apart := slices.Index(narrow[min(first+1, len(narrow)):], true) + 1
	every = 1
	for every < apart && (apart%every != 0 || float64(every)*step < labelPart(list[first].Axis, wideWidth)) {
		every++
	}
	return first, every
}

// labelOf returns the position of a column's label. Near an edge it begins or ends with the column, and is not clipped.
func labelOf(text string, x, width float64) Label {
	half := labelPart(text, narrowWidth) / 2
	switch middle := x + width/2; {
	case middle < half:
		return Label{percent(x), "start"}
	case middle > 100-half:
		return Label{percent(x + width), "end"}
	default:
		return Label{percent(middle), "middle"}
	}
}

// span returns the extent of the label of column i, in per cent of a drawing of this width in pixels.
func (d Drawn) span(i int, step, width float64) (from, to float64) {
	wide, x := labelPart(d.Axis, width), (float64(i)+.125)*step
	switch d.Label.Anchor {
	case "start":
		from = x
	case "end":
		from = x + step*.75 - wide
	default:
		from = x + (step*.75-wide)/2
	}
	return from, from + wide
}

// labelPart returns the width of a label with a gap, in per cent of a drawing of this width in pixels.
func labelPart(text string, width float64) float64 {
	const sign, free = 7.2, 3
	return 100 * (sign*float64(utf8.RuneCountInString(text)) + free) / width
}

// Filled returns the columns with values, for the table.
func (c Columns) Filled() []Bar {
	// The drawing keeps empty years for the right distances.
	return slices.DeleteFunc(slices.Clone(c.all()), func(b Bar) bool { return b.Value == 0 })
}

// Sentence describes the chart for users who do not see it.
func (c Columns) Sentence() string {
	filled := c.Filled()
	if len(filled) == 0 {
		return c.Title + ": none."
	}
	// MaxFunc returns the first of equal values.
	most := slices.MaxFunc(filled, func(a, b Bar) int { return int(a.Value - b.Value) })
	text := fmt.Sprintf("%s, %s to %s.", c.Title, filled[0].Label, filled[len(filled)-1].Label)
	// Apart is not an end of the order.
	if c.Apart != nil && len(c.Bars) > 0 {
		text = fmt.Sprintf("%s, %s to %s.", c.Title, c.Bars[0].Label, c.Bars[len(c.Bars)-1].Label)
	}
	return fmt.Sprintf("%s Most in %s: %s. The same figures are in the table below the chart.", text, most.Label,
		Plural(most.Value, c.Noun))
}

func percent(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) + "%" }

func px(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// Years makes a chart of counts by year, with all years from the first to the last. Names that are not years are one
// grey column, labelled none. Years before the last 60 share one column, so that an archive that claims the year 1
// does not make two thousand columns.
func Years(counts map[string]int64, none string, href func(from, to int) string) (bars []Bar, apart *Bar) {
	const maxYears = 60
	by := map[int]int64{}
	var rest int64
	for name, n := range counts {
		year, err := strconv.Atoi(name)
		// A zero count must not extend the axis.
		if err != nil || n == 0 {
			rest += n
			continue
		}
		// "2015" and "02015" are the same year.
		by[year] += n
	}
	if rest > 0 {
		apart = &Bar{Label: none, Axis: none, Value: rest}
	}
	if len(by) == 0 {
		return nil, apart
	}
	first, last := yearsOf(by)
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
		// Label the multiples of the step: 2010, 2015.
		b.Axis, b.Wide = b.Label, year%axisStep(last-from+1) != 0
		bars = append(bars, b)
	}
	return bars, apart
}

// axisStep returns the number of years between labels, so that they do not touch on a narrow screen.
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
	// Larger than any year, so that the first one replaces it.
	first, last = math32, -1
	for year := range by {
		first, last = min(first, year), max(last, year)
	}
	return first, last
}

const math32 = 1<<31 - 1
