package source

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Words of titles and texts that were not written for readers, or are not pieces of a publication. They come from site
// software and kinds of spam, not from any one site.
var (
	// commentBy matches titles that software gives to comments: "By: Ann", "Von: Ann", "Re: …".
	commentBy = pattern.Lazy(`(?i)^(by|von|par|por|di|door|od|av|oleh|re|от|מאת|bởi):\s`)

	// placeholderTitle matches titles of the first post made by software, in the languages of most sites, and of trial
	// posts.
	placeholderTitle = pattern.Lazy(`(?i)^(hello,? world|hallo,? we?lt|hallo wereld|ciao mondo|` +
		`bonjour tout le monde|¡?hola,? mundo|ol[áà],? mundo|halo dunia|hei maailma|hej världen|hej verden|hei verden|` +
		`witaj,? świecie|ahoj,? světe|salut,? (lume|monde)|szia,? világ|merhaba,? dünya|chào tất cả mọi người|` +
		`привет,? мир|привіт,? світ|世界，?您?你?好|你好，?世界|안녕하세요|שלום עולם|مرحباً? بالعالم|γεια σου κόσμε|` +
		`sample (post|page)|(test|testing|my first|first) ?(post|page|blog|article)?|lorem ipsum.*|untitled|` +
		`(my |a |the )?(test|sample|example|demo|dummy) ((blog )?post|page|item|project|article|blog|entry|work)` +
		`[ #_-]{0,2}(\d{1,2}|one|two|three|four|five|six)|(title|name) of (the|your) [a-z]+( \d{1,2})?|` +
		`(\S+ )?(first|second|third|fourth|fifth) (blog ?)?post|第一篇(文章|博客|日志)?|` +
		`welcome to (jekyll|hugo|hexo|ghost|docusaurus).*)[\s!！.…]*$`)

	// fillerText matches texts of such posts.
	fillerText = pattern.Lazy(`(?i)lorem ipsum dolor|welcome to wordpress\. this is your first post|` +
		`you.ll find this post in your .?_posts.? directory|your first post\. edit or delete|` +
		`quick start.{0,40}create a new post.{0,40}hexo new`)

	// themeText matches texts of themes' examples, even long ones.
	themeText = pattern.Lazy(`(?i)behind the word mountains, far from the countries|` +
		`three hundred and forty-eight years, six months, and nineteen days ago|` +
		`offers a sample of basic markdown syntax|this is a (sample|demo|dummy|placeholder) (post|page|article|project)\b|` +
		`click the cite button above to demo the feature|edit this (post|page) or delete it|` +
		`you.ll find this post in your .?_posts|this post is (a demo|an example) of`)

	notFoundTitle = pattern.Lazy(`(?i)\b(404|page not found|not found|página no encontrada|page introuvable|` +
		`seite nicht gefunden|página não encontrada|pagina non trovata)\b|страница не найдена`)

	// spamWord matches words in titles of search engine spam.
	spamWord = pattern.Lazy(`(?i)\b(togel|syair|prediksi (hk|sgp|sydney)|slot gacor|slot online|judi|sbobet|` +
		`casinos?|baccarat|bandar|poker online|betting odds|viagra|cialis|levitra|kamagra|tramadol|xanax|phentermine|` +
		`porno?|xxx|sex videos?|escorts?|payday loans?|essay writing service|write my essay|replica (watches|bags)|` +
		`cheap (jerseys|nfl)|backlinks?|free download crack|keygen|download (film|movie)s? gratis)\b`)

	// staticTitle matches titles of pages that every site has, and no publication publishes.
	staticTitle = pattern.Lazy(`(?i)^(contact( us)?|kontakt(ieren sie uns)?|contacto|contatti|contato|` +
		`about( us| me)?|über uns|acerca de|chi siamo|à propos|sobre( nós)?|impressum|imprint|legal notice|` +
		`mentions légales|aviso legal|datenschutz(erklärung)?|privacy( policy)?|política de privacidad(e)?|` +
		`cookie policy|cookies|terms( of (use|service))?|disclaimer|faq|sitemap|home|startseite|search|archives?|` +
		`shop|cart|checkout|my account|login|links)$`)
)

