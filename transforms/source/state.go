package source

import (
	"cmp"
	"slices"
	"time"
)

// The most elements of a State's lists. Each list is the first of everything ever seen, in an order that does not
// depend on when it was seen.
const (
	MaxItems     = 256 // the newest
	MaxEntries   = 32  // the newest
	MaxVisits    = 64  // the newest
	MaxPages     = 64  // with the smallest hashes: a sample
	MaxAnnounces = 16  // likewise
	MaxAliases   = 16  // the first by text
)

// State is all that is kept of a source. The zero State is that of an unknown source. All lists are sorted by distinct
// keys, which Merge preserves and Decode checks. Times are Unix seconds.
type State struct {
	First, Last int64 // capture times of the first and last evidence; 0 without any
	Info        Info
	Items       []Item
	Entries     []Entry
	Visits      []Fetch
	Pages       []Page
	Announces   []Announce
	Aliases     []Alias
}

// Info is the feed's description of itself at its last successful visit.
type Info struct {
	Time                       int64 // of the capture; 0 if never captured
	URL, Type                  string
	Title, Link                string // of the site
	Self, Language, Publisher  string
	MaxAge, Period, TTLMinutes int64 // hints of the next visit, in seconds, seconds and minutes; 0 without
}

// Item is a feed's entry of one page, in some bytes: enough to count, to date and to compare with the page.
type Item struct {
	ID    uint64 // hash of its id, else of its link
	Link  uint64 // hash of its link's key
	Time  int64  // published, else updated, else First
	First int64  // capture time of the first visit that showed it
	Marks ItemMarks
	Words [8]uint16 // of its title: see Signature
}

// Published is the feed's date of the item, UTC; zero without one.
func (i Item) Published() time.Time {
	if i.Marks&Dated == 0 {
		return time.Time{}
	}
	return time.Unix(i.Time, 0).UTC()
}

// ItemMarks are properties of an item from its text, which is not kept.
type ItemMarks uint8

const (
	Dated       ItemMarks = 1 << iota // Time is the feed's
	OffSite                           // its link leads outside the registrable domains of feed and site
	CommentLike                       // the title is that of a comment ("Comment on …", "Re: …")
	Unfollowed                        // the link cannot be followed as written
	Placeholder                       // the title comes from a program ("Hello world!")
	Untitled
	Spam       // the title has a word of gambling, drugs or the like, as in search engine spam
	StaticPage // the title is of a page that every site has (contact, imprint, privacy)
)

type Entry struct {
	Time  int64
	ID    uint64 // the Item's
	URL   string // at most 2,048 bytes
	Title string // at most 300 bytes
}

// Fetch is one capture of the feed.
type Fetch struct {
	Time int64
	// Digest is the payload's; 0 for a visit without one, such as a 304 or a failure.
	Digest uint64 // of the payload
	Items  uint32
	Status uint16
}

// Announce is a page that names the feed.
type Announce struct {
	Page  uint64 // hash of its key
	URL   string // of the feed as written there; at most 2,048 bytes
	Class string
	Title string // its title for the feed; at most 300 bytes
}

// Alias is another URL of the feed, with the evidence.
type Alias struct {
	URL      string // at most 2,048 bytes
	Evidence string // BySelf: the feed claims it
}

// Merge joins what two crawls, or two parts of one, know of a source. It is commutative, associative and idempotent.
// Each list is the first of a union under a total order. Of two elements with one key, the result has the greatest of
// each field, or is the greater element. The arguments are not changed.
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

