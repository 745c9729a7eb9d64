package source

import (
	"bytes"
	"cmp"
	"slices"
	"time"
)

// What a State keeps at most. The lists are the first of all that was ever seen, in an order that does not depend on
// when it was seen.
const (
	MaxItems     = 256 // the newest
	MaxEntries   = 32  // the newest
	MaxVisits    = 64  // the newest
	MaxPages     = 64  // those with the smallest hashes: a sample
	MaxAnnounces = 16  // likewise
	MaxAliases   = 16  // the first by their text
)

// State is all that is kept of a source. The zero State is one of which nothing is known. All lists are sorted, without
// two elements of one key; Merge keeps that, and Decode checks it. Times are Unix seconds.
type State struct {
	First, Last int64 // capture times of the first and the last thing known of it; 0 for nothing
	Info        Info
	Items       []Item
	Entries     []Entry
	Visits      []Fetch
	Pages       []Page
	Announces   []Announce
	Aliases     []Alias
}

// Info is what the feed says of itself at its last visit that showed a feed.
type Info struct {
	Time                       int64 // of the capture; 0 when it was never captured
	URL, Type                  string
	Title, Link                string // of the site
	Self, Language, Publisher  string
	MaxAge, Period, TTLMinutes int64 // hints of when to come, in seconds, seconds and minutes; 0 for none
}

// Item is what a feed said of one page, in some bytes: enough to count, to date and to compare with the page.
type Item struct {
	ID    uint64 // hash of its id, else of its link
	Link  uint64 // hash of its link's key
	Time  int64  // published, else updated, else First
	First int64  // capture time of the first visit that showed it
	Marks ItemMarks
	Words [8]uint16 // of its title: see Signature
}

// Published is the date that the feed gives the item, UTC; zero for none.
func (i Item) Published() time.Time {
	if i.Marks&Dated == 0 {
		return time.Time{}
	}
	return time.Unix(i.Time, 0).UTC()
}

// ItemMarks are what is told of an item from its text, which is not kept.
type ItemMarks uint8

// The marks of an item.
const (
	Dated       ItemMarks = 1 << iota // Time is the feed's
	OffSite                           // its link leads to another registrable domain than the feed's and its site's
	CommentLike                       // the title is that of a comment ("Comment on …", "Re: …")
	Unfollowed                        // the link can't be followed as it is written
	Placeholder                       // the title is one that a program put there ("Hello world!")
	Untitled
	Spam       // the title has a word of gambling, drugs or the like that pages for search engines are made of
	StaticPage // the title is that of a page which each site has (contact, imprint, privacy)
)

// Entry is an item with its texts.
type Entry struct {
	Time  int64
	ID    uint64 // as the Item's
	URL   string // 2,048 bytes at most
	Title string // 300 bytes at most
}

// Fetch is one capture of the feed.
type Fetch struct {
	Time int64
	// 0 of a visit that brought none, as one that was answered 304 or failed.
	Digest uint64 // of the payload
	Items  uint32
	Status uint16
}

// Announce is a page that names the feed.
type Announce struct {
	Page  uint64 // hash of its key
	URL   string // of the feed as it is written there; 2,048 bytes at most
	Class string
	Title string // that it gives the feed; 300 bytes at most
}

// Alias is another URL of the feed, and why it is one.
type Alias struct {
	URL      string // 2,048 bytes at most
	Evidence string // BySelf: the feed says so
}

// Merge joins what two crawls, or two parts of one, know of a source. It is commutative, associative and idempotent:
// each list is the first of a union under a total order, and where two elements have one key, the result is the
// greatest in each of their fields, or the whole of the greater one. The parts are not changed.
func Merge(a, b State) State {
	return State{
		First:     earliest(a.First, b.First),
		Last:      max(a.Last, b.Last),
		Info:      greater(a.Info, b.Info, compareInfo),
		Items:     union(a.Items, b.Items, MaxItems, orderItems, joinItems),
		Entries:   union(a.Entries, b.Entries, MaxEntries, orderEntries, takeGreater(compareEntries)),
		Visits:    union(a.Visits, b.Visits, MaxVisits, compareFetches, takeFirst[Fetch]),
		Pages:     union(a.Pages, b.Pages, MaxPages, orderPages, takeGreater(comparePages)),
		Announces: union(a.Announces, b.Announces, MaxAnnounces, orderAnnounces, takeGreater(compareAnnounces)),
		Aliases:   union(a.Aliases, b.Aliases, MaxAliases, orderAliases, takeGreater(compareAliases)),
	}
}

// union joins two sorted lists into the first n of their union. Elements of one key are joined by pick. It is
// associative because the first n of a union are made of the first n of each of its parts alone.
// The lists come sorted and each key once, and go out so.
func union[T any](a, b []T, n int, order func(x, y T) int, pick func(x, y T) T) []T {
	// nil for an empty list, so that two states that hold the same are equal.
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	out := make([]T, 0, min(n, len(a)+len(b)))
	// Each step takes one of the two heads, so out comes sorted, and n bounds it whatever the parts hold.
	for len(out) < n && len(a)+len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && order(a[0], b[0]) < 0:
			out, a = append(out, a[0]), a[1:]
		case len(a) == 0 || order(a[0], b[0]) > 0:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, pick(a[0], b[0])), a[1:], b[1:]
		}
	}
	return out
}

// sorted brings a list that was collected in any order into the order and the bound of the state's lists.
// It works in the list's own memory: the caller gives it away.
func sorted[T any](list []T, n int, order func(x, y T) int, pick func(x, y T) T) []T {
	// Not a stable sort: elements of one key are joined by pick, for which their sequence makes no difference.
	slices.SortFunc(list, order)
	out := list[:0]
	for _, x := range list {
		if last := len(out) - 1; last >= 0 && order(out[last], x) == 0 {
			out[last] = pick(out[last], x)
			continue
		}
		out = append(out, x)
	}
	// Clipped: what is appended later gets memory of its own.
	return slices.Clip(out[:min(n, len(out))])
}

