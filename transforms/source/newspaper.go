package source

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// A newspaper is told from other publications by the variety of what it publishes: politics, its town, sports, the
// economy and opinion stand side by side in the paths of its pages, and a trade magazine or a blog has one of them.
// That shows over a source's pages, and not on one of them.

// topic is a department of a newspaper.
type topic uint8

const (
	politics topic = iota
	world
	nation
	local
	society
	opinion
	economy
	sport
	culture
	science
	topics // how many there are
)

// isCore tells whether a topic is one of general news: magazines have the others.
func (t topic) isCore() bool { return t <= society }

// sections are the names of departments in the paths of pages, without accents, in the languages of most newspapers.
var sections = func() map[string]topic {
	// Made once, at start: it is only read from then on, by any number of goroutines.
	names := map[string]topic{}
	for t, list := range map[topic]string{
		politics: "politics politica politik politique polityka polityk politiikka politiek government elections " +
			"election elecciones innenpolitik wahlen",
		world: "world international internacional internationales mundo monde welt ausland swiat europa europe global",
		nation: "national nacional nation uk us inland deutschland schweiz osterreich espana france polska kotimaa pais " +
			"kraj usnews uk-news us-news",
		local: "local lokal lokales regional regionales regionen region provincia provincias city metro stadt district " +
			"local-news comunidades nacionales regionais",
		society: "society sociedad gesellschaft societe panorama vermischtes crime police polizei blaulicht policiales " +
			"seguridad sucesos judicial education obituaries law-and-order cronaca",
		opinion: "opinion opinions comment commentary kommentar kommentare meinung debatte debatten editorial editorials " +
			"columnists columnas opinie opinia debate letters",
		economy: "economy economia wirtschaft economie gospodarka business talous money finanzen finance negocios",
		sport:   "sport sports deportes deporte urheilu sporty football futbol fussball",
		culture: "culture cultura kultur kultura arts entertainment espectaculos feuilleton kulttuuri entretenimiento",
		science: "science ciencia wissen wissenschaft sciences nauka tiede tech technology tecnologia health salud " +
			"gesundheit sante climate",
	} {
		// No name stands in two lists: the map's order would decide which topic it has.
		for _, name := range strings.Fields(list) {
			names[name] = t
		}
	}
	return names
}()

// paperName are words of newspapers' names, in titles of feeds and in names of domains.
var paperName = regexp.MustCompile(`(?i)(zeitung|nachrichten|tagblatt|tageblatt|anzeiger|abendblatt|morgenpost|` +
	`rundschau|diario|noticias|dziennik|gazeta|gazette|gazzetta|tribune|herald|chronicle|telegraph|guardian|courier|` +
	`kurier|tidning|dagblad|sanomat|uutiset|news\b|\btimes\b|\bthe post\b|\bdaily\b)`)

const (
	mostTopics  = 4 // topics that suffice by themselves, two of them core
	namedTopics = 2 // topics of a source that is called like a newspaper, one of them core
)

// isNewspaper tells by the links of the newest items and by the pages whether a source publishes general news.
func (s State) isNewspaper() bool {
	var seen [topics]bool
	// The links of items need no capture, so a source is told before its pages are fetched.
	for _, e := range s.Entries {
		markTopics(&seen, e.URL)
	}
	for _, p := range s.Pages {
		markTopics(&seen, p.URL)
	}
	all, core := 0, 0
	for t, is := range seen {
		if is {
			all++
			if topic(t).isCore() {
				core++
			}
		}
	}
	domain, _, _ := strings.Cut(urlkey.RegistrableDomain(hostOf(s.Info.URL)), ".")
	// A name alone is not enough: magazines and blogs call themselves gazettes too.
	if all >= namedTopics && core > 0 && (paperName.MatchString(s.Info.Title) || paperName.MatchString(domain)) {
		return true
	}
	return all >= mostTopics && core >= 2
}

// markTopics notes the topics that the folders of a link's path name.
func markTopics(seen *[topics]bool, link string) {
	u, err := url.Parse(link)
	if err != nil {
		return
	}
	folders := segmentsOf(u.Path)
	if len(folders) < 2 {
		return // the last part names the page
	}
	// The last part is the piece's own name, in which any word may stand.
	for _, folder := range folders[:len(folders)-1] {
		if t, ok := sections[withoutAccents(folder)]; ok {
			seen[t] = true
		}
	}
}

// withoutAccents has plain letters for those with accents. Most text is ASCII, which stays as it is.
func withoutAccents(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) {
		return s
	}
	// A transformer keeps state, so each call has its own.
	plain, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), s)
	if err != nil {
		return s
	}
	return plain
}
