package source

import (
	"cmp"
	"math"
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// The kinds of evidence that two feeds are one source, and the unconfirmed claim of one feed.
const (
	ByRedirect = "redirect" // one URL leads to the other
	BySelf     = "self"     // one claims the other's URL, which also has the same canonical form
	ByItems    = "items"    // both show the same items
	Said       = "said"     // one claims it, without confirmation
)

const (
	// sameShare is the share of common items, of the time that both cover, for two feeds of one source. Windows of
	// different length and captures at different times cost some.
	sameShare = 0.8
	// leastShared is the fewest common items: fewer may be chance, as when a site has published two pieces of one
	// category.
	leastShared = 3
)

// Relation describes two feeds beyond their states.
type Relation struct {
	LeftMoved, RightMoved bool // its URL redirects to the other's
	LeftNames, RightNames bool // it claims the other's URL
}

// Same returns the evidence that two feeds are one source, or "". A wrong merge hides a source, while a missing one
// shows it twice, so in doubt they are two.
func Same(left, right State, r Relation) string {
	// A redirect alone proves it only for a feed without items of its own.
	moved := r.LeftMoved || r.RightMoved
	share, shared := sameItems(left, right)
	equal := share >= sameShare && shared > 0
	switch {
	case moved && (equal || r.LeftMoved && len(left.Items) == 0 || r.RightMoved && len(right.Items) == 0):
		// A feed with items other than those of its target was once another source.
		return ByRedirect
	case (r.LeftNames || r.RightNames) && sameCanonical(left, right) && (equal || neitherDenies(left, right)):
		return BySelf
	case equal && shared >= leastShared && mayBeTwins(left, right):
		return ByItems
	}
	return ""
}

func sameCanonical(a, b State) bool {
	left, right := a.anyURL(), b.anyURL()
	return left != "" && right != "" && Canonical(left) == Canonical(right)
}

// neitherDenies reports whether items cannot distinguish two feeds: one was never captured.
func neitherDenies(a, b State) bool { return len(a.Items) == 0 || len(b.Items) == 0 }

// mayBeTwins reports whether the names allow two feeds to be one. If all posts of a site have one category, its feed
// shows the same items today. So feeds other than main ones need the same name except for the format.
func mayBeTwins(a, b State) bool {
	left, right := a.urlClass(), b.urlClass()
	if left != right || left == ClassComments {
		return false
	}
	return left == ClassMain || withoutFormat(a.anyURL()) == withoutFormat(b.anyURL())
}

// formatWords are parts of a feed's name that give the format.
var formatWords = pattern.Lazy(`(?i)([._/-])(rss2?|atom|rdf|json|xml|feed|index)\b`)

// withoutFormat is the canonical URL without parts that depend on the format.
func withoutFormat(feed string) string {
	text, query, _ := strings.Cut(Canonical(feed), "?")
	// Repeat, since a removal may leave another match. Each makes the text shorter, so it ends.
	for formatWords().MatchString(text) {
		text = formatWords().ReplaceAllString(text, "")
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return text + "?" + query
	}
	for name, list := range values {
		if formatWords().MatchString("/" + list[0]) {
			values.Del(name) // ?format=atom, ?feed=rss2, ?alt=json
		}
	}
	return text + "?" + values.Encode()
}

// anyURL is the URL of the last capture, else one that announces it.
func (s State) anyURL() string {
	if s.Info.URL != "" {
		return s.Info.URL
	}
	for _, a := range s.Announces {
		if a.URL != "" {
			return a.URL
		}
	}
	return ""
}

// SameItems is the share of items that two sources have in common, in the time that both cover; 0 without such time.
// Two feeds of one site with the same items have 0.8 and more. Equal items have the same link and title, since a
// comment links to its post, too.
func SameItems(a, b State) float64 {
	share, _ := sameItems(a, b)
	return share
}

func sameItems(a, b State) (share float64, shared int) {
	left, right := a.pieces(), b.pieces()
	for piece, w := range left {
		if other, ok := right[piece]; ok {
			w = w.or(other)
			left[piece], right[piece] = w, w
		}
	}
	// Only of the time that both cover: feeds of 10 and of 100 items share the newest 10.
	from, to := max(left.oldest(), right.oldest()), min(left.newest(), right.newest())
	either := 0
	count := func(of, other published) (both int) {
		for piece, w := range of {
			_, ok := other[piece]
			switch in := w.time == noTime || from <= w.time && w.time <= to; {
			case in && ok:
				both++
			case in:
				either++
			}
		}
		return both
	}
	count(left, right)
	shared = count(right, left)
	if shared == 0 {
		return 0, 0
	}
	// The Jaccard index: common items divided by all.
	return float64(shared) / float64(shared+either), shared
}

// noTime is the time of a piece that its feed does not date individually. It is later than all others.
const noTime = math.MaxInt64

// when is the time of a piece: its date, or else a visit's.
type when struct {
	time  int64
	dated bool
}

// or merges the times of two events of a piece. A date wins, and of two the earlier, since Atom may have the last
// change where RSS has the publication. An undated piece has the later of two visits.
func (w when) or(other when) when {
	switch {
	case w.time == noTime || other.time != noTime && other.dated && !w.dated:
		return other
	case other.time == noTime || w.dated && !other.dated:
		return w
	case w.dated:
		return when{min(w.time, other.time), true}
	}
	return when{max(w.time, other.time), false}
}

type published map[piece]when

// pieces are the items by link and title. If half of the items share one time, such as the only visit or the build of
// the site, it does not count as theirs.
func (s State) pieces() published {
	count := map[int64]int{}
	for _, i := range s.Items {
		count[i.Time]++
	}
	list := make(published, len(s.Items))
	for _, i := range s.Items {
		p, w := piece{link: i.Link, title: i.Words}, when{i.Time, i.Marks&Dated != 0}
		if n := count[i.Time]; n > 1 && 2*n >= len(s.Items) {
			w.time = noTime
		}
		if before, ok := list[p]; ok {
			w = w.or(before)
		}
		list[p] = w
	}
	return list
}

// oldest is the first time of the pieces with one.
func (d published) oldest() int64 {
	t := int64(noTime)
	for _, u := range d {
		t = min(t, u.time)
	}
	if t == noTime {
		return math.MinInt64 // excludes nothing
	}
	return t
}

// newest is the last time of the pieces with one, or noTime.
func (d published) newest() int64 {
	t := int64(math.MinInt64)
	for _, u := range d {
		if u.time != noTime {
			t = max(t, u.time)
		}
	}
	if t == math.MinInt64 {
		return noTime
	}
	return t
}

// Standing decides which of several equal feeds represents them.
type Standing struct {
	Key   string
	URL   string
	Moved bool // its URL is redirected
	Named bool // another feed claims its URL
	Shows bool // it has items
	Main  bool
	Pages int // number of announcing pages
}

// StandingOf is the standing of a feed by its state alone: Moved and Named depend on other states.
func StandingOf(key string, s State) Standing {
	return Standing{
		Key: key, URL: URLOf(key, s), Shows: len(s.Items) > 0, Main: s.urlClass() == ClassMain, Pages: len(s.Announces),
	}
}

// Compare puts the representative first: not moved, with items, the site's main feed, named by others, and announced
// by most pages. Then the shorter name wins.
func (a Standing) Compare(b Standing) int {
	return cmp.Or(
		first(!a.Moved, !b.Moved), first(a.Shows, b.Shows), first(a.Main, b.Main), first(a.Named, b.Named),
		cmp.Compare(b.Pages, a.Pages), cmp.Compare(len(a.Key), len(b.Key)), cmp.Compare(a.Key, b.Key),
	)
}

// first orders true before false.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