// union joins two sorted lists of distinct keys into the first n of their union, and pick joins elements of one key.
// It is associative because the first n of a union come from the first n of each part.
func union[T any](a, b []T, n int, order func(x, y T) int, pick func(x, y T) T) []T {
	// nil for an empty list, so that two equal states compare equal.
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	out := make([]T, 0, min(n, len(a)+len(b)))
	// Each step takes one of the two heads, so out is sorted, and n bounds it.
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

// sorted puts a list into the order and bounds of the state's lists, in the list's own memory.
func sorted[T any](list []T, n int, order func(x, y T) int, pick func(x, y T) T) []T {
	// Not a stable sort: pick joins elements of one key in any order.
	slices.SortFunc(list, order)
	out := list[:0]
	for _, x := range list {
		if last := len(out) - 1; last >= 0 && order(out[last], x) == 0 {
			out[last] = pick(out[last], x)
			continue
		}
		out = append(out, x)
	}
	// Clipped: later appends get memory of their own.
	return slices.Clip(out[:min(n, len(out))])
}

// Of returns the state of one part of a crawl: the lists may be in any order and of any length.
func Of(s State) State {
	s.Items = sorted(s.Items, MaxItems, orderItems, joinItems)
	s.Entries = sorted(s.Entries, MaxEntries, orderEntries, takeGreater(compareEntries))
	s.Visits = sorted(s.Visits, MaxVisits, compareFetches, takeFirst[Fetch])
	s.Pages = sorted(s.Pages, MaxPages, orderPages, takeGreater(comparePages))
	s.Announces = sorted(s.Announces, MaxAnnounces, orderAnnounces, takeGreater(compareAnnounces))
	s.Aliases = sorted(s.Aliases, MaxAliases, orderAliases, takeGreater(compareAliases))
	return s
}

// earliest is the earlier time, where 0 means unknown.
func earliest(a, b int64) int64 {
	// One is 0 here, so the greater one is known.
	if a == 0 || b == 0 {
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

// takeGreater makes a rule for elements of one key from an order of their other fields.
func takeGreater[T any](compare func(x, y T) int) func(x, y T) T {
	return func(x, y T) T { return greater(x, y, compare) }
}

// takeFirst is for lists whose order compares whole elements: two of one key are equal.
func takeFirst[T any](x, _ T) T { return x }

func compareInfo(a, b Info) int {
	return cmp.Or(
		// The newest counts. The other fields follow only so that two that differ are never equal.
		cmp.Compare(a.Time, b.Time), cmp.Compare(a.URL, b.URL), cmp.Compare(a.Type, b.Type),
		cmp.Compare(a.Title, b.Title), cmp.Compare(a.Link, b.Link), cmp.Compare(a.Self, b.Self),
		cmp.Compare(a.Language, b.Language), cmp.Compare(a.Publisher, b.Publisher), cmp.Compare(a.MaxAge, b.MaxAge),
		cmp.Compare(a.Period, b.Period), cmp.Compare(a.TTLMinutes, b.TTLMinutes),
	)
}

// orderItems has the newest first. An item whose date changed is there twice. Dropping one under a bound would make
// the result depend on the order of merging, so that is left to readers.
func orderItems(a, b Item) int { return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.ID, b.ID)) }

// joinItems lets each field change only one way, so the order of merging does not matter.

func joinItems(a, b Item) Item {
	// The first sighting can only become earlier, by a crawl that is merged later.
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

// compareFetches has the newest first, and distinguishes all captures.
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

// Dates are those of the items, each once, by its earliest event: an item whose date changes is not a new one. Items
// without a date have the time of their first sighting. Those of the first visit have none, since they may be of any
// age.
func (s State) Dates() (dates []time.Time) {
	s.Items = united(s.Items)
	var seen map[uint64]int64
	// Only needed for undated items.
	if s.hasUndated() {
		seen = s.firstSeen()
	}
	type event struct {
		id   uint64
		when int64
	}
	// Sorted lists instead of maps: this runs for each source of a Source DB.
	events := make([]event, 0, len(s.Items))
	for _, i := range s.Items {
		// Its age is unknown: it would look like a burst at the first visit.
		if i.Marks&Dated == 0 && seen[i.ID] == s.firstVisit() {
			continue
		}
		// A date after the visit that showed it is a mistake or an announcement. It was published by the earlier of
		// the two.
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

// firstVisit is the time of the earliest known visit, or 0.
func (s State) firstVisit() int64 {
	if len(s.Visits) == 0 {
		return 0
	}
	// Of those that are kept: after MaxVisits it is no longer the very first.
	return s.Visits[len(s.Visits)-1].Time
}
