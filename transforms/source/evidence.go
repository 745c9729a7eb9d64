package source

import (
	"cmp"
	"slices"
)

// Evidence is the basis of a verdict. Shares are 0 to 1, of the pages that responded unless stated otherwise.
type Evidence struct {
	Items     int     // distinct items of the feed
	Distinct  float64 // share of links that no other item has
	OnSite    float64 // share of items with a link to the feed's or the site's registrable domain
	Comments  float64 // share of items with a comment's title
	Titles    float64 // share of titles that no other item has
	Heading   int     // words of a title without stop words, at most 8
	Filler    float64 // share of items that a program or theme has added, by title or text
	Spam      float64 // share of items with spam words in the title
	Echoes    float64 // share of the newest items whose title names its subject twice
	Static    float64 // share of items with the title of a page that every site has
	Posted    float64 // share of items whose link marks a post: by a folder or a date
	Shown     float64 // share of items whose link marks projects, products or people
	Guides    float64 // share of items whose link, or site name, marks documentation
	Tries     float64 // share of the newest items whose link is named like a trial of a program
	Own       int     // number of items of its own: neither filler, static, shown nor the front page
	OwnTimes  int     // sittings of these
	AtOnce    float64 // share of the items with the most frequent time, to the second; 0 for fewer than three
	Sittings  int     // times of publication, a day or more apart
	Median    int     // median words of a page
	Captured  int     // number of items with a captured page
	Answered  float64 // share of captured pages with status 200 that are not the front page or an error page
	Duplicate float64 // share of pages that equal another item's
	Agreeing  float64 // share of pages whose title agrees with the item's
	Articles  float64 // share of articles and threads
	Goods     float64 // share of pages of shops and companies
	Manuals   float64 // share of documentation
	Dated     float64 // share of items with a date
	Written   float64 // share of pages with a text
}

// linked is an item with the page it links to.
type linked struct {
	Item
	page *Page // zero Page if not captured
}

// noPage is the page of an item without one; it is never written to.
var noPage Page

// linked returns the items with their pages, each item once, by the event of its first sighting.
func (s State) linked() []linked {
	pages, list := pageList(s.Pages), make([]linked, 0, len(s.Items))
	for _, i := range s.Items {
		list = append(list, linked{i, pages.at(i.Link)})
	}
	// The same item may be in the state with two dates: see orderItems.
	if len(slices.Compact(s.itemIDs())) < len(list) {
		list = once(list)
	}
	return list
}

func (s State) itemIDs() []uint64 {
	ids := make([]uint64, 0, len(s.Items))
	for _, i := range s.Items {
		ids = append(ids, i.ID)
	}
	slices.Sort(ids)
	return ids
}

// once keeps each item once.
func once(list []linked) []linked {
	out, at := list[:0], map[uint64]int{}
	for _, p := range list {
		if k, ok := at[p.ID]; ok {
			if cmp.Or(cmp.Compare(p.First, out[k].First), cmp.Compare(p.Time, out[k].Time)) < 0 {
				out[k] = p
			}
			continue
		}
		at[p.ID] = len(out)
		out = append(out, p)
	}
	return out
}

// pageList is pages sorted by link, as in a state. A search in it is faster than making a map for each of hundreds of
// thousands of sources.
type pageList []Page

