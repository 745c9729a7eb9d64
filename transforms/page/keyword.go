package page

import "bytes"

// keywords are the words in class and id that tell what an element is for; a word counts wherever it stands.
var keywords = map[Flags][]string{
	LikeComment: {"comment", "disqus", "replies", "respond"},
	LikeShare:   {"share", "social", "twitter", "facebook", "addthis", "follow"},
	LikeRelated: {
		"related", "recommend", "read-more", "readmore", "more-", "popular", "trending", "outbrain", "taboola",
		"recirc", "latest", "suggest", "also", "teaser", "next", "prev",
	},
	LikeMeta: {
		"meta", "byline", "author", "date", "tags", "tag-", "timestamp", "published", "category", "categories", "credit",
	},
	LikeAd: {"advert", "sponsor", "banner", "-ad-", "ad-", "ads"},
	LikeNav: {
		"nav", "menu", "breadcrumb", "topbar", "toolbar", "pagination", "pager", "skip", "toc", "dropdown",
		"filter", "search", "login",
	},
	LikeFooter: {"foot", "copyright", "legal", "disclaimer"},
	LikeSide:   {"side", "widget", "rail"},
	LikePopup: {
		"popup", "modal", "cookie", "consent", "overlay", "gdpr", "hidden", "sr-only", "screen-reader",
		"tooltip",
	},
	LikePromo:   {"promo", "newsletter", "subscribe", "signup", "cta", "paywall", "donat"},
	LikeContent: {"content", "main", "entry", "text", "page"},
	LikeBody:    {"article", "body", "story", "markdown", "prose", "rich", "description", "wysiwyg"},
	LikePost:    {"post", "thread", "message", "answer", "question", "topic", "review"},
	LikeProduct: {"product", "price", "cart", "spec", "feature", "faq"},
	LikeItem:    {"card", "item", "grid", "list", "tile", "carousel", "slide", "swiper"},
}

// maxKeywordBytes is how much of a class or id is searched: utility classes fill kilobytes and say nothing.
const maxKeywordBytes = 200

// keywordStates find all keywords in one pass over a text (Aho and Corasick, "Efficient string matching", 1975).
var keywordStates = newAutomaton(keywords)

// automaton is in one of its states, 0 at first, and goes to the next with each byte.
type automaton struct {
	next  [][32]uint16 // the state that follows each state and symbol
	flags []Flags      // of the words that end in a state
}

// symbols are the bytes that occur in keywords, as numbers from 1; 0 is any other byte.
var symbols = keywordSymbols()

func keywordSymbols() (symbols [256]uint8) {
	symbols['-'] = 27
	for c := byte('a'); c <= 'z'; c++ {
		symbols[c], symbols[c-0x20] = c-'a'+1, c-'a'+1
	}
	return symbols
}

func newAutomaton(words map[Flags][]string) *automaton {
	a := &automaton{next: make([][32]uint16, 1), flags: make([]Flags, 1)}
	for flag, list := range words {
		for _, word := range list {
			a.flags[a.path(word)] |= flag
		}
	}
	a.link()
	return a
}

// path returns the state in which word ends, made if need be.
func (a *automaton) path(word string) (state uint16) {
	for i := range len(word) {
		next := &a.next[state][symbols[word[i]]]
		if *next == 0 {
			*next = uint16(len(a.next))
			state = *next
			a.next, a.flags = append(a.next, [32]uint16{}), append(a.flags, 0)
		} else {
			state = *next
		}
	}
	return state
}

// link lets each state go on as the state of its longest proper ending does, where no word goes on from itself.
func (a *automaton) link() {
	ending := make([]uint16, len(a.next))
	queue := []uint16{0}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		for symbol := 1; symbol < len(a.next[state]); symbol++ {
			next := &a.next[state][symbol]
			fallback := a.next[ending[state]][symbol]
			switch {
			case *next == 0:
				*next = fallback
				continue
			case state != 0:
				ending[*next] = fallback
				a.flags[*next] |= a.flags[fallback]
			}
			queue = append(queue, *next)
		}
	}
}

// keywordFlags are the flags of the words in s, the value of a class or id.
func keywordFlags(s []byte) Flags {
	var flags Flags
	state := uint16(0)
	for _, c := range s[:min(len(s), maxKeywordBytes)] {
		state = keywordStates.next[state][symbols[c]&31]
		flags |= keywordStates.flags[state]
	}
	return flags
}

// classCache has the flags of values of class that the page had before: the same ones come again and again.
type classCache [256]struct {
	value []byte
	flags Flags
}

// lookup returns the flags of value, whose hash is given.
func (c *classCache) lookup(value []byte, hash uint64) Flags {
	e := &c[hash%uint64(len(c))]
	if !bytes.Equal(e.value, value) {
		e.value, e.flags = value, keywordFlags(value)
	}
	return e.flags
}

// lower is c in lower case, if it is an ASCII letter.
func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// isFold tells whether s is word, which is in lower case.
func isFold(s []byte, word string) bool { return len(s) == len(word) && hasFold(s, word) }

// hasFold tells whether s begins with word, which is in lower case.
func hasFold(s []byte, word string) bool {
	if len(s) < len(word) {
		return false
	}
	for i := range len(word) {
		if lower(s[i]) != word[i] {
			return false
		}
	}
	return true
}
