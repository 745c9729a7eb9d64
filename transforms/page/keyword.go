package page

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
	LikeFooter:  {"foot", "copyright", "legal", "disclaimer"},
	LikeSide:    {"side", "widget", "rail"},
	LikePopup:   {"popup", "modal", "cookie", "consent", "overlay", "gdpr", "hidden", "sr-only", "screen-reader", "tooltip"},
	LikePromo:   {"promo", "newsletter", "subscribe", "signup", "cta", "paywall", "donat"},
	LikeContent: {"content", "main", "entry", "text", "page"},
	LikeBody:    {"article", "body", "story", "markdown", "prose", "rich", "description", "wysiwyg"},
	LikePost:    {"post", "thread", "message", "answer", "question", "topic", "review"},
	LikeProduct: {"product", "price", "cart", "spec", "feature", "faq"},
	LikeItem:    {"card", "item", "grid", "list", "tile", "carousel", "slide", "swiper"},
}

// maxKeywordBytes is how much of a class or id is searched: utility classes fill kilobytes and say nothing.
const maxKeywordBytes = 200

type keyword struct {
	word string
	flag Flags
}

// byPair are the keywords by their first two letters.
var byPair = pairTable()

func pairTable() (table [1 << 16][]keyword) {
	for flag, words := range keywords {
		for _, w := range words {
			pair := int(w[0])<<8 | int(w[1])
			table[pair] = append(table[pair], keyword{w, flag})
		}
	}
	return table
}

// keywordFlags are the flags of the words in s, the value of a class or id.
func keywordFlags(s []byte) Flags {
	var flags Flags
	s = s[:min(len(s), maxKeywordBytes)]
	for i := 0; i+1 < len(s); i++ {
		for _, k := range byPair[int(lower(s[i]))<<8|int(lower(s[i+1]))] {
			if flags&k.flag == 0 && hasFold(s[i:], k.word) {
				flags |= k.flag
			}
		}
	}
	return flags
}

// lower is c in lower case, if it is an ASCII letter.
func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c |= 0x20
	}
	return c
}

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
