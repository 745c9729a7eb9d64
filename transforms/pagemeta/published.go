package pagemeta

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// published weighs what the page declares against what readers see. A date that both give is sure. Where they differ,
// readers see the right one, unless it is that of the last change: template and import fill in what is declared.
func (f *finder) published() answer {
	// Prices of products change daily, and front pages are of every day.
	if f.isProduct() || f.isFrontPage() {
		return answer{}
	}
	// A thread's declared date is right, if there is one.
	if f.isThread() && f.first(declaredPublished).values == nil {
		if a := f.soleDate(); a.values != nil {
			return a // of the first post; what surrounds the title may be of its author or of an answer
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
	// Nothing is shown: only what is declared is left, or the day in the URL.
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
	// The same day in both: the declared form has the time, too.
	if a, ok := f.sameDay(declaredPublished, days...); ok {
		a.confidence = sureDate
		return a
	}
	if far {
		return f.declaredDate()
	}
	// A date without a label may be one of the last change, of a list, or of something else.
	if !f.shown.labelled {
		if _, ok := f.sameDay(declaredModified, s.Day()); ok {
			return f.declaredDate() // the page shows when it was changed
		}
		// A day in the URL does not change when the article does.
		if a := f.urlDate(); a.values != nil {
			return a
		}
		if f.ofList() {
			return f.declaredDate()
		}
	}
	// In the future, or from before the web: the date is the page's subject.
	if !f.past(s) {
		return f.declaredDate() // of an event
	}
	return answer{fromText, []string{s.String()}, saidDate}
}

// changed is the date of the last change that a page shows around its title, when it tells no other: readers take that
// for the page's. Its confidence says that it is a makeshift.
func (f *finder) changed() answer {
	s, far := f.shown.published, f.shown.far // that of the last change, by what the page declares
	// Not the published one: the one that is labelled as the last change.
	if s == nil || f.shown.isFar() {
		s, far = f.shown.updated, f.shown.updatedFar
	}
	if s == nil || far > maxFarChanged || !f.past(s) || f.ofList() {
		return answer{}
	}
	return answer{fromText, []string{s.String()}, changedDate}
}

// Confidences are the shares of right dates among those of the benchmark that are given for the same reason
// (TestExtract_benchmark, which also says how well they hold on hosts that were left out). They count all pages for
// which the same rule decided; a date where the label has none is wrong, however true.
const (
	sureDate       = 0.99 // declared and shown
	saidDate       = 0.84 // shown alone
	metaDate       = 0.86 // declared alone, in <meta>
	filledDate     = 0.65 // declared alone, in JSON-LD or microdata
	soleDate       = 0.76 // the only one that is shown
	pathDate       = 0.95 // of the URL
	changedDate    = 0.56 // of the last change
	scriptDate     = 0.6  // out of sight, in scripts
	farChangedDate = 0.27 // of the last change, far from the title
)

// declaredDate is the date that the page declares, or that of its URL.
func (f *finder) declaredDate() answer {
	// The first source that has a date, in the order of sources.go.
	a := f.first(declaredPublished)
	if a.values == nil {
		return f.urlDate()
	}
	// Frameworks fill in JSON-LD and microdata with whatever day the page was made; people see OpenGraph's in previews.
	a.confidence = metaDate
	if a.source == fromJSONLD || a.source == fromMicrodata {
		a.confidence = filledDate
	}
	return a
}

// sameDay is the first answer that gives one of the days.
func (f *finder) sameDay(sources []source, days ...string) (answer, bool) {
	for _, s := range sources {
		for _, v := range s.ask(f) {
			// The first ten bytes of a date are its day, whatever follows.
			if len(v) >= len(time.DateOnly) && slices.Contains(days, v[:len(time.DateOnly)]) {
				return answer{source: s.name, values: []string{v}}, true
			}
		}
	}
	return answer{}, false
}

// modified is what the page declares, or what it shows as such. It never takes a date without a label.
func (f *finder) modified() answer {
	a := f.first(declaredModified)
	if s := f.shown.updated; a.values == nil && s != nil && f.past(s) {
		return answer{source: fromText, values: []string{s.String()}}
	}
	return a
}

// urlDate is the day that is a part of the URL's path: /2016/02/09/, /2016/feb/09/, /2016-02/09/, /2016-02-09-slug,
// /20160209/.
func (f *finder) urlDate() answer {
	_, path, _ := strings.Cut(f.p.URL, "://")
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	// The host comes first, and is no part of the path.
	for i := strings.IndexByte(path, '/'); i >= 0; {
		path = path[i+1:]
		if day := dayAt(path, f.locale.language); day != "" {
			// dates drops what is not a day.
			if v := f.dates([]string{day}); v != nil {
				return answer{fromURL, v, pathDate}
			}
		}
		i = strings.IndexByte(path, '/')
	}
	return answer{}
}

// dayAt is the day that a part of a path begins with, as year-month-day, or "". What is between year, month and day is
// a slash, a hyphen, an underscore, or nothing at all; then all digits have to be there.
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
		// A name, of which monthOf makes a number.
		if m := monthOf(rest[:end], language); m != 0 {
			month, rest, apart = strconv.Itoa(m), rest[end+1:], true
		}
	}
	if !apart {
		least = 2
	}
	day, rest, apart := dayPart(rest, least, 2)
	// A number that goes on is not a day.
	if month == "" || day == "" || !apart && rest != "" && rest[0] != '.' {
		return ""
	}
	return year + "-" + month + "-" + day
}

// dayPart cuts a number of least to most digits off a path, with what divides it from the next: apart reports whether
// something does.
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