// Of is the state that one part of a crawl gives: the lists may be in any order and of any length.
func Of(s State) State {
	s.Items = sorted(s.Items, MaxItems, orderItems, joinItems)
	s.Entries = sorted(s.Entries, MaxEntries, orderEntries, takeGreater(compareEntries))
	s.Visits = sorted(s.Visits, MaxVisits, compareFetches, takeFirst[Fetch])
	s.Pages = sorted(s.Pages, MaxPages, orderPages, takeGreater(comparePages))
	s.Announces = sorted(s.Announces, MaxAnnounces, orderAnnounces, takeGreater(compareAnnounces))
	s.Aliases = sorted(s.Aliases, MaxAliases, orderAliases, takeGreater(compareAliases))
	return s
}

// earliest takes 0 for "not known", which is later than every time.
func earliest(a, b int64) int64 {
	// One of the two is 0 here, so the greater one is the one that is known.
	if a == 0 || b == 0 {
		// The one that is known, or 0 for neither.
		return max(a, b)
	}
	return min(a, b)
}

func greater[T any](a, b T, compare func(x, y T) int) T {
	if compare(a, b) >= 0 {
		return a
	}
	return b
}

// It makes a rule for elements of one key out of an order of all their other fields.
func takeGreater[T any](compare func(x, y T) int) func(x, y T) T {
	return func(x, y T) T { return greater(x, y, compare) }
}

// takeFirst is for lists whose order compares all of an element: two of one key are the same.
func takeFirst[T any](x, _ T) T { return x }

func compareInfo(a, b Info) int {
	return cmp.Or(
		// The newest counts. All other fields stand after it only so that no two that differ are equal.
		cmp.Compare(a.Time, b.Time), cmp.Compare(a.URL, b.URL), cmp.Compare(a.Type, b.Type),
		cmp.Compare(a.Title, b.Title), cmp.Compare(a.Link, b.Link), cmp.Compare(a.Self, b.Self),
		cmp.Compare(a.Language, b.Language), cmp.Compare(a.Publisher, b.Publisher), cmp.Compare(a.MaxAge, b.MaxAge),
		cmp.Compare(a.Period, b.Period), cmp.Compare(a.TTLMinutes, b.TTLMinutes),
	)
}

// orderItems has the newest first. An item whose date was changed is there twice: to take one away under a bound
// would make the result depend on the order of merging, so that is left to callers that read the state.
func orderItems(a, b Item) int { return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.ID, b.ID)) }

// Each field on its own goes one way only, up or down, so the sequence of merging does not matter.

func joinItems(a, b Item) Item {
	// When it was first seen can only become earlier, by a crawl that is merged later.
	a.First = min(a.First, b.First)
	a.Link = max(a.Link, b.Link)
	a.Marks |= b.Marks
	if slices.Compare(a.Words[:], b.Words[:]) < 0 {
		a.Words = b.Words
	}
	return a
}

func orderEntries(a, b Entry) int {
	return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.ID, b.ID))
}

func compareEntries(a, b Entry) int {
	return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(a.Title, b.Title))
}

// compareFetches has the newest first, and tells all captures apart.
func compareFetches(a, b Fetch) int {
	return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Digest, b.Digest), cmp.Compare(a.Status, b.Status),
		cmp.Compare(a.Items, b.Items))
}

func orderAnnounces(a, b Announce) int { return cmp.Compare(a.Page, b.Page) }

func compareAnnounces(a, b Announce) int {
	return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Title, b.Title))
}

func orderAliases(a, b Alias) int   { return cmp.Compare(a.URL, b.URL) }
func compareAliases(a, b Alias) int { return cmp.Compare(a.Evidence, b.Evidence) }

// Equal reports whether two states are the same.
// The encoding has one form for each state.
func Equal(a, b State) bool { return bytes.Equal(Encode(nil, a), Encode(nil, b)) }

// Dates are those of the items, each once, by its earliest event: an item whose date moves on is not a new one. Items
// without a date have the time at which they were first seen, when that was not the first visit (whose items may be of
// any age).
func (s State) Dates() (dates []time.Time) {
	s.Items = united(s.Items)
	var seen map[uint64]int64
	// Only then: where all items are dated, it is not asked for.
	if s.hasUndated() {
		seen = s.firstSeen()
	}
	type event struct {
		id   uint64
		when int64
	}
	// Sorted lists and no maps: this is asked of each source of a Source DB.
	events := make([]event, 0, len(s.Items))
	for _, i := range s.Items {
		// Its age is not known: it would be a burst at the time of the first visit, which it was not.
		if i.Marks&Dated == 0 && seen[i.ID] == s.firstVisit() {
			continue
		}
		// A date that lies after the visit that showed it is a mistake or an announcement.
		// The earlier of the two is when it was published at the latest.
		events = append(events, event{i.ID, min(i.Time, i.First)})
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.when, b.when)) })
	events = slices.CompactFunc(events, func(a, b event) bool { return a.id == b.id })
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.when, b.when) })
	dates = make([]time.Time, 0, len(events))
	for _, e := range events {
		dates = append(dates, time.Unix(e.when, 0).UTC())
	}
	return dates
}

// firstVisit is the time of the earliest visit known, 0 for none.
func (s State) firstVisit() int64 {
	if len(s.Visits) == 0 {
		return 0
	}
	// Of those that are kept: after MaxVisits it is no longer the very first.
	return s.Visits[len(s.Visits)-1].Time
}
