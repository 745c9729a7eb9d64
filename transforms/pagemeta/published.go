package pagemeta

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// published compares the declared dates with the visible one. A date in both is sure. If they differ, the visible one
// is right, except that of the last change. Templates and imports fill in the declared ones.
func (f *finder) published() answer {
	// Prices of products change daily, and front pages have no date of their own.
	if f.isProduct() || f.isFrontPage() {
		return answer{}
	}
	// A thread's declared date is right, if there is one.
	if f.isThread() && f.first(declaredPublished).values == nil {
		if a := f.soleDate(); a.values != nil {
			return a // of the first post; a date near the title may be of its author or of an answer
		}
	}
	if a := f.datedByTitle(); a.values != nil {
		return a
	}
	if a := f.soleDate(); a.values != nil {
		return a
	}
	if a := f.changed(); a.values != nil {
		return a
	}
	return f.lastResort()
}

// datedByTitle is the date that the page declares or shows around its title.
func (f *finder) datedByTitle() answer {
	s := f.shown.published
	// Nothing is shown: the declared date or the day in the URL remains.
	if s == nil {
		if f.catalogued() {
			return f.urlDate()
		}
		return f.declaredDate()
	}
	days, far := f.shown.days, f.shown.isFar()
	if f.isThread() {
		// A thread shows the first post first.
		days, far = []string{s.Day()}, false // the others are of answers
	}
	// If both have the same day, the declared form also has the time.
	if a, ok := f.sameDay(declaredPublished, days...); ok {
		a.confidence = sureDate
		return a
	}
	if far {
		return f.declaredDate()
	}
	// A date without a label may be of the last change, of a list, or of something else.
	if !f.shown.labelled {
		if _, ok := f.sameDay(declaredModified, s.Day()); ok {
			return f.declaredDate() // the visible date is the last change
		}
		// A day in the URL does not change with the article.
		if a := f.urlDate(); a.values != nil {
			return a
		}
		if f.ofList() {
			return f.declaredDate()
		}
	}
	// A date in the future, or from before the web, is the page's subject.
	if !f.past(s) {
		return f.declaredDate() // the visible one is of an event
	}
	return answer{fromText, []string{s.String()}, saidDate}
}

// changed is the date of the last change around the title, if no other is shown: readers take it for the page's date.
// Its confidence is low.
func (f *finder) changed() answer {
	s, far := f.shown.published, f.shown.far // the declared dates show that it is of the last change
	// The date with a label of the last change.
	if s == nil || f.shown.isFar() {
		s, far = f.shown.updated, f.shown.updatedFar
	}
	if s == nil || far > maxFarChanged || !f.past(s) || f.ofList() {
		return answer{}
	}
	return answer{fromText, []string{s.String()}, changedDate}
}

// Confidences are the shares of right dates in the benchmark among those given for the same reason.
// TestExtract_benchmark also says how well they hold on other hosts. A date counts as wrong if the label has none,
// even if it is true.
const (
	sureDate       = 0.99 // declared and shown
	saidDate       = 0.84 // only shown
	metaDate       = 0.86 // only declared, in <meta>
	filledDate     = 0.65 // only declared, in JSON-LD or microdata
	soleDate       = 0.76 // the only one shown
	pathDate       = 0.95 // of the URL
	changedDate    = 0.56 // of the last change
	scriptDate     = 0.6  // invisible, in scripts
	farChangedDate = 0.27 // of the last change, far from the title
)

// declaredDate is the date that the page declares, or that of its URL.
func (f *finder) declaredDate() answer {
	a := f.first(declaredPublished)
	if a.values == nil {
		return f.urlDate()
	}
	// Frameworks fill JSON-LD and microdata with the day of the build; authors see OpenGraph's dates in previews.
	a.confidence = metaDate
	if a.source == fromJSONLD || a.source == fromMicrodata {
		a.confidence = filledDate
	}
	return a
}

// sameDay is the first answer with one of the days.
func (f *finder) sameDay(sources []source, days ...string) (answer, bool) {
	for _, s := range sources {
		for _, v := range s.ask(f) {
			if len(v) >= len(time.DateOnly) && slices.Contains(days, v[:len(time.DateOnly)]) {
				return answer{source: s.name, values: []string{v}}, true
			}
		}
	}
	return answer{}, false
}

// modified is the declared date of the last change, or a visible one with such a label.
func (f *finder) modified() answer {
	a := f.first(declaredModified)
	if s := f.shown.updated; a.values == nil && s != nil && f.past(s) {
		return answer{source: fromText, values: []string{s.String()}}
	}
	return a
}

// urlDate is the day in the URL's path: /2016/02/09/, /2016/feb/09/, /2016-02/09/, /2016-02-09-slug, /20160209/.
func (f *finder) urlDate() answer {
	_, path, _ := strings.Cut(f.p.URL, "://")
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	// The host is not part of the path.
	for i := strings.IndexByte(path, '/'); i >= 0; {
		path = path[i+1:]
		if day := dayAt(path, f.locale.language); day != "" {
			// dates drops invalid days.
			if v := f.dates([]string{day}); v != nil {
				return answer{fromURL, v, pathDate}
			}
		}
		i = strings.IndexByte(path, '/')
	}
	return answer{}
}

// dayAt is the day at the start of a part of a path, as year-month-day, or "". The separator is a slash, a hyphen, an
// underscore, or none; then all digits must be there.
func dayAt(path, language string) string {
	year, rest, apart := dayPart(path, 4, 4)
	if year == "" {
		return ""
	}
	least := 2
	if apart {
		least = 1
	}
	month, rest, apart := dayPart(rest, least, 2)
	if end := strings.IndexAny(rest, "/-_"); month == "" && end > 0 {
		// The name of a month.
		if m := monthOf(rest[:end], language); m != 0 {
			month, rest, apart = strconv.Itoa(m), rest[end+1:], true
		}
	}
	if !apart {
		least = 2
	}
	day, rest, apart := dayPart(rest, least, 2)
	// A longer number is not a day.
	if month == "" || day == "" || !apart && rest != "" && rest[0] != '.' {
		return ""
	}
	return year + "-" + month + "-" + day
}

// dayPart splits a number of least to most digits off a path, with the separator after it; apart reports whether there
// is one.
func dayPart(path string, least, most int) (digits, rest string, apart bool) {
	n := min(leadingDigits(path), most)
	if n < least {
		return "", path, false
	}
	digits, rest = path[:n], path[n:]
	if rest != "" && strings.IndexByte("/-_", rest[0]) >= 0 {
		return digits, rest[1:], true
	}
	return digits, rest, false
}
