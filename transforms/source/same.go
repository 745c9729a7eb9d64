package source

import (
	"cmp"
	"math"
	"net/url"
	"regexp"
	"strings"
)

// The kinds of evidence by which two feeds are one source, and what one feed says that nothing confirms.
const (
	ByRedirect = "redirect" // the one's URL leads to the other
	BySelf     = "self"     // the one says that its URL is the other's, which a rule for URLs proposes too
	ByItems    = "items"    // both show the same items
	Said       = "said"     // it says so, and nothing confirms it
)

const (
	// sameShare is the share of items, of the time that both cover, which two feeds of one source have in common: windows
	// of different length and captures at different times cost some.
	sameShare = 0.8
	// leastShared is how many items they have in common at least: fewer may be the same by chance, as where a site has
	// published two pieces, both of one category.
	leastShared = 3
)

// Relation is what is known of two feeds beside their states.
type Relation struct {
	LeftMoved, RightMoved bool // the URL of the one is redirected to the other's
	LeftNames, RightNames bool // the one calls itself by the other's URL
}

// Same tells by which evidence two feeds are one source; "" when nothing proves it. A wrong merge hides a source, a
// missing one shows it twice, so in doubt they are two.
func Same(left, right State, r Relation) string {
	// A redirect proves it by itself only of a feed that has shown nothing of its own.
	moved := r.LeftMoved || r.RightMoved
	share, shared := sameItems(left, right)
	equal := share >= sameShare && shared > 0
	switch {
	case moved && (equal || r.LeftMoved && len(left.Items) == 0 || r.RightMoved && len(right.Items) == 0):
		// A feed that had items of its own, other than those of where it leads to now, was another source once.
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

// neitherDenies reports whether items cannot tell two feeds apart: one of them was never captured.
func neitherDenies(a, b State) bool { return len(a.Items) == 0 || len(b.Items) == 0 }

// mayBeTwins reports whether names allow two feeds to be one. A site whose posts all have one category shows the same
// items as the feed of that category, today; so feeds other than main ones have to have one name except for the format.
func mayBeTwins(a, b State) bool {
	left, right := a.urlClass(), b.urlClass()
	if left != right || left == ClassComments {
		return false
	}
	return left == ClassMain || withoutFormat(a.anyURL()) == withoutFormat(b.anyURL())
}

// formatWords are parts of a feed's name that say in which format it is.
var formatWords = regexp.MustCompile(`(?i)([._/-])(rss2?|atom|rdf|json|xml|feed|index)\b`)

// withoutFormat is the canonical URL without what tells formats apart.
func withoutFormat(feed string) string {
	text, query, _ := strings.Cut(Canonical(feed), "?")
	// Until none is left: what one turn takes away may leave another. Each makes the text shorter, so it ends.
	for formatWords.MatchString(text) {
		text = formatWords.ReplaceAllString(text, "")
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return text + "?" + query
	}
	for name, list := range values {
		if formatWords.MatchString("/" + list[0]) {
			values.Del(name) // ?format=atom, ?feed=rss2, ?alt=json
		}
	}
	return text + "?" + values.Encode()
}

// anyURL is the URL of the last capture, else one that it is announced by.
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

// SameItems is how much two sources have in common: of the items of the time that both cover, the share that both
// have; 0 when the one has ended before the other began. Two feeds of one site that show the same items have 0.8 and
// more. Items are the same that have one link and one title: a comment links to its post, too.
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
	// Only of the time that both cover: a feed of 10 items and one of 100 have the newest 10 in common.
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
	// The Jaccard index: what both have, of what either has.
	return float64(shared) / float64(shared+either), shared
}

// noTime is the time of a piece whose feed does not tell it from others by time. It is later than all others.
const noTime = math.MaxInt64

// when is the time of a piece: its date, else that of a visit that showed it.
type when struct {
	time  int64
	dated bool
}

// or is the time of a piece by what two events say: a date, and of two the earlier one, since Atom may have that of the
// last change where RSS has that of publication. An undated piece was last seen at the later of two visits.
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

// published are pieces with their times.
type published map[piece]when

// pieces are the items by link and title. Where half of the items have one time, as that of the only visit or of the
// site's making, it tells nothing of each.
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

// oldest is the first time of the pieces that have one.
func (d published) oldest() int64 {
	t := int64(noTime)
	for _, u := range d {
		t = min(t, u.time)
	}
	if t == noTime {
		return math.MinInt64 // nothing is left out by it
	}
	return t
}

// newest is the last time of the pieces that have one, or noTime if none has.
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

// Standing is what decides which of several equal feeds stands for all.
type Standing struct {
	Key   string
	URL   string
	Moved bool // its URL is redirected
	Named bool // another one calls itself by its URL
	Shows bool // it has items
	Main  bool
	Pages int // that announce it
}

// StandingOf is that of a feed by its state alone: Moved and Named are recognised by other states.
func StandingOf(key string, s State) Standing {
	return Standing{
		Key: key, URL: URLOf(key, s), Shows: len(s.Items) > 0, Main: s.urlClass() == ClassMain, Pages: len(s.Announces),
	}
}

// Compare has the one first that stands for both: it is where it says, shows items, is the site's main one, is what
// others call themselves and what most pages name. Then the shorter name, which is the plainer.
func (a Standing) Compare(b Standing) int {
	return cmp.Or(
		first(!a.Moved, !b.Moved), first(a.Shows, b.Shows), first(a.Main, b.Main), first(a.Named, b.Named),
		cmp.Compare(b.Pages, a.Pages), cmp.Compare(len(a.Key), len(b.Key)), cmp.Compare(a.Key, b.Key),
	)
}

// first has true before false.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
