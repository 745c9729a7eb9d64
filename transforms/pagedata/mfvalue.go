package pagedata

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// property is the value of a property of a kind: p, u, dt or e (microformats2 parsing, "parsing a p- property" and
// following).
func (r *reader) property(i int, kind string, f *format) string {
	switch kind {
	case "u":
		return r.urlValue(i)
	case "dt":
		return r.dateValue(i, f)
	case "e":
		return r.shown(i, true)
	}
	return r.textValue(i)
}

func (r *reader) textValue(i int) string {
	if v, ok := r.classValue(i); ok {
		return v
	}
	if v, ok := r.firstAttr(i, textAttrs); ok {
		return v
	}
	return r.shown(i, true)
}

// attrOf are the attributes that hold the value of some elements.
type attrOf struct {
	tag  page.Tag
	name string
}

var (
	textAttrs = []attrOf{
		{page.TagAbbr, "title"},
		{page.TagLink, "title"},
		{page.TagData, "value"},
		{page.TagInput, "value"},
		{page.TagImg, "alt"},
		{page.TagArea, "alt"},
	}
	urlAttrs = []attrOf{
		{page.TagA, "href"},
		{page.TagArea, "href"},
		{page.TagLink, "href"},
		{page.TagImg, "src"},
		{page.TagAudio, "src"},
		{page.TagVideo, "src"},
		{page.TagSource, "src"},
		{page.TagIframe, "src"},
		{page.TagVideo, "poster"},
		{page.TagObject, "data"},
	}
	plainAttrs = []attrOf{{page.TagAbbr, "title"}, {page.TagData, "value"}, {page.TagInput, "value"}}
	dateAttrs  = slices.Concat([]attrOf{
		{page.TagTime, "datetime"}, {page.TagIns, "datetime"}, {page.TagDel, "datetime"},
	}, plainAttrs)
)

func (r *reader) firstAttr(i int, list []attrOf) (string, bool) {
	for _, a := range list {
		if a.tag != r.p.Nodes[i].Tag {
			continue
		}
		if v, ok := r.p.Attr(i, a.name); ok {
			return v, true
		}
	}
	return "", false
}

func (r *reader) urlValue(i int) string {
	if v, ok := r.firstAttr(i, urlAttrs); ok {
		return r.absolute(v)
	}
	if v, ok := r.classValue(i); ok {
		return r.absolute(v)
	}
	if v, ok := r.firstAttr(i, plainAttrs); ok {
		return r.absolute(v)
	}
	v := collapse(r.shown(i, false))
	if v == "" {
		return ""
	}
	return r.absolute(v)
}

// shown is the text of element i. With images, their alternative texts or sources are part of it.
func (r *reader) shown(i int, images bool) string {
	return r.texts(i, func(t *longText, k int) {
		switch r.p.Nodes[k].Tag {
		case page.TagImg:
			if v, ok := r.attrTo(k, "alt"); images && ok {
				t.add(" " + v + " ")
			} else if v, ok := r.attrTo(k, "src"); images && ok {
				t.add(" " + r.absolute(v) + " ")
			}
		case page.TagBr, page.TagP:
			t.add("\n")
		}
	})
}

// valueParts calls part for each child of i that holds a part of its value, until it returns false.
func (r *reader) valueParts(i int, part func(k int, title bool) bool) {
	if int(r.p.Nodes[i].End) == i+1 {
		return
	}
	for k := range r.children(i) {
		if r.p.Nodes[k].Own&classBit == 0 {
			continue
		}
		class := strings.Fields(r.attr(k, "class"))
		title := slices.Contains(class, "value-title")
		if (title || slices.Contains(class, "value")) && !part(k, title) {
			return
		}
	}
}

// classValue is a value by the value class pattern: the texts of the children with class value, one after the other.
func (r *reader) classValue(i int) (value string, ok bool) {
	var t longText
	r.valueParts(i, func(k int, title bool) bool {
		ok = true
		if title {
			t.add(r.attr(k, "title"))
		} else {
			t.add(r.shown(k, false))
		}
		return !t.full()
	})
	return t.String(), ok
}

// The forms of dates and times in the value class pattern.
var (
	fullDate = pattern.Lazy(`^(\d{4}-\d{2}-\d{2}|\d{4}-\d{3})[T ]\d{1,2}`)
	onlyDate = pattern.Lazy(`^(\d{4}-\d{2}-\d{2}|\d{4}-\d{3})$`)
	onlyTime = pattern.Lazy(`^(\d{1,2})((?::\d{2}){0,2}(?:\.\d+)?) ?([AaPp]\.?[Mm]\.?)?` +
		`( ?(?:Z|[+-]\d{1,2}:?(?:\d{2})?))?$`)
	onlyZone = pattern.Lazy(`^(?:Z|[+-]\d{1,2}:?(?:\d{2})?)$`)
)

// maxDateParts is more than a date, a time and a zone need.
const maxDateParts = 100

// dateValue is the value of a date property. One that only has a time gets the date of an earlier property.
func (r *reader) dateValue(i int, f *format) string {
	var parts []string
	r.valueParts(i, func(k int, title bool) bool {
		v, _ := r.firstAttr(k, slices.Concat(dateAttrs, []attrOf{{page.TagImg, "alt"}, {page.TagArea, "alt"}}))
		if title {
			v = r.attr(k, "title")
		} else if v == "" {
			v = r.shown(k, false)
		}
		if v = collapse(v); v != "" {
			parts = append(parts, v)
		}
		return len(parts) < maxDateParts
	})
	if len(parts) > 0 {
		return joinDate(parts, f)
	}
	v, ok := r.firstAttr(i, dateAttrs)
	if !ok {
		v = r.shown(i, false)
	}
	v = collapse(v)
	if m := fullDate().FindStringSubmatch(v); m != nil {
		f.date = m[1]
	} else if onlyTime().MatchString(v) && f.date != "" {
		return f.date + " " + clock(v)
	}
	return v
}

// joinDate makes a date and time of parts: the first of each kind counts, and a full one alone.
func joinDate(parts []string, f *format) string {
	var date, time, zone string
	for _, p := range parts {
		switch {
		case fullDate().MatchString(p):
			f.date = fullDate().FindStringSubmatch(p)[1]
			return p
		case date == "" && onlyDate().MatchString(p):
			date = p
		case zone == "" && onlyZone().MatchString(p):
			zone = p
		case time == "" && onlyTime().MatchString(p):
			time = clock(p)
		}
	}
	if date == "" {
		date = f.date
	} else {
		f.date = date
	}
	return strings.TrimSpace(date+" "+time) + zone
}

// clock returns a time in 24 hours.
func clock(s string) string {
	m := onlyTime().FindStringSubmatch(s)
	if m == nil {
		return s
	}
	hour, _ := strconv.Atoi(m[1]) // at most two digits
	if half := strings.ToLower(m[3]); half != "" {
		if hour %= 12; half[0] == 'p' {
			hour += 12
		}
	}
	minutes := m[2]
	if minutes == "" {
		minutes = ":00"
	}
	out := strconv.Itoa(hour)
	if len(out) == 1 && (len(m[1]) == 2 || m[3] != "") {
		out = "0" + out
	}
	return out + minutes + strings.TrimSpace(m[4])
}
