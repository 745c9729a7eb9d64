package source

const (
	Valid     = "valid"     // it publishes written pieces, on pages that exist
	Rejected  = "rejected"  // it does not
	Undecided = "undecided" // the captures do not decide
)

// The thresholds of Judge, chosen on the given halves (docs/sources.md).
const (
	leastItems    = 2 // pieces that a source has published
	mostComments  = 0.6
	leastOnSite   = 0.5
	leastAnswered = 0.3 // of the captured pages
	mostDuplicate = 0.5
	leastAgreeing = 0.4 // pages with the item's title
	agreeing      = 0.5 // of the words of the shorter title
	leastWords    = 40  // of a page with a text
	leastWritten  = 0.3 // pages with a text
	mostGoods     = 0.5
	mostManuals   = 0.7
	mostUndated   = 0.5 // of documentation recognised by its links
	leastDated    = 0.9
	halfFiller    = 0.5 // of the pieces; one may be left over
	mostSpam      = 0.5
	leastAtOnce   = 3 // items with the time, as a few share it by chance
	fewItems      = 5
	roundTime     = 1800 // seconds: dates of a whole day in any zone are multiples of it
	leastMixed    = 0.3  // of the items have dates, so that those without differ
	leastPosted   = 0.5
	longAgo       = 30 * 24 * 3600 // seconds
	// Of a publication that goes on, by its feed alone: see Evidence.goesOn.
	leastSittings = 5
	titlesMatch   = 0.8
	fewDuplicates = 0.2
	mostStatic    = 0.25
	// Likewise, for posts by their links.
	leastPostTimes  = 3
	leastPostTitles = 0.6
	longText        = 600 // words of a page that is more than an entry of a list
	// A catalogue that was filled at once: so many items at so few times, so long before the last visit, all short.
	catalogueItems    = 5
	catalogueSittings = 2
	catalogueWords    = 150 // median of its pages
)

// limits are the thresholds for the feed alone; TestJudge_folds tries others.
type limits struct {
	distinct float64 // of the items: unique links or titles
	filler   float64 // of the pieces: several came with the software
	tries    float64
	heading  float64 // words of a title that is more than a name, without dates
	static   float64
	shown    float64
	atOnce   float64 // of the items share a time
}

var chosen = limits{distinct: 0.5, filler: 0.4, tries: 0.75, heading: 4, static: 0.25, shown: 0.8, atOnce: 0.5}

// Judge reports whether a source is real, with the reasons and the evidence. Reasons come from a closed list, of which
// the first decides:
//
//	empty               it was captured and shows no item
//	never captured      it is only announced
//	one item            fewer than two pieces
//	placeholder         its items came with the software
//	comments            its items are comments on pages
//	spam                its titles are made for search engines, or by a program from a list
//	pages               its items are pages of the site: contact, imprint, or all that a program has built at once
//	list                its items are not pieces: names of categories, projects, products, people, or links or titles
//	                    that are all the same
//	catalogue           it was filled at once with short entries, and nothing came since
//	elsewhere           its items link to other sites, and have no page of their own
//	broken links        its links cannot be followed as they are written
//	nothing captured    no page of an item is in the archives
//	gone                the pages did not respond, or were moved to the front page
//	same page           many items, one page
//	titles disagree     the pages have other titles than the items
//	no text             the pages have none
//	no articles         the pages are those of a shop or a company, or a manual without dates
//
// The order of the cases is the rule. Evidence of the feed comes before that of pages, which may not be captured, and
// certain evidence before likely.
func Judge(s State) (verdict string, reasons []string, e Evidence) { return judge(s, chosen) }

