package source

import (
	"cmp"
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

// neitherDenies tells whether items cannot tell two feeds apart: one of them was never captured.
func neitherDenies(a, b State) bool { return len(a.Items) == 0 || len(b.Items) == 0 }

// mayBeTwins tells whether names allow two feeds to be one. A site whose posts all have one category shows the same
// items as the feed of that category, today; so feeds other than main ones have to have one name but for the format.
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
	// Only of the time that both cover: a feed of 10 items and one of 100 have the newest 10 in common.
	from, to := max(a.oldest(), b.oldest()), min(a.newest(), b.newest())
	left, right := a.pieces(from, to), b.pieces(from, to)
	for piece := range left {
		if right[piece] {
			shared++
		}
	}
	if shared == 0 {
		return 0, 0
	}
	// The Jaccard index: what both have, of what either has.
	return float64(shared) / float64(len(left)+len(right)-shared), shared
}

func (s State) oldest() int64 {
	if len(s.Items) == 0 {
		return 0
	}
	return s.Items[len(s.Items)-1].Time
}

func (s State) newest() int64 {
	if len(s.Items) == 0 {
		return 0
	}
	return s.Items[0].Time
}

type piece struct {
	link  uint64
	title [8]uint16
}

// pieces are the items of a time.
func (s State) pieces(from, to int64) map[piece]bool {
	list := map[piece]bool{}
	for _, i := range s.Items {
		if i.Time >= from && i.Time <= to {
			list[piece{i.Link, i.Words}] = true
		}
	}
	return list
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

// StandingOf is that of a feed by its state alone: Moved and Named are told by other states.
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
