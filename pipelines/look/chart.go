package look

import (
	"fmt"
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
}

type Bar struct {
	Label string // of its row in the table
	Axis  string // label below it, or ""
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

// Label is the position of a text. It is centred, except near an edge, where it begins or ends so that it is not
// clipped.
type Label struct{ X, Anchor string }

// LabelAt returns the position for a text centred at middle, in per cent of the width.
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
			Bar: b, Class: "c1", X: percent(x), Width: percent(step * .75), Label: LabelAt(x + step*.375),
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

// thin removes labels that would overlap others on a narrow screen, from the left, but keeps that of Apart.
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

// labelSpan returns the extent of a label for a column's middle, with a gap. It is in per cent of 328 pixels, as on a
// screen of 360.
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
		if every := axisStep(last - from + 1); year%every == 0 {
			b.Axis = b.Label
		}
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
