package page

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// keywords are parts of words in class and id that show the purpose of an element, such as "nav" in "main-navigation".
// A few hits are false: the flags are features for a model, not decisions. Keywords "-ad-" and "ad-" have hyphens
// because "ad" alone is in "header" and "read".
var keywords = map[Flags][]string{
	LikeComment: {"comment", "disqus", "replies", "respond"},
	LikeRemark: {
		"komment", "koment", "coment", "reactie", "yorum", "hozzaszol", "binhluan", "binh-luan", "pinglun",
	},
	LikeShare: {"share", "social", "twitter", "facebook", "addthis", "follow"},
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
	LikeSign: {
		"icon", "material-symbols", "google-symbols", "ligature", "emoji", "smil", "emoticon", "tex", "mwe-math", "equation",
	},
	LikeItem: {"card", "item", "grid", "list", "tile", "carousel", "slide", "swiper"},
}

// maxKeywordBytes bounds the part of a class or id that is searched. Utility classes (of Tailwind and the like) fill
// kilobytes, but come after the names that people give.
const maxKeywordBytes = 200

// keywordStates finds all keywords in one pass over a text (Aho and Corasick, "Efficient string matching", 1975).
var keywordStates = newAutomaton(keywords)

// automaton starts in state 0 and moves to another with each byte. A state is the prefix of a keyword that ends at
// this byte. The table has 32 columns for 27 symbols, so that a symbol needs no bounds check.
type automaton struct {
	next  [][32]uint16 // next state by state and symbol
	flags []Flags      // of the words that end in a state
}

// symbols numbers the bytes of keywords from 1; 0 is any other byte. Both cases of a letter have one symbol.
var symbols = keywordSymbols()

func keywordSymbols() (symbols [256]uint8) {
	symbols['-'] = 27
	for c := byte('a'); c <= 'z'; c++ {
		symbols[c], symbols[c-0x20] = c-'a'+1, c-'a'+1
	}
	return symbols
}

// newAutomaton makes an automaton that finds words. The flags do not depend on the order of the map, though the
// numbers of states do.
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

// path returns the state in which word ends, and adds missing states.
func (a *automaton) path(word string) (state uint16) {
	for i := range len(word) {
		next := &a.next[state][symbols[word[i]]]
		// No word leads back to state 0, so 0 can mean "no state yet".
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

// link fills the missing transitions of each state with those of its longest proper suffix. Breadth first: a suffix is
// shorter, so it is complete in time.
func (a *automaton) link() {
	ending := make([]uint16, len(a.next))
	queue := []uint16{0}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		for symbol := 1; symbol < len(a.next[state]); symbol++ {
			next := &a.next[state][symbol]
			fallback := a.next[ending[state]][symbol]
			// The table has a transition for every symbol, so matching never goes back.
			switch {
			case *next == 0:
				*next = fallback
				continue
			// Children of the first state have the first state as their suffix.
			case state != 0:
				ending[*next] = fallback
				a.flags[*next] |= a.flags[fallback]
			}
			queue = append(queue, *next)
		}
	}
}

func keywordFlags(s []byte) Flags {
	var flags Flags
	state := uint16(0)
	for _, c := range s[:min(len(s), maxKeywordBytes)] {
		// symbols are below 32: the mask tells the compiler.
		state = keywordStates.next[state][symbols[c]&31]
		flags |= keywordStates.flags[state]
	}
	return flags
}

// classCache holds the flags of recent values of class, which repeat often. Most elements of a page share some dozens
// of values. A newer value replaces an older one in its slot.
type classCache [256]struct {
	value []byte
	flags Flags
}

// lookup returns the flags of value, whose hash is given.
func (c *classCache) lookup(value []byte, hash uint64) Flags {
	e := &c[hash%uint64(len(c))]
	// Equal hashes of different values only cost time; the values are compared.
	if !bytes.Equal(e.value, value) {
		e.value, e.flags = value, keywordFlags(value)
		if isCell(value) {
			e.flags |= InCell
		}
	}
	return e.flags
}

// isCell reports whether a class is of cells without <td>. Some scripts and editors make tables of other elements.
func isCell(class []byte) bool {
	if len(class) > maxKeywordBytes {
		return false
	}
	start := 0
	for i, c := range class {
		switch {
		case c > ' ' && c < utf8.RuneSelf:
		case isSpace(c) || c == '\v':
			if isCellName(class[start:i]) {
				return true
			}
			start = i + 1
		// Controls, and white space beyond ASCII.
		default:
			return slices.ContainsFunc(bytes.Fields(class), isCellName)
		}
	}
	return isCellName(class[start:])
}

func isCellName(word []byte) bool {
	switch string(word) {
	case "td", "th", "divTableCell", "divTableHead", "table-cell", "tableCell", "tablecell", "table_cell", "table__cell",
		"tbl-cell", "rt-td", "rt-th":
		return true
	}
	return false
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// isFold reports whether s is word, which is in lower case. Only ASCII is folded, as in HTML's names: "ſ" is not "s".
func isFold(s []byte, word string) bool { return len(s) == len(word) && hasFold(s, word) }

func hasSuffixFold(s []byte, word string) bool {
	return len(s) >= len(word) && hasFold(s[len(s)-len(word):], word)
}

// hasFold reports whether s begins with word, which is in lower case.
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
