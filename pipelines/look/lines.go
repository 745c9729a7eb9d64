package look

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Lines is a chart of counts over time that are compared: a line for each series.
type Lines struct {
	ID      string // of the section's heading
	Title   string
	Noun    string // name of the counted things, singular: capture
	Head    string // heading of the periods in the table: Year
	All     string // heading of the first column of counts in the table: All captures
	Periods []Period
	Lines   []Line
	Shares  bool   // draw shares of Period.Whole, not counts
	Note    string // after the caption
	Brush   string // page of a span of time, with {from} and {to}; "" if none can be chosen
}

// Period is a year, month or day.
type Period struct {
	Label string
	Axis  string // label below it, or ""
	Whole int64  // the total that shares are of
	Href  string // page of this period, or ""
}

// Line is a series of a chart. Its counts and links are in the order of the periods.
type Line struct {
	Name   string
	Href   string // page of the series, or ""
	Counts []int64
	Values []float64 // drawn instead of counts, if any; not below 0
	Hrefs  []string
	Total  int64
}

// Class returns the class of a line by its number.
func (Lines) Class(i int) string { return "l" + strconv.Itoa(i%6+1) }

// Height returns the height of the drawing in pixels.
func (Lines) Height() int { return chartTop + chartHigh + chartBelow }

// Axes returns the heights of the horizontal lines: the base, the half and the largest value.
func (Lines) Axes() []string {
	return []string{px(chartTop + chartHigh), px(chartTop + chartHigh/2), px(chartTop)}
}

// Plot is the extent of the lines, inside the drawing.
func (Lines) Plot() struct{ Y, Height int } { return struct{ Y, Height int }{chartTop, chartHigh} }

// value returns the drawn value of a line in a period.
func (c Lines) value(line, period int) float64 {
	if values := c.Lines[line].Values; values != nil {
		return values[period]
	}
	n := float64(c.Lines[line].Counts[period])
	if !c.Shares {
		return n
	}
	if whole := c.Periods[period].Whole; whole > 0 {
		return n / float64(whole)
	}
	return 0
}

// most returns the largest drawn value.
func (c Lines) most() (most float64) {
	for i := range c.Lines {
		for j := range c.Periods {
			most = max(most, c.value(i, j))
		}
	}
	return most
}

// Top describes the largest value, which the highest horizontal line stands for.
func (c Lines) Top() string {
	if c.Shares {
		return fmt.Sprintf("%.3g%% of %ss", 100*c.most(), c.Noun)
	}
	return Plural(int64(c.most()), c.Noun)
}

// step is the width of a period in per cent.
func (c Lines) step() float64 { return 100 / float64(max(1, len(c.Periods))) }

// Path returns a line in a plane of 1000 by the height of Plot, which is stretched to the width of the page.
func (c Lines) Path(line int) string {
	var b strings.Builder
	most, op := c.most(), "M"
	for j := range c.Periods {
		x, y := 10*c.step()*(float64(j)+.5), float64(chartHigh)
		if most > 0 {
			y -= chartHigh * c.value(line, j) / most
		}
		b.WriteString(op + strconv.FormatFloat(x, 'f', 1, 64) + " " + px(y))
		op = "L"
	}
	if len(c.Periods) == 1 { // a line needs two ends to be visible
		b.WriteString("h.1")
	}
	return b.String()
}

// Marks returns the periods that have a label below them.
func (c Lines) Marks() (list []Spot) {
	for j, p := range c.Periods {
		if p.Axis != "" {
			list = append(list, Spot{
				Period: p, LabelTop: px(float64(c.Height() - labelMargin)), Mark: LabelAt((float64(j) + .5) * c.step()),
			})
		}
	}
	return list
}

// Spot is the column of a period in the drawing, which can be pointed at.
type Spot struct {
	Period
	X, Width, LabelTop string
	Text               string // its counts
	Mark               Label
}

// Spots returns the columns of all periods.
func (c Lines) Spots() []Spot {
	list := make([]Spot, len(c.Periods))
	for j, p := range c.Periods {
		x := float64(j) * c.step()
		s := Spot{
			Period: p, X: percent(x), Width: percent(c.step()), LabelTop: px(float64(c.Height() - labelMargin)),
			Mark: LabelAt(x + c.step()/2),
		}
		var parts []string
		for _, l := range c.Lines {
			parts = append(parts, l.Name+" "+Count(l.Counts[j]))
		}
		s.Text = fmt.Sprintf("%s: %s; %s in all", p.Label, strings.Join(parts, ", "), Count(p.Whole))
		list[j] = s
	}
	return list
}

// Cell is a cell of the table.
type Cell struct {
	Count int64
	Href  string
	Share string
}

// Row is a period of the table.
func (c Lines) Row(period int) []Cell {
	cells := make([]Cell, len(c.Lines))
	for i, l := range c.Lines {
		cells[i] = Cell{l.Counts[period], "", Share(l.Counts[period], c.Periods[period].Whole)}
		if l.Counts[period] > 0 && len(l.Hrefs) > period {
			cells[i].Href = l.Hrefs[period]
		}
	}
	return cells
}

// Sentence describes the chart for users who do not see it.
func (c Lines) Sentence() string {
	if len(c.Periods) == 0 {
		return c.Title + ": none."
	}
	text := fmt.Sprintf("%s, %s to %s.", c.Title, c.Periods[0].Label, c.Periods[len(c.Periods)-1].Label)
	for i, l := range c.Lines {
		// The first of equal values.
		at := slices.IndexFunc(l.Counts, func(n int64) bool { return n == slices.Max(l.Counts) })
		if l.Total > 0 {
			text += fmt.Sprintf(" %s: most in %s.", c.Lines[i].Name, c.Periods[at].Label)
		}
	}
	return text + " The same figures are in the table below the chart."
}