func judge(s State, l limits) (verdict string, reasons []string, e Evidence) {
	s.Items = united(s.Items)
	items := s.linked()
	in := s.sections()
	e = evidence(items, in)
	e.Tries, e.Echoes = s.tries(), s.echoes()
	if e.Dated < mostUndated && s.isManual() {
		e.Guides = share(items, func(p linked) bool { return in[p.ID] == manual || in[p.ID] == unnamed || in[p.ID] == top })
	}
	var built int64
	if built, e.AtOnce = s.atOnce(items); e.AtOnce < l.atOnce {
		built = 0
	}
	own := s.own(items, in, built)
	e.Own, e.OwnTimes = len(own), sittings(own)
	switch {
	// Only pages announced it, which says nothing of its content.
	case len(items) == 0 && s.Info.Time == 0:
		return Undecided, []string{"never captured"}, e
	case len(items) == 0:
		return Rejected, []string{"empty"}, e
	case e.Comments >= mostComments:
		return Rejected, []string{"comments"}, e
	case e.isSample(l):
		return Rejected, []string{"placeholder"}, e
	case max(e.Spam, e.Echoes) >= mostSpam:
		return Rejected, []string{"spam"}, e
	// Such pages count only if little else is left, or nothing that went on.
	case e.Static >= l.static && (e.Own < leastItems || e.OwnTimes < 2 && e.Posted == 0):
		return Rejected, []string{"pages"}, e
	case e.isBuilt(l) && s.silent() > longAgo:
		return Rejected, []string{"pages"}, e
	// Some programs date all items by the time of the request: further visits decide.
	case e.isBuilt(l):
		return Undecided, []string{"pages"}, e
	case e.Items < leastItems || e.Own < leastItems && e.Shown == 0:
		return Rejected, []string{"one item"}, e
	case e.Distinct < l.distinct || e.Titles <= l.distinct || s.urlClass() == ClassList || e.isShow(l):
		return Rejected, []string{"list"}, e
	// The links cannot be followed as written, so the pages are unknown: a mistake of the feed, but not a verdict on
	// its content.
	case share(items, marked(Unfollowed)) >= 1:
		return Undecided, []string{"broken links"}, e
	case e.OnSite < leastOnSite:
		return Rejected, []string{"elsewhere"}, e
	// From here on pages count.
	case e.Captured == 0:
		return Undecided, []string{"nothing captured"}, e
	case e.isCatalogue() && (s.silent() > longAgo || e.Dated < leastDated):
		return Rejected, []string{"catalogue"}, e
	}
	reasons = pageReasons(e)
	switch {
	// Nothing shows that it publishes: some programs list all pages of a site so. Further visits decide.
	case len(reasons) == 0 && e.isTimeless(l) && s.Info.Type != "sitemap":
		return Undecided, []string{"pages"}, e
	case len(reasons) == 0:
		return Valid, nil, e
	case e.Captured < leastItems:
		return Undecided, reasons, e // one failing page may be the exception
	}
	return Rejected, reasons, e
}

// isSample reports whether half of the pieces came with the software, or several and two fifths. Active authors leave
// one of them, and a theme has more than titles show.
func (e Evidence) isSample(l limits) bool {
	fillers := e.Filler * float64(e.Items)
	share := fillers / max(1, fillers+float64(e.Own))
	return e.Tries >= l.tries || share >= halfFiller || share >= l.filler && fillers > 1.5
}

// isBuilt reports whether half of the items share one time, as a program gives it to all pages of a site when building
// it. The rest must be fewer than two, or few without posts: see own.
func (e Evidence) isBuilt(l limits) bool {
	few := e.Own < leastItems || e.Posted == 0 && e.OwnTimes < leastSittings
	return e.AtOnce >= l.atOnce && few && e.Shown == 0
}

// isShow reports whether the items are things to show, and not pieces. Long texts over time are pieces, such as
// reports of makers.
func (e Evidence) isShow(l limits) bool {
	if e.Shown < l.shown {
		return e.Shown > 0 && e.Own < leastItems
	}
	return e.Median < longText || e.Sittings < leastSittings || e.Articles < titlesMatch
}

// goesOn reports whether the feed alone shows a publication: its pieces came over time, each on a page of its own with
// the piece's title. Then neither a missing text, as on a page of pictures, nor the type of its pages counts against
// it.
func (e Evidence) goesOn() bool {
	long := e.Sittings >= leastSittings && e.Agreeing >= titlesMatch
	posts := e.Posted >= leastPosted && e.Sittings >= leastPostTimes && e.Agreeing >= leastPostTitles
	return e.Dated >= leastDated && e.Duplicate <= fewDuplicates && e.Static < mostStatic && (long || posts)
}

// isTimeless reports whether nothing shows that it publishes. No item has a date or came later, titles are names and
// not headings, and few or no links are of posts.
func (e Evidence) isTimeless(l limits) bool {
	return e.Dated == 0 && e.Sittings < 2 && float64(e.Heading) < l.heading && (e.Posted == 0 || e.Items < fewItems)
}

// isCatalogue reports whether it was filled at once with short entries. All signs are needed, and also the silence in
// Judge. A new blog has few sittings as well, and a news feed may have short pages.
func (e Evidence) isCatalogue() bool {
	return e.Items >= catalogueItems && e.Sittings <= catalogueSittings && e.Median < catalogueWords
}

// pageReasons are the reasons against a source from its pages.
func pageReasons(e Evidence) (reasons []string) {
	for _, test := range []struct {
		reason string
		fails  bool
	}{
		{"gone", e.Answered < leastAnswered},
		{"same page", e.Duplicate > mostDuplicate},
		// A page that did not respond has neither title nor text, so only others count.
		{"titles disagree", e.Answered > 0 && e.Agreeing < leastAgreeing},
		{"no text", e.Answered > 0 && e.Written < leastWritten && !(e.Sittings >= leastSittings && e.goesOn())},
		// Blogs with code look like documentation page by page, so that alone says nothing; and no shop calls its
		// goods posts.
		{"no articles", e.Goods > e.Articles && e.Goods >= mostGoods && !(e.Posted >= leastPosted && e.goesOn()) ||
			e.Manuals >= mostManuals && e.Articles <= 1-mostManuals && e.Dated < leastDated ||
			e.Guides >= mostManuals && e.Dated < mostUndated},
	} {
		if test.fails {
			reasons = append(reasons, test.reason)
		}
	}
	return reasons
}
