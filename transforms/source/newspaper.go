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
	var seen SiteSigns
	// The links of items need no capture, so a source is told before its pages are fetched.
	for _, e := range s.Entries {
		seen |= signsOfPath(e.URL)
	}
	folders := 0 // pages that stand in a department's folder
	for _, p := range s.Pages {
		signs := signsOfPath(p.URL)
		if seen |= signs; signs != 0 {
			folders++
		}
	}
	all, core := seen.topics()
	domain, _, _ := strings.Cut(urlkey.RegistrableDomain(hostOf(s.anyPageURL())), ".")
	// A name alone is not enough: magazines and blogs call themselves gazettes too.
	named := isPaperName(s.Info.Title) || isPaperName(domain)
	if all >= namedTopics && core > 0 && named {
		return true
	}
	inFolders := folders > 0 && 2*folders >= len(s.Pages)
	return all >= mostTopics && core >= 2 || s.newsPoints(named, inFolders) >= leastPoints
}

// anyPageURL is the feed's URL, else that of a page.
func (s State) anyPageURL() string {
	if s.Info.URL != "" || len(s.Pages) == 0 {
		return s.Info.URL
	}
	return s.Pages[0].URL
}

// SiteSigns are what a page tells of its site: a bit for each department of a newspaper, and for what a page says to
// be.
type SiteSigns uint16

const (
	newsArticle SiteSigns = 1 << (department.Count + iota)
	newsOrganisation
)

// topics counts departments, and those of general news.
func (s SiteSigns) topics() (all, core int) {
	for d := range department.Count {
		if s&(1<<d) != 0 {
			all++
			if d.IsCore() {
				core++
			}
		}
	}
	return all, core
}

func (s SiteSigns) has(d department.Department) bool { return s&(1<<d) != 0 }

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
			if d, ok := department.Of(name); ok {
				s |= 1 << d
			}
		}
	}
	return s
}

// signsOfPath are the departments that the folders of a link's path name.
func signsOfPath(link string) (s SiteSigns) {
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
		if d, ok := department.Of(folder); ok {
			s |= 1 << d
		}
	}
	return s
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

// leastPoints are those of a newspaper: chosen on the given half of labelled sites, see docs/sources.md.
const leastPoints = 5

// newsPoints weighs what most of a source's pages say of their site: whether it is named like a newspaper, whether half
// of its pages stand in folders of departments, and what they say themselves.
func (s State) newsPoints(named, folders bool) (points int) {
	signs := s.commonSigns()
	if signs&(newsArticle|newsOrganisation) != 0 {
		points += 2
	}
	if named {
		points += 2
	}
	if folders {
		points++
	}
	switch all, core := signs.topics(); {
	case all >= 6 && core >= 3:
		points += 3
	case all >= 5 && core >= 2:
		points += 2
	case all >= 3 && core >= 1:
		points++
	}
	// What each newspaper has, and hardly any magazine.
	if _, core := signs.topics(); core > 0 && signs.has(department.Sport) && signs.has(department.Economy) {
		points++
	}
	return points
}

// commonSigns are the signs that half of the pages have.
func (s State) commonSigns() (signs SiteSigns) {
	var count [16]int
	for i := range s.Pages {
		// Most pages have none.
		for left := s.Pages[i].Signs; left != 0; left &= left - 1 {
			count[bits.TrailingZeros16(uint16(left))]++
		}
	}
	for bit, n := range count {
		if n > 0 && 2*n >= len(s.Pages) {
			signs |= 1 << bit
		}
	}
	return signs
}