// The regular expressions above take some ten microseconds a title, and few of millions of titles match. So each is
// tried only on titles with a substring that every match has.
var (
	commentParts = partsOf(
		"comment", "coment", "komment", "koment", "re: ", "recent", "latest", "bình", "תגובות", "reacti", "комм", "评论",
		"コメント", "yorum",
	)
	spamParts = partsOf(
		"togel", "syair", "prediksi", "slot", "judi", "sbobet", "casino", "baccarat", "bandar", "poker", "betting",
		"viagra", "cialis", "levitra", "kamagra", "tramadol", "xanax", "phentermine", "porn", "xxx", "sex vid", "escort",
		"payday", "essay", "replica", "cheap", "backlink", "crack", "keygen", "gratis",
	)
	themeParts = partsOf(
		"word mountains", "three hundred and forty", "basic markdown", "this is a", "cite button", "edit this", "_posts",
		"this post is",
	)
	fillerParts = partsOf(
		"lorem", "ipsum", "dolor", "consect", "incidid", "vestib", "volupt", "occaec", "xerum", "eiusmod", "veniam",
		"nostrud",
		"tempor", "curabitur", "maecenas", "praesent", "pellent",
	)
	placeholderParts = partsOf(
		"hello", "hallo", "mondo", "bonjour", "hola", "olá", "olà", "halo", "hei", "hej", "witaj", "ahoj", "salut", "szia",
		"merhaba",
		"chào", "прив", "世界", "안녕", "שלום", "مرحب", "γεια", "sample", "test", "first", "second", "third", "fourth",
		"fifth", "untitled", "welcome", "example", "demo", "dummy", "title of", "name of", "第一",
	)
	notFoundParts = partsOf(
		"404", "not found", "no encontrada", "introuvable", "nicht gefunden", "não encontrada", "non trovata", "не найдена",
	)
)

const (
	mostStaticBytes      = 40 // of a title that staticTitle matches
	mostPlaceholderBytes = 64 // likewise, except "lorem ipsum" with any text after it
	mostSampleBytes      = 96 // of one of sampleTitles
	mostByBytes          = 12 // up to the colon of commentBy
)

// parts searches for several texts at once: begins has a bit for the first two bytes of each, which rules out most
// places at once.
type parts struct {
	by     map[uint16][]string // by their first two bytes
	begins *[1 << 16 / 64]uint64
}

func partsOf(list ...string) parts {
	p := parts{by: map[uint16][]string{}, begins: new([1 << 16 / 64]uint64)}
	for _, part := range list {
		at := uint16(part[0])<<8 | uint16(part[1])
		p.by[at] = append(p.by[at], part)
		p.begins[at/64] |= 1 << (at % 64)
	}
	return p
}

func (p parts) in(text string) bool {
	for i := range len(text) - 1 {
		at := uint16(text[i])<<8 | uint16(text[i+1])
		if p.begins[at/64]&(1<<(at%64)) != 0 && slices.ContainsFunc(p.by[at], func(part string) bool {
			return strings.HasPrefix(text[i:], part)
		}) {
			return true
		}
	}
	return false
}

// isPlaceholder reports whether a title comes from a program or theme.
func isPlaceholder(title, lower string) bool {
	if strings.HasPrefix(lower, "lorem") {
		return placeholderTitle().MatchString(title)
	}
	var room [mostSampleBytes]byte // titles come by the million
	return len(title) <= mostPlaceholderBytes && placeholderParts.in(lower) && placeholderTitle().MatchString(title) ||
		len(title) <= mostSampleBytes && sampleTitles[string(appendSqueezed(room[:0], title))]
}

// marksOfTitle are the marks that an item's title alone shows.
func marksOfTitle(title string) (marks ItemMarks) {
	if title == "" {
		return Untitled
	}
	lower := strings.ToLower(title)
	colon := strings.IndexByte(lower, ':')
	// The cheap test first: see commentParts.
	if commentParts.in(lower) && commentTitle().MatchString(title) ||
		colon > 0 && colon < mostByBytes && commentBy().MatchString(title) {
		marks |= CommentLike
	}
	if isPlaceholder(title, lower) {
		marks |= Placeholder
	}
	if spamParts.in(lower) && spamWord().MatchString(title) {
		marks |= Spam
	}
	var room [mostSampleBytes]byte
	// The whole title must match, so a longer one cannot.
	if len(title) <= mostStaticBytes &&
		(staticTitles[string(appendSqueezed(room[:0], title))] || staticTitle().MatchString(title)) {
		marks |= StaticPage
	}
	return marks
}
