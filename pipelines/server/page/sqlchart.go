package page

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// mostCell is how much of a text a cell shows. A page of 100 rows must not have 100 long texts.
const mostCell = 400

// cell formats a value of a column of a statement. Years have no separators, and reals as many digits as people read.
func cell(column string, value any) string {
	switch v := value.(type) {
	case nil:
		return "–"
	case string:
		if letters := []rune(v); len(letters) > mostCell {
			return string(letters[:mostCell]) + "…"
		}
		return v
	case json.Number:
		n, err := v.Int64()
		if err == nil && (n < 1000 || n > 2999 || !strings.Contains(strings.ToLower(column), "year")) {
			return look.Count(n)
		}
		f, failed := v.Float64()
		if err == nil || failed != nil {
			return strings.Replace(v.String(), "9e999", "infinity", 1)
		}
		return strconv.FormatFloat(f, 'g', 6, 64)
	}
	return ""
}

// drawing is a chart of the rows of a statement: lines over time, or bars of one column.
type drawing struct {
	Lines *look.Lines
	Title string
	Head  string
	Bars  []sqlBar
}

// sqlBar is a bar of a drawing.
type sqlBar struct {
	Name, Width, Value string
}

// Limits of drawings: longer ones have no room.
const (
	mostBars     = 40
	mostDrawings = 3
	mostLines    = 6 // of a drawing
)

// period matches years, months and days.
var period = pattern.Lazy(`^\d{4}(-\d\d(-\d\d)?)?$`)

// drawings makes charts of the first column against those with numbers: lines if it has years, months or days in order,
// otherwise bars.
func drawings(s *view.SQL) []drawing {
	if len(s.All) < 2 || len(s.Columns) < 2 {
		return nil
	}
	names, ordered := make([]string, len(s.All)), true
	for i, row := range s.All {
		names[i] = plainCell(row[0])
		ordered = ordered && period().MatchString(names[i]) && (i == 0 || names[i-1] < names[i])
	}
	switch {
	case ordered && len(s.All) <= view.MaxBars:
		return lineDrawings(s, names)
	case len(s.All) <= mostBars:
		return barDrawings(s, names)
	}
	return nil
}

// plainCell formats the name of a row: a year has no separators.
func plainCell(value any) string {
	if n, is := value.(json.Number); is {
		return n.String()
	}
	return cell("", value)
}

// numbers returns the values of a column with 0 for null, and reports whether they can be drawn: numbers, not below 0.
func numbers(s *view.SQL, column int) (list []float64, ok bool) {
	if !s.Columns[column].Number {
		return nil, false
	}
	for _, row := range s.All {
		value := 0.
		if n, is := row[column].(json.Number); is {
			var err error
			if value, err = n.Float64(); err != nil || value < 0 {
				return nil, false
			}
		}
		list = append(list, value)
	}
	return list, true
}

// alike is how many times larger the largest value of a line may be than that of another line of the same chart.
const alike = 20

// lineDrawings draws all columns with numbers over time. Columns of another size have another chart.
func lineDrawings(s *view.SQL, names []string) (list []drawing) {
	var tops []float64
	for i := 1; i < len(s.Columns); i++ {
		values, ok := numbers(s, i)
		if !ok {
			continue
		}
		top, line := slices.Max(values), look.Line{Name: s.Columns[i].Name, Values: values}
		at := slices.IndexFunc(tops, func(other float64) bool { return top <= alike*other && other <= alike*top })
		switch {
		case at >= 0 && len(list[at].Lines.Lines) < mostLines:
			list[at].Lines.Lines = append(list[at].Lines.Lines, line)
		case at < 0 && len(list) < mostDrawings:
			list, tops = append(list, timeDrawing(s.Columns[0].Name, names)), append(tops, top)
			c := list[len(list)-1].Lines
			c.ID += strconv.Itoa(len(list))
			c.Lines = []look.Line{line}
		}
	}
	for _, d := range list {
		var drawn []string
		for _, l := range d.Lines.Lines {
			drawn = append(drawn, l.Name)
		}
		d.Lines.Title = strings.Join(drawn, ", ") + " " + d.Lines.Title
	}
	return list
}

// timeDrawing is a chart over time without lines.
func timeDrawing(column string, names []string) drawing {
	c := &look.Lines{ID: "lines", Title: "by " + column, Head: column}
	every := max(1, (len(names)+5)/6)
	for i, name := range names {
		p := look.Period{Label: name}
		if i%every == every/2 {
			p.Axis = name
		}
		c.Periods = append(c.Periods, p)
	}
	return drawing{Lines: c}
}

// barDrawings draws each of the first columns with numbers as bars.
func barDrawings(s *view.SQL, names []string) (list []drawing) {
	for i := 1; i < len(s.Columns) && len(list) < mostDrawings; i++ {
		values, ok := numbers(s, i)
		if !ok {
			continue
		}
		d, most := drawing{Title: s.Columns[i].Name, Head: s.Columns[0].Name}, 0.
		for _, value := range values {
			most = max(most, value)
		}
		for j, value := range values {
			width := 0.
			if most > 0 {
				width = 100 * value / most
			}
			d.Bars = append(d.Bars, sqlBar{
				names[j], strconv.FormatFloat(width, 'f', 1, 64) + "%", cell(s.Columns[i].Name, s.All[j][i]),
			})
		}
		list = append(list, d)
	}
	return list
}

// Top describes the largest value of lines.
func (d drawing) Top() string {
	most := 0.
	for _, l := range d.Lines.Lines {
		for _, value := range l.Values {
			most = max(most, value)
		}
	}
	if most == math.Trunc(most) && most < 1<<53 {
		return look.Count(int64(most))
	}
	return strconv.FormatFloat(most, 'g', 4, 64)
}