// at is the page of a link, or noPage, whose Link is 0, if no capture shows it.
func (l pageList) at(link uint64) *Page {
	// slices.BinarySearchFunc would copy each page it compares, 250 bytes.
	low, high := 0, len(l)
	for low < high {
		if middle := (low + high) / 2; l[middle].Link < link {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(l) || l[low].Link != link || l[low].Marks&Bare != 0 {
		return &noPage
	}
	return &l[low]
}

// evidence measures items and their pages.
func evidence(items []linked, in map[uint64]section) Evidence {
	stands := func(where section) func(linked) bool {
		return func(p linked) bool { return in[p.ID] == where }
	}
	e := Evidence{
		Items:    len(items),
		Distinct: float64(distinctLinks(items)) / float64(max(1, len(items))),
		OnSite:   share(items, func(p linked) bool { return p.Marks&(OffSite|Unfollowed) == 0 }),
		Comments: share(items, marked(CommentLike)),
		Spam:     share(items, marked(Spam)),
		Static:   share(items, marked(StaticPage)),
		Dated:    share(items, marked(Dated)),
		Sittings: sittings(items),
		Titles:   distinctTitles(items),
		Heading:  medianHeading(items),
		Filler:   share(items, linked.isFiller),
		Posted:   share(items, stands(posted)),
		Shown:    share(items, stands(shown)),
		Guides:   share(items, stands(manual)),
	}
	// Clones, since DeleteFunc changes its list.
	captured := slices.DeleteFunc(slices.Clone(items), func(p linked) bool { return p.page.Link == 0 })
	answered := slices.DeleteFunc(slices.Clone(captured), func(p linked) bool { return !p.page.answered() })
	e.Captured = len(captured)
	e.Answered = float64(len(answered)) / float64(max(1, len(captured)))
	e.Duplicate = duplicates(answered)
	e.Agreeing = agreement(answered)
	onPage := func(mark PageMarks) func(linked) bool {
		return func(p linked) bool { return p.page.Marks&mark != 0 }
	}
	e.Articles = share(answered, onPage(Article))
	e.Goods, e.Manuals = share(answered, onPage(Goods)), share(answered, onPage(Manual))
	e.Written = share(answered, func(p linked) bool { return p.page.Words >= leastWords })
	e.Median = medianWords(answered)
	return e
}

func distinctLinks(items []linked) int {
	links := make([]uint64, 0, len(items))
	for _, i := range items {
		links = append(links, i.Link)
	}
	slices.Sort(links)
	return len(slices.Compact(links))
}

// marked returns a test for share.
func marked(mark ItemMarks) func(linked) bool {
	return func(p linked) bool { return p.Marks&mark != 0 }
}

// agreement is the share of pages whose title agrees with the item's, among those where both have one. It is 1 if
// there are none.
func agreement(items []linked) float64 {
	items = slices.DeleteFunc(slices.Clone(items), func(p linked) bool {
		return p.Words == [8]uint16{} || p.page.Signature == [8]uint16{}
	})
	if len(items) == 0 {
		return 1
	}
	return share(items, func(p linked) bool { return Agreement(p.Words, p.page.Signature) >= agreeing })
}

// sittings counts the groups of items that are a day or more apart.
func sittings(items []linked) (n int) {
	times := make([]int64, 0, len(items))
	for _, i := range items {
		times = append(times, i.Time)
	}
	slices.Sort(times)
	for k, t := range times {
		// The first item begins a sitting; so does each item a day or more after the one before.
		if k == 0 || t-times[k-1] >= 24*3600 {
			n++
		}
	}
	return n
}

// atOnce is the most frequent date of the items, to the second, and the share of items with it; 0 for few. A date of a
// whole day counts only after a long silence: otherwise it is today's news. Dates of a sitemap are of changes, and a
// site may change as a whole.
func (s State) atOnce(items []linked) (when int64, share float64) {
	if s.Info.Type == "sitemap" {
		return 0, 0
	}
	times, old := make([]int64, 0, len(items)), s.silent() > longAgo
	for _, i := range items {
		if i.Marks&Dated != 0 && (old || i.Time%roundTime != 0) {
			times = append(times, i.Time)
		}
	}
	slices.Sort(times)
	most := 0
	for from, to := 0, 0; from < len(times); from = to {
		for to = from; to < len(times) && times[to] == times[from]; {
			to++
		}
		if to-from >= max(most, leastAtOnce) {
			when, most = times[from], to-from
		}
	}
	return when, float64(most) / float64(max(1, len(items)))
}

// distinctTitles is the share of titled items whose title is new; 1 without titles.
func distinctTitles(items []linked) float64 {
	titles := make([][8]uint16, 0, len(items))
	// Two titles of the same words count as one.
	for _, i := range items {
		if i.Words != [8]uint16{} {
			titles = append(titles, i.Words)
		}
	}
	if len(titles) == 0 {
		return 1
	}
	titled := len(titles)
	slices.SortFunc(titles, func(a, b [8]uint16) int { return slices.Compare(a[:], b[:]) })
	return float64(len(slices.Compact(titles))) / float64(titled)
}

// medianHeading is the median number of words of a title, by its kept hashes; 0 without titles.
func medianHeading(items []linked) int {
	lengths := make([]int, 0, len(items))
	for _, i := range items {
		n := 0
		for n < len(i.Words) && i.Words[n] != 0 {
			n++
		}
		lengths = append(lengths, n)
	}
	if len(lengths) == 0 {
		return 0
	}
	slices.Sort(lengths)
	return lengths[len(lengths)/2]
}

func medianWords(items []linked) int {
	words := make([]int, 0, len(items))
	for _, p := range items {
		words = append(words, int(p.page.Words))
	}
	if len(words) == 0 {
		return 0
	}
	slices.Sort(words)
	return words[len(words)/2]
}

// silent is the time from the newest item to the last visit, in seconds. Visits and items are sorted with the newest
// first.
func (s State) silent() int64 {
	if len(s.Items) == 0 || len(s.Visits) == 0 {
		return 0
	}
	return s.Visits[0].Time - s.Items[0].Time
}

// answered reports whether the page is the one that the link promised.
func (p Page) answered() bool {
	// A status of 0 means a capture without one, such as a file that no server sent.
	return (p.Status == 200 || p.Status == 0) && p.Marks&(MovedToRoot|NotFound) == 0
}

// duplicates is the share of items whose page equals another item's page under another link.
func duplicates(items []linked) float64 {
	// The main text's hash and the title: pages without text all have hash 0, and their titles differ.
	type what struct {
		simhash uint64
		title   string
		link    uint64
	}
	list := make([]what, 0, len(items))
	for _, p := range items {
		list = append(list, what{p.page.Simhash, p.page.Title, p.Link})
	}
	slices.SortFunc(list, func(a, b what) int {
		if a.simhash != b.simhash {
			return cmp.Compare(a.simhash, b.simhash) // nearly always
		}
		return cmp.Or(cmp.Compare(a.title, b.title), cmp.Compare(a.link, b.link))
	})
	same := 0
	for from, to := 0, 0; from < len(list); from = to {
		for to = from; to < len(list) && list[to].simhash == list[from].simhash && list[to].title == list[from].title; {
			to++
		}
		// Sorted by link: if the first and the last differ, there are two.
		if list[from].link != list[to-1].link {
			same += to - from
		}
	}
	return float64(same) / float64(max(1, len(items)))
}

// share is the share of the items for which a test holds; 0 without items.
func share(items []linked, test func(linked) bool) float64 {
	n := 0
	for _, i := range items {
		if test(i) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(items)))
}

// isFiller reports whether a program or theme has added the item.
func (p linked) isFiller() bool { return p.Marks&Placeholder != 0 || p.page.Marks&Filler != 0 }

// own are the pieces of the source itself: neither filler, nor pages that every site has, nor things to show. Programs
// put all pages of a site into its feed. So if some items have dates, those without are pages. Items with the time of
// a build are pages, too, except posts; built is 0 without a build. If some are in folders of posts, those in no
// folder are pages.
func (s State) own(items []linked, in map[uint64]section, built int64) (own []linked) {
	dated := share(items, marked(Dated))
	mixed := s.Info.Type != "sitemap" && dated >= leastMixed && dated < 1
	own = slices.DeleteFunc(slices.Clone(items), func(p linked) bool {
		where := in[p.ID]
		return p.isFiller() || p.Marks&StaticPage != 0 || where == shown || where == front ||
			mixed && p.Marks&Dated == 0 || built != 0 && p.Time == built && where != posted
	})
	isTop := func(p linked) bool { return in[p.ID] == top }
	posts := slices.DeleteFunc(slices.Clone(own), isTop)
	tops := slices.DeleteFunc(slices.Clone(own), func(p linked) bool { return !isTop(p) })
	isPosted := func(p linked) bool { return in[p.ID] == posted }
	// Posts may be in no folder, too: then they came one by one, and are more than those in one.
	if slices.ContainsFunc(posts, isPosted) && (len(tops) <= len(posts) || sittings(tops) < 2) {
		return posts
	}
	return own
}
