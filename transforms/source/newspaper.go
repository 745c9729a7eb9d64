package source

import (
	"math/bits"
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/department"
	"github.com/gleaner-web/gleaner/transforms/pattern"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// A newspaper differs from other publications by its variety. The paths of its pages name politics, its town, sports,
// the economy and opinion; a trade magazine or a blog has one of these. It shows only over several pages.

// paperName matches words of newspapers' names, in titles of feeds and in domains.
var paperName = pattern.Lazy(`(?i)(zeitung|nachrichten|tagblatt|tageblatt|anzeiger|abendblatt|morgenpost|` +
	`rundschau|diario|noticias|dziennik|gazeta|gazette|gazzetta|tribune|herald|chronicle|telegraph|guardian|courier|` +
	`kurier|tidning|dagblad|sanomat|uutiset|news\b|\btimes\b|\bthe post\b|\bdaily\b)`)

// paperParts are substrings, one of which is in every match of paperName.
var paperParts = partsOf("zeitung", "nachrichten", "tagblatt", "tageblatt", "anzeiger", "abendblatt", "morgenpost",
	"rundschau", "diario", "noticias", "dziennik", "gazeta", "gazette", "gazzetta", "tribune", "herald", "chronicle",
	"telegraph", "guardian", "courier", "kurier", "tidning", "dagblad", "sanomat", "uutiset", "news", "times", "the post",
	"daily")

// isPaperName tries the regular expression on few names.
func isPaperName(name string) bool {
	return paperParts.in(strings.ToLower(name)) && paperName().MatchString(name)
}

const (
	mostTopics  = 4 // topics that suffice by themselves, two of them core
	namedTopics = 2 // topics of a source named like a newspaper, one of them core
)

// isNewspaper reports whether a source publishes general news, by the links of the newest items and by the pages.
func (s State) isNewspaper() bool {
	seen := s.newsSigns()
	all, general := seen[allTopics]/whole, seen[generalTopics]/whole
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

// SiteSigns are signs of a page about its site: a bit for each department of a newspaper, and for types that the page
// declares. Encoded states hold them, so a bit keeps its meaning: the types follow the first ten departments.
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
			// Departments have their English names.
			s |= signsOfDepartments(department.Of(name))
		}
	}
	return s
}

// foldersOf are the departments named by the folders of a link's path.
func foldersOf(link string) (found department.Set) {
	path, ok := pathOf(link)
	if !ok {
		return 0
	}
	// The last part is the piece's own name, which may contain any word.
	path = strings.TrimRight(path, "/")
	for folder := range strings.SplitSeq(strings.ToLower(path[:max(0, strings.LastIndexByte(path, '/'))]), "/") {
		found |= department.Of(folder)
	}
	return found
}

// pathOf is the path of a link as in url.Parse, and false if the link is invalid. For nearly all links it is a
// substring, found without parsing the rest.
func pathOf(link string) (path string, ok bool) {
	rest, ok := strings.CutPrefix(link, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(link, "http://")
	}
	host := 0
	for host < len(rest) && isPlainHost(rest[host]) {
		host++
	}
	end, plain := len(rest), ok && host < len(rest) && rest[host] == '/'
	for i := host; i < len(rest) && plain; i++ {
		c := rest[i]
		plain = ' ' < c && c <= '~' && c != '%'
		if (c == '?' || c == '#') && end == len(rest) {
			end = i
		}
	}
	if plain {
		return rest[host:end], true
	}
	u, err := url.Parse(link)
	if err != nil {
		return "", false
	}
	return u.Path, true
}

func isPlainHost(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '.' || c == '-'
}

// newsSigns are signs of a newspaper, in hundredths. First come the departments that a source's pages link to: whole
// if half of them do, and else by their share.
type newsSigns [signCount]int

const (
	saysNews      = int(department.Count) + iota // half of the pages declare news, or a newspaper
	paperNamed                                   // named like a newspaper
	allTopics                                    // number of departments in its paths, at most mostTopics
	generalTopics                                // of these, the number of general news
	several                                      // enough pages to vote, without which the rest is 0
	generalLinks                                 // half link to one department of general news, two, three, four

	mostGeneral = 4
	always      = generalLinks + mostGeneral
	signCount   = always + 1
	whole       = 100
)

// newsWeights are the weights of the signs, in hundredths of log odds. They come from a logistic regression on the
// given part of the labelled sites, which TestNewspaper_weights repeats.
var newsWeights = newsSigns{
	department.Politics: 93, department.World: 92, department.Nation: 73, department.Local: 21,
	department.Society: 13, department.Opinion: 48, department.Economy: 93, department.Sport: 191,
	department.Culture: 23, department.Science: -65, department.Crime: 77, department.Game: 4,
	department.Latest: 35, department.Weather: 110,
	saysNews: 182, paperNamed: 153, allTopics: 84, generalTopics: 26, several: -87,
	generalLinks: -9, generalLinks + 1: 58, generalLinks + 2: 48, generalLinks + 3: 12,
	always: -429,
}

// The least score of a newspaper, a step of 25 above the lowest score with a precision of 97 %. The weights came from
// the other four fifths of the given part. A source with one page has no vote, so it needs 98 %. TestNewspaper_weights
// shows both.
const leastScore, leastAlone = 0, 200

func (s newsSigns) score(weights newsSigns) (sum int) {
	for i, n := range s {
		sum += n * weights[i]
	}
	return sum / whole
}

func (s State) newsSigns() newsSigns {
	out := newsSigns{always: whole}
	var half SiteSigns
	for bit, n := range s.countSigns() {
		sign := SiteSigns(1) << bit
		if n > 0 && 2*n >= len(s.Pages) {
			half |= sign
		}
		for d := range sign.departments().All() {
			// Not by steps: pages of a department may have their own menu, and login pages none. So a department is
			// often on a third of a newspaper's pages.
			out[d] = min(whole, 2*whole*n/max(1, len(s.Pages)))
		}
	}
	if len(s.Pages) >= leastPages {
		out[several] = whole
		_, general := half.departments().Topics()
		for i := range min(general, mostGeneral) {
			out[generalLinks+i] = whole // the second differs in meaning from the first
		}
	}
	if half&(newsArticle|newsOrganisation) != 0 {
		out[saysNews] = whole
	}
	domain, _, _ := strings.Cut(urlkey.RegistrableDomain(hostOf(s.anyPageURL())), ".")
	if isPaperName(s.Info.Title) || isPaperName(domain) {
		out[paperNamed] = whole
	}
	all, general := s.topicsOfPaths()
	out[allTopics], out[generalTopics] = whole*min(all, mostTopics), whole*min(general, mostTopics-1)
	return out
}

// topicsOfPaths counts the departments in the paths of items and pages, and those of general news.
func (s State) topicsOfPaths() (all, general int) {
	var folders department.Set
	// The links of items need no capture, so this works before its pages are fetched.
	for _, e := range s.Entries {
		folders |= foldersOf(e.URL)
	}
	for _, p := range s.Pages {
		folders |= foldersOf(p.URL)
	}
	return folders.Topics()
}

// countSigns counts the pages with each sign, by its bit.
func (s State) countSigns() (count [16]int) {
	for i := range s.Pages {
		// Most pages have none.
		for left := s.Pages[i].Signs; left != 0; left &= left - 1 {
			count[bits.TrailingZeros16(uint16(left))]++
		}
	}
	return count
}
