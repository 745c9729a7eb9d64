package source

import (
	"cmp"
	"slices"
)

// Evidence is what a verdict rests on. Shares are 0 to 1, of the pages that answered, where nothing else is said.
type Evidence struct {
	Items     int     // known of the feed, each once
	Distinct  float64 // share of links that no other item has
	OnSite    float64 // share of items whose link leads to the feed's or the site's registrable domain
	Comments  float64 // share of items whose title is a comment's
	Titles    float64 // share of titles that no other item has
	Heading   int     // words of a title, of those that say something; 8 for more
	Filler    float64 // share of items that a program or a theme put there, by title or text
	Spam      float64 // share of items whose title has words of spam
	Echoes    float64 // share of the newest items whose title names its subject twice
	Static    float64 // share of items whose title is that of a page which each site has
	Posted    float64 // share of items whose link says that they are posts: by a folder or a date
	Shown     float64 // share of items whose link says that they are projects, products, people
	Guides    float64 // share of items whose link, or the name of whose site, says that they are documentation
	Tries     float64 // share of the newest items whose link is named like what somebody makes to try a program
	Own       int     // items that are none of those: neither filler, nor static, nor shown, nor the front page
	OwnTimes  int     // the sittings of these
	AtOnce    float64 // share of the items that have the commonest time, to the second; 0 of fewer than three
	Sittings  int     // times at which items were published, a day or more apart
	Median    int     // words of a page
	Captured  int     // items whose page is captured
	Answered  float64 // share of the captured pages with status 200 that are not the front page or an error page
	Duplicate float64 // share of pages that are the same as another item's
	Agreeing  float64 // share of pages whose title agrees with the item's
	Articles  float64 // share of pages that are articles or threads
	Goods     float64 // share of pages of shops and companies
	Manuals   float64 // share of pages that are documentation
	Dated     float64 // share of items with a date
	Written   float64 // share of pages that have a text
}

// linked is an item with the page that it links to.
type linked struct {
	Item
	page *Page // the zero Page where it was not captured
}

// noPage is that of an item without one: nobody writes to it.
var noPage Page

// linked are the items with their pages, each once: the event in which it was seen first.
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

// itemIDs are the ids of the items, sorted.
func (s State) itemIDs() []uint64 {
	ids := make([]uint64, 0, len(s.Items))
	for _, i := range s.Items {
		ids = append(ids, i.ID)
	}
	slices.Sort(ids)
	return ids
}

// once leaves each item once.
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

// pageList are pages sorted by their links, as a state has them. Search in it is faster than a map, which would be made
// for each of hundreds of thousands of sources.
type pageList []Page

// at is the page of a link, noPage, whose Link is 0, where there is none.
func (l pageList) at(link uint64) *Page {
	// slices.BinarySearchFunc would copy each page that it looks at, of 250 bytes.
	low, high := 0, len(l)
	for low < high {
		if middle := (low + high) / 2; l[middle].Link < link {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(l) || l[low].Link != link {
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
	// Clones, since DeleteFunc works in the memory of the list that it is given.
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

// It gives a test for share.
func marked(mark ItemMarks) func(linked) bool {
	return func(p linked) bool { return p.Marks&mark != 0 }
}

// agreement is the share of pages whose title agrees with the item's, of those where both have one: a missing title
// says nothing against a page. It is 1 where no pair has both.
func agreement(items []linked) float64 {
	items = slices.DeleteFunc(slices.Clone(items), func(p linked) bool {
		return p.Words == [8]uint16{} || p.page.Signature == [8]uint16{}
	})
	if len(items) == 0 {
		return 1
	}
	return share(items, func(p linked) bool { return Agreement(p.Words, p.page.Signature) >= agreeing })
}

// sittings counts the groups of items between which a day or more passed.
func sittings(items []linked) (n int) {
	times := make([]int64, 0, len(items))
	for _, i := range items {
		times = append(times, i.Time)
	}
	slices.Sort(times)
	for k, t := range times {
		// The first item begins a sitting; so does each one that comes a day or more after the one before.
		if k == 0 || t-times[k-1] >= 24*3600 {
			n++
		}
	}
	return n
}

// atOnce is the commonest date of the items, to the second, and the share of the items that have it; 0 of a few. A date
// that is a day's, or an edition's, is one only where nothing has come since for long: else it is today's news. A
// sitemap's dates say when pages were changed, which a site may be as a whole.
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

// distinctTitles is the share of titled items whose title no item before has; 1 where none has a title.
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

// medianHeading is how many words a title has, by the hashes that are kept of it; 0 of none.
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

// silent is the time from the newest item to the last visit, in seconds.
// Visits and items have their newest first.
func (s State) silent() int64 {
	if len(s.Items) == 0 || len(s.Visits) == 0 {
		return 0
	}
	return s.Visits[0].Time - s.Items[0].Time
}

// answered reports whether the page is what the link promised to lead to.
func (p Page) answered() bool {
	// The status 0 is that of a capture without one, as of a file that no server sent.
	return (p.Status == 200 || p.Status == 0) && p.Marks&(MovedToRoot|NotFound) == 0
}

// duplicates is the share of items whose page says what another item's page says, under another link.
func duplicates(items []linked) float64 {
	// The main text's hash and the title: pages without text, which all have the hash 0, are told apart by their titles.
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
		// They are sorted by link: the first and the last tell whether there are two.
		if list[from].link != list[to-1].link {
			same += to - from
		}
	}
	return float64(same) / float64(max(1, len(items)))
}

// share is that of the items which a test holds for; 0 of none.
func share(items []linked, test func(linked) bool) float64 {
	n := 0
	for _, i := range items {
		if test(i) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(items)))
}

// isFiller reports whether a program or a theme has put the item there.
func (p linked) isFiller() bool { return p.Marks&Placeholder != 0 || p.page.Marks&Filler != 0 }

// own are the items that are pieces of the source's own: neither filler nor pages that each site has, nor what it has
// to show. Programs put all pages of a site into its feed: so where some items have dates, those without are pages;
// those of the time at which it was built, 0 for none, are, except for posts; and where some are in folders of posts,
// those in no folder are.
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
	// Posts may be in no folder, too: then they came one by one, and are more than those that are in one.
	if slices.ContainsFunc(posts, isPosted) && (len(tops) <= len(posts) || sittings(tops) < 2) {
		return posts
	}
	return own
}
