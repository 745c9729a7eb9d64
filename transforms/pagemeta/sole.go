package pagemeta

import (
	"slices"
	"strings"
)

// soleDate is the only date on a page without a date near the title. A label or the name of its element must say that
// it is of publication, or it is of a thread's first post. It reads the whole page, so it comes last.
func (f *finder) soleDate() answer {
	// Without a title nothing is apart from an article, and distances count from the start of the page.
	// Most blocks have one piece.
	w := walk{p: f.p, limit: maxSolePieces, pieces: make([]piece, 0, min(len(f.p.Blocks), maxSolePieces))}
	for b := range f.p.Blocks {
		// Long blocks are prose, in which dates are of other things.
		if block := &f.p.Blocks[b]; int(block.End-block.Start) <= longPiece {
			w.block(b)
		}
	}
	s := shown{sole: !f.isThread()}
	s.look(w.pieces, f.locale)
	f.sole = s
	switch {
	case s.published == nil || !f.past(s.published):
		return answer{}
	// The only date, and marked as one; or any first date of a thread.
	case s.others == 0 && (s.labelled || s.byline || s.hinted && f.article()), f.isThread():
	default:
		return answer{}
	}
	if _, ok := f.sameDay(declaredModified, s.published.Day()); ok {
		return answer{} // the visible date is the last change
	}
	return answer{fromText, []string{s.published.String()}, soleDate}
}

// lastResort is a date that readers do not see, or else the only visible one, if it is of the last change.
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

// rootDates are the dates of publication in attributes of <html>, <body> and the page's <article>.
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

var rootAttributes = []string{
	"data-pubdate", "data-published", "data-publish-date", "data-published-at", "data-date-published",
}

// maxRootDates is the most elements of a page with its date.
const maxRootDates = 2

// manualNames are parts of hosts and paths of manuals. Their pages have no day of publication, and the last change is
// often of the whole manual.
var manualNames = strings.Fields("docs doc documentation developer developers manual reference api wiki " +
	"handbook man support help")

// isManual reports whether the page's URL is of a manual.
func (f *finder) isManual() bool {
	return slices.ContainsFunc(strings.FieldsFunc(f.key, func(r rune) bool { return r == '/' || r == '.' }),
		func(part string) bool { return slices.Contains(manualNames, part) })
}

// maxSolePieces bounds the pieces that are searched for the only date.
const maxSolePieces = 2000

// threadNames are words in URLs of threads in forum software.
var threadNames = []string{"viewtopic", "showthread", "thread", "/t/", "/comments/"}

// isThread reports whether the page's URL is of a forum thread. Software makes such URLs, so they are reliable.
func (f *finder) isThread() bool {
	_, path, _ := strings.Cut(strings.ToLower(f.p.URL), "//")
	_, path, _ = strings.Cut(path, "/")
	path = "/" + path
	return slices.ContainsFunc(threadNames, func(name string) bool { return strings.Contains(path, name) })
}
