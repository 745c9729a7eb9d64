package source

import (
	"math/bits"
	"net/url"
	"regexp"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/department"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// A newspaper is told from other publications by the variety of what it publishes: politics, its town, sports, the
// economy and opinion stand side by side in the paths of its pages, and a trade magazine or a blog has one of them.
// That shows over a source's pages, and not on one of them.

// paperName are words of newspapers' names, in titles of feeds and in names of domains.
var paperName = regexp.MustCompile(`(?i)(zeitung|nachrichten|tagblatt|tageblatt|anzeiger|abendblatt|morgenpost|` +
	`rundschau|diario|noticias|dziennik|gazeta|gazette|gazzetta|tribune|herald|chronicle|telegraph|guardian|courier|` +
	`kurier|tidning|dagblad|sanomat|uutiset|news\b|\btimes\b|\bthe post\b|\bdaily\b)`)

// paperParts are what a name has that paperName matches.
var paperParts = partsOf("zeitung", "nachrichten", "tagblatt", "tageblatt", "anzeiger", "abendblatt", "morgenpost",
	"rundschau", "diario", "noticias", "dziennik", "gazeta", "gazette", "gazzetta", "tribune", "herald", "chronicle",
	"telegraph", "guardian", "courier", "kurier", "tidning", "dagblad", "sanomat", "uutiset", "news", "times", "the post",
	"daily")

// isPaperName asks the regular expression of few names.
func isPaperName(name string) bool {
	return paperParts.in(strings.ToLower(name)) && paperName.MatchString(name)
}

const (
	mostTopics  = 4 // topics that suffice by themselves, two of them core
	namedTopics = 2 // topics of a source that is called like a newspaper, one of them core
)

// isNewspaper tells by the links of the newest items and by the pages whether a source publishes general news.
func (s State) isNewspaper() bool {
	seen := s.newsSigns()
	all, general := seen[allTopics], seen[generalTopics]
	// A name alone is not enough: magazines and blogs call themselves gazettes too.
	if all >= namedTopics && general > 0 && seen[paperNamed] > 0 || all >= mostTopics && general >= 2 {
		return true
	}
	if len(s.Pages) < leastPages {
		return seen.score(newsWeights) >= leastAlone
	}
	return seen.score(newsWeights) >= leastScore
}

// anyPageURL is the feed's URL, else that of a page.
func (s State) anyPageURL() string {
	if s.Info.URL != "" || len(s.Pages) == 0 {
		return s.Info.URL
	}
	return s.Pages[0].URL
}

// SiteSigns are what a page tells of its site: a bit for each department of a newspaper, and for what a page says to
// be. They are in encoded states, so a bit keeps its meaning: the types stand among the departments, behind the first
// ten of these.
type SiteSigns uint16

const (
	newsArticle SiteSigns = 1 << (firstTen + iota)
	newsOrganisation

	firstTen = department.Science + 1
	lowBits  = 1<<firstTen - 1
)

func signsOfDepartments(d department.Set) SiteSigns { return SiteSigns(d&lowBits | d&^lowBits<<2) }

func (s SiteSigns) departments() department.Set {
	return department.Set(s&lowBits | s>>2&^lowBits)
}

// signsOf are those of a document: see publisher.NewsSignals.
func signsOf(list []string) (s SiteSigns) {
	for _, name := range list {
		switch name {
		case "NewsArticle":
			s |= newsArticle
		case "NewsMediaOrganization":
			s |= newsOrganisation
		default:
			// Departments are called by their own names, which are English ones.
			s |= signsOfDepartments(department.Of(name))
		}
	}
	return s
}

// foldersOf are the departments that the folders of a link's path name.
func foldersOf(link string) (found department.Set) {
	path, ok := pathOf(link)
	if !ok {
		return 0
	}
	folders := segmentsOf(path)
	if len(folders) < 2 {
		return 0 // the last part names the page
	}
	// The last part is the piece's own name, in which any word may stand.
	for _, folder := range folders[:len(folders)-1] {
		found |= department.Of(folder)
	}
	return found
}

// pathOf is the path of a link as url.Parse has it, and whether the link can be parsed. Of nearly all links it is what
// stands there, and is found without parsing the rest.
func pathOf(link string) (path string, ok bool) {
	rest, ok := strings.CutPrefix(link, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(link, "http://")
	}
	host := len(rest) - len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz0123456789.-"))
	odd := func(r rune) bool { return r <= ' ' || r > '~' || r == '%' }
	if !ok || host == len(rest) || rest[host] != '/' || strings.IndexFunc(rest, odd) >= 0 {
		u, err := url.Parse(link)
		if err != nil {
			return "", false
		}
		return u.Path, true
	}
	path = rest[host:]
	if end := strings.IndexAny(path, "?#"); end >= 0 {
		path = path[:end]
	}
	return path, true
}

// newsSigns are what tells of a newspaper: the departments that half of a source's pages link to, 1 for each that is
// there, and what follows them.
type newsSigns [signCount]int

const (
	saysNews      = int(department.Count) + iota // half of the pages say to be news, or by a newspaper
	paperNamed                                   // it is named like a newspaper
	allTopics                                    // how many departments its paths name, mostTopics at most
	generalTopics                                // how many of these are of general news
	several                                      // there are pages to vote: what follows is only then
	generalLinks                                 // half link to one department of general news, two, three, four

	mostGeneral = 4
	someLink    = generalLinks + mostGeneral // behind it, the departments that a quarter of the pages link to
	always      = someLink + int(department.Count)
	signCount   = always + 1
)

// newsWeights are how much each sign tells, in hundredths of the logarithm of odds: a logistic regression over the
// given part of the labelled sites, which TestNewspaper_weights makes anew.
var newsWeights = newsSigns{
	department.Politics: 108, department.World: 92, department.Nation: 70, department.Local: 25,
	department.Society: -10, department.Opinion: 58, department.Economy: 86, department.Sport: 186,
	department.Culture: 40, department.Science: -55, department.Crime: 53, department.Game: 25,
	department.Latest: -2, department.Weather: 113,
	saysNews: 176, paperNamed: 140, allTopics: 73, generalTopics: 22, several: -61,
	generalLinks: -10, generalLinks + 1: 41, generalLinks + 2: 26, generalLinks + 3: 5,
	someLink + int(department.Politics): -9, someLink + int(department.World): 38,
	someLink + int(department.Nation): 41, someLink + int(department.Local): -8,
	someLink + int(department.Society): -8, someLink + int(department.Opinion): 18,
	someLink + int(department.Economy): 37, someLink + int(department.Sport): 6,
	someLink + int(department.Culture): -23, someLink + int(department.Science): -10,
	someLink + int(department.Crime): -21, someLink + int(department.Game): -8,
	someLink + int(department.Latest): 3, someLink + int(department.Weather): 24,
	always: -405,
}

// The least score of a newspaper: the middle of 25 to 75, between which the given part has one precision and one recall
// by weights of its other four fifths. A source with one page has no vote, and has to be surer: where 98 of 100 were
// newspapers likewise. TestNewspaper_weights shows both.
const leastScore, leastAlone = 50, 200

// score adds up what the signs weigh.
func (s newsSigns) score(weights newsSigns) (sum int) {
	for i, n := range s {
		sum += n * weights[i]
	}
	return sum
}

func (s State) newsSigns() newsSigns {
	out := newsSigns{always: 1}
	half, some := s.commonSigns()
	for d := range half.departments().All() {
		out[d] = 1
	}
	if len(s.Pages) >= leastPages {
		out[several] = 1
		_, general := half.departments().Topics()
		for i := range min(general, mostGeneral) {
			out[generalLinks+i] = 1 // the second tells something else than the first
		}
		for d := range some.departments().All() {
			out[someLink+int(d)] = 1
		}
	}
	if half&(newsArticle|newsOrganisation) != 0 {
		out[saysNews] = 1
	}
	domain, _, _ := strings.Cut(urlkey.RegistrableDomain(hostOf(s.anyPageURL())), ".")
	if isPaperName(s.Info.Title) || isPaperName(domain) {
		out[paperNamed] = 1
	}
	var folders department.Set
	// The links of items need no capture, so a source is told before its pages are fetched.
	for _, e := range s.Entries {
		folders |= foldersOf(e.URL)
	}
	for _, p := range s.Pages {
		folders |= foldersOf(p.URL)
	}
	out[allTopics], out[generalTopics] = folders.Topics()
	out[allTopics] = min(out[allTopics], mostTopics)
	out[generalTopics] = min(out[generalTopics], mostTopics-1)
	return out
}

// commonSigns are the signs that half of the pages have, and those that a quarter of them have.
func (s State) commonSigns() (half, some SiteSigns) {
	var count [16]int
	for i := range s.Pages {
		// Most pages have none.
		for left := s.Pages[i].Signs; left != 0; left &= left - 1 {
			count[bits.TrailingZeros16(uint16(left))]++
		}
	}
	for bit, n := range count {
		if n > 0 && 2*n >= len(s.Pages) {
			half |= 1 << bit
		}
		if n > 0 && 4*n >= len(s.Pages) {
			some |= 1 << bit
		}
	}
	return half, some
}
