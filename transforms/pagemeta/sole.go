package pagemeta

import (
	"slices"
	"strings"
)

// soleDate is the date that a page shows far from its title, when it is the only one: where a label or the name of its
// element says that it is a date of publication, or where the page is a thread, whose first post it is of. It goes
// over the whole page, so it is asked last.
func (f *finder) soleDate() answer {
	// Without a title: nothing is apart from an article then, and distances count from the page's
	// beginning.
	w := walk{p: f.p, limit: maxSolePieces}
	for b := range f.p.Blocks {
		// Long blocks are prose, in which dates are of other things.
		if block := &f.p.Blocks[b]; int(block.End-block.Start) <= longPiece {
			w.block(b)
		}
	}
	var s shown
	s.look(w.pieces, f.locale)
	f.sole = s
	switch {
	case s.published == nil || !f.past(s.published):
		return answer{}
	// The only date, and something says that it is one; or any first date of a thread.
	case s.others == 0 && (s.labelled || s.byline || s.hinted && f.article()), f.isThread():
	default:
		return answer{}
	}
	if _, ok := f.sameDay(declaredModified, s.published.Day()); ok {
		return answer{} // the page shows when it was changed
	}
	return answer{fromText, []string{s.published.String()}, soleDate}
}

// lastResort is a date that the page holds out of its readers' sight, or else the only one that is shown anywhere, if
// it says that it is of the last change.
func (f *finder) lastResort() answer {
	if v := f.dates(f.rootDates()); v != nil {
		return answer{fromMeta, v, scriptDate}
	}
	if f.article() || f.isThread() {
		if v := f.dates(f.scriptDates()); v != nil {
			return answer{fromScript, v, scriptDate}
		}
	}
	s := &f.sole
	if s.published != nil || s.updated == nil || s.others > 0 || !f.past(s.updated) || f.isManual() {
		return answer{}
	}
	return answer{fromText, []string{s.updated.String()}, farChangedDate}
}

// rootDates are the dates of publication that templates write on <html>, <body> and the page's <article>.
func (f *finder) rootDates() (all []string) {
	for _, i := range f.roots {
		for _, name := range rootAttributes {
			if v, ok := f.p.Attr(int(i), name); ok {
				all = append(all, v)
			}
		}
	}
	if len(all) > maxRootDates {
		return nil // a list of articles
	}
	return all
}

// rootAttributes are the attributes that hold them.
var rootAttributes = []string{
	"data-pubdate", "data-published", "data-publish-date", "data-published-at", "data-date-published",
}

// maxRootDates is how many elements of one page may say its date.
const maxRootDates = 2

// manualNames are the parts of hosts and paths by which manuals are called. Their pages have no day of publication, and
// that of the last change is often of the whole.
var manualNames = strings.Fields("docs doc documentation developer developers manual reference api wiki " +
	"handbook man support help")

// isManual reports whether the page's URL is one of a manual.
func (f *finder) isManual() bool {
	return slices.ContainsFunc(strings.FieldsFunc(f.key, func(r rune) bool { return r == '/' || r == '.' }),
		func(part string) bool { return slices.Contains(manualNames, part) })
}

// maxSolePieces bounds the pieces of text that the only date is looked for in.
const maxSolePieces = 2000

// threadNames are the words in URLs by which programs for forums call a thread.
var threadNames = []string{"viewtopic", "showthread", "thread", "/t/", "/comments/"}

// isThread reports whether the page's URL is one of a thread in a forum. Such URLs are made by the program, so they can
// be relied on.
func (f *finder) isThread() bool {
	_, path, _ := strings.Cut(strings.ToLower(f.p.URL), "//")
	_, path, _ = strings.Cut(path, "/")
	for _, name := range threadNames {
		if strings.Contains("/"+path, name) {
			return true
		}
	}
	return false
}
