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
			return a // of the first post; what stands around the title may be of its author or of an answer
		}
	}
	if a := f.datedByTitle(); a.values != nil {
		return a
	}
	if a := f.soleDate(); a.values != nil {
		return a
	}
	return f.changed()
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

// Confidences are the shares of right dates among those of the tuning part of the benchmark that are given for the same
// reason (TestExtract_benchmark). They count all pages for which the same rule decided.
const (
	sureDate    = 0.99 // declared and shown
	saidDate    = 0.79 // declared, or shown, alone
	soleDate    = 0.8  // the only one that is shown
	pathDate    = 0.9  // of the URL
	changedDate = 0.5  // of the last change
)

// declaredDate is the date that the page declares, or that of its URL.
func (f *finder) declaredDate() answer {
	// The first source that has a date, in the order of sources.go.
	a := f.first(declaredPublished)
	if a.values == nil {
		return f.urlDate()
	}
	a.confidence = saidDate
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

// urlDate is the day that is a part of the URL's path: /2016/02/09/, /2016/feb/09/. Three parts of the path behind
// each other; the last of them may be followed by anything.
func (f *finder) urlDate() answer {
	var year, month string
	for day := range strings.SplitSeq(f.p.URL, "/") {
		// "feb" becomes "2".
		if m := monthOf(month); m != 0 {
			month = strconv.Itoa(m)
		}
		if len(year) == 4 && len(month) <= 2 && len(day) <= 2 {
			// dates drops what is no day.
			if v := f.dates([]string{year + "-" + month + "-" + day}); v != nil {
				return answer{fromURL, v, pathDate}
			}
		}
		year, month = month, day
	}
	return answer{}
}
