package source

import (
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// section is the kind of a link's target by its folders.
type section uint8

const (
	unnamed section = iota
	posted          // pieces of a publication: in a folder of posts, or of a date
	shown           // things to show: projects, products, people
	manual          // documentation
	top             // in no folder
	front           // the site's front page
)

var (
	postFolders = pattern.Lazy(`^(posts?|_posts|blogs?|blogposts?|weblog|news|newsroom|articles?|stor(y|ies)|` +
		`essays?|journal|diary|notes?|entr(y|ies)|archives?|reviews?|releases?|updates?|announcements?|episodes?|podcasts?|` +
		`columns?|opinions?|magazine|press|recipes?|tutorials?|lessons?|til|writings?|thoughts|changelog|artikel|beitrag|` +
		`beitraege|noticias?|articulos?|actualites?|actus?|notizie|berita|novosti|wiadomosci|aktuelles|aktualnosci|` +
		`(19|20)\d\d|(19|20)\d\d-?[01]\d(-?[0-3]\d)?)$`)
	showFolders = pattern.Lazy(`^(projects?|proyectos?|projets?|projekte?|projetos?|progetti|portfolios?|` +
		`portafolio|works?|showcase|case-stud(y|ies)|galler(y|ies)|galerie|products?|produits?|produkte?|productos?|` +
		`produtos?|shop|store|services?|servicios|leistungen|solutions?|compan(y|ies)|places?|listings?|director(y|ies)|` +
		`teams?|people|persons?|members?|staff|clients?|testimonials?|partners?|sponsors?|skills?|experiences?|` +
		`educations?|certifications?|jobs?|careers?|vacanc(y|ies)|vacatures?|karriere|stellenangebote|jobangebote|` +
		`empleos?|emplois?|vagas)$`)
	// feedName matches the file name of a feed, which lists articles but is not an article.
	feedName = pattern.Lazy(`\.(xml|rss|atom|rdf|opml)$`)
	// typedName matches names that programs give to entries of a database: video-naruto-10, property-old-mill-4711.
	typedName = pattern.Lazy(`^(videos?|films?|movies?|anime|games?|songs?|albums?|products?|produits?|productos?|` +
		`produkte?|items?|catalogs?|catalogues?|listings?|property|properties|offers?|deals?|coupons?|jobs?)-.*-\d+$`)
	// vacancy matches titles of job offers.
	vacancy = pattern.Lazy(`(?i)(\((m/w|w/m|m/f|f/m|h/f|f/h|m/v|v/m|k/m)(/[dxn*])?\)|^(\S+ ){0,4}(developers?|` +
		`engineers?|managers?|speciali[sz]ts?|analysts?|supervisors?|technicians?|assistants?|consultants?|coordinators?|` +
		`representatives?|administrators?|accountants?|drivers?|nurses?|clerks?|interns?|internship|team lead|` +
		`help ?desk support|entwickler(in)?|mitarbeiter(in)?|desarrollador(a)?|développeur|programista|разработчик|` +
		`менеджер))( \(.{1,20}\)| [-–|] .{1,24})?$`)
	vacancyParts = partsOf("/w)", "/m)", "/f)", "/h)", "/v)", "/d)", "/x)", "/n)", "/*)", "developer", "engineer",
		"manager", "speciali", "analyst", "supervisor", "technician", "assistant", "consultant", "coordinator",
		"representative", "administrator", "accountant", "driver", "nurse", "clerk", "intern", "team lead", "support",
		"entwickler", "mitarbeiter", "desarrollador", "développeur", "programista", "разработчик", "менеджер")
	// termFolders hold a page for each term by which a site sorts its pieces.
	termFolders = pattern.Lazy(`^(categor(y|ies)|categorias?|kategorien?|kategori|tags?|etiquetas?|authors?)$`)
	// datedName matches names that begin with a day, as site software names posts.
	datedName      = pattern.Lazy(`^(19|20)\d\d-[01]\d-[0-3]\d\b`)
	manualFolders  = pattern.Lazy(`^(docs?|documentation|wiki|manuals?|handbook|reference|api|guides?|help|kb)$`)
	repositoryHost = pattern.Lazy(`\.(github|gitlab|codeberg)\.(io|page)$`)
	// triedName matches pages made to try a program, or shipped with it.
	triedName = pattern.Lazy(`^((my-?)?(first|second|third|fourth|fifth|1st|2nd|3rd)(-?(blog|new))?` +
		`(-?(post|page|article|entry))?|hello(-?world)?|untitled|lorem(-ipsum)?|foo|bar|` +
		`(an?-)?(test|testing|sample|example|demo|dummy)(-?(blog|markdown|html))?(-?(post|page|article))?s?(-?\d{1,2})?)` +
		`(\.html?)?$`)
	triedParts = partsOf("first", "second", "third", "fourth", "fifth", "1st", "2nd", "3rd", "hello", "untitled", "lorem",
		"foo", "bar", "test", "sample", "example", "demo", "dummy")
	// manualHost and manualTitle match names of documentation sites.
	manualHost  = pattern.Lazy(`^(docs?|dev-?docs?|documentation|manuals?|handbook|wiki|help|kb)\.`)
	manualTitle = pattern.Lazy(`(?i)\b(documentation|docs|handbook|(user|reference) (manual|guide)|wiki|` +
		`dokumentation|handbuch|documentación|documentação|documentazione|dokumentacja)\b|документация|` +
		`文档|文檔|手册|手冊|ドキュメント|マニュアル|문서`)
)

const (
	mostTriedBytes   = 32 // of a name that triedName matches
	mostVacancyBytes = 80 // of a title that vacancy matches
	leastTails       = 3  // subjects that titles name twice
)

// sectionOf is the section of a link by its name and folders; base is the site's own part of the path.
func sectionOf(link, base string) section {
	_, rest, ok := strings.Cut(link, "://")
	if !ok {
		return unnamed
	}
	folders := partsOfPath(rest, base)
	name := folders[len(folders)-1]
	switch {
	case len(folders) == 1 && name == "" && !hasQuery(link):
		return front
	case datedName().MatchString(name):
		return posted
	case strings.IndexByte(name, '.') > 0 && feedName().MatchString(name), isTyped(name):
		return shown
	case len(folders) == 1:
		return top
	}
	if within := folders[len(folders)-2]; termFolders().MatchString(within) {
		return shown
	}
	return folderOf(folders[:len(folders)-1])
}

// hasQuery reports whether a link has parameters other than those of tracking. Sites without names for their posts have
// all of them at the root, as /?p=12 of WordPress.
func hasQuery(link string) bool {
	link, _, _ = strings.Cut(withoutTracking(link), "#")
	_, query, _ := strings.Cut(link, "?")
	return query != ""
}

// partsOfPath are the parts of a link's path in lower case, after the site's own part; the last is the page's name.
// The link has no scheme.
func partsOfPath(link, base string) []string {
	_, path, _ := strings.Cut(link, "/")
	if end := strings.IndexAny(path, "?#"); end >= 0 {
		path = path[:end]
	}
	path = strings.TrimPrefix(strings.ToLower(path), base)
	return strings.Split(strings.Trim(strings.TrimSuffix(path, "index.html"), "/"), "/")
}

// isVacancy reports whether a title is of a job offer.
func isVacancy(title string) bool {
	return len(title) <= mostVacancyBytes && vacancyParts.in(strings.ToLower(title)) && vacancy().MatchString(title)
}

// isTriedName reports whether a link is named like a page made to try a program.
func isTriedName(link string) bool {
	_, rest, ok := strings.Cut(link, "://")
	if !ok {
		return false
	}
	folders := partsOfPath(rest, "")
	name := folders[len(folders)-1]
	return len(name) <= mostTriedBytes && triedParts.in(name) && triedName().MatchString(name)
}

// tries is the share of the newest items with such links.
func (s State) tries() float64 {
	n := 0
	for _, e := range s.Entries {
		if isTriedName(e.URL) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(s.Entries)))
}

// echoes is the share of the newest items whose titles name their subject twice. Programs title pages made from a list
// so: "Naruto: all episodes - Naruto". An ending common to all is the site's name.
func (s State) echoes() float64 {
	n, tails := 0, map[string]bool{}
	for _, e := range s.Entries {
		if tail := tailOf(e.Title); tail != "" && strings.HasPrefix(e.Title, tail) {
			n++
			tails[tail] = true
		}
	}
	if len(tails) < leastTails {
		return 0
	}
	return float64(n) / float64(len(s.Entries))
}

// isTyped tries the regular expression only on names that end in a number.
func isTyped(name string) bool {
	return name != "" && name[len(name)-1] <= '9' && typedName().MatchString(name)
}

// tailOf is the part of a title after the last dash or bar, or "" if the part is too long or a single letter.
func tailOf(title string) string {
	for _, mark := range []string{" - ", " – ", " — ", " | "} {
		if at := strings.LastIndex(title, mark); at > 0 && len(title)-at-len(mark) < at && len(title)-at-len(mark) > 1 {
			return title[at+len(mark):]
		}
	}
	return ""
}

// isManual reports whether the site is called documentation.
func (s State) isManual() bool {
	return manualHost().MatchString(strings.ToLower(hostOf(s.Info.URL))) || manualTitle().MatchString(s.Info.Title)
}

// folderOf returns the section of the innermost known folder.
func folderOf(folders []string) section {
	for n := len(folders) - 1; n >= 0; n-- {
		switch {
		case postFolders().MatchString(folders[n]):
			return posted
		case showFolders().MatchString(folders[n]):
			return shown
		case manualFolders().MatchString(folders[n]):
			return manual
		}
	}
	return unnamed
}

// base is the folder of a site on a host for repositories: the repository's name does not describe its content.
func (s State) base() string {
	u, err := url.Parse(s.Info.URL)
	if err != nil || !repositoryHost().MatchString(strings.ToLower(u.Hostname())) || isOfSection(s.Info.Title) {
		return ""
	}
	first, _, deeper := strings.Cut(strings.TrimPrefix(strings.ToLower(u.Path), "/"), "/")
	// The feed of a section is called like it: "Projects | Ann", in /project/.
	if !deeper || strings.HasPrefix(squeeze(s.Info.Title), squeeze(first)) && folderOf([]string{first}) != unnamed {
		return ""
	}
	return first + "/"
}

// sections are those of the items with kept links, the newest MaxEntries.
func (s State) sections() map[uint64]section {
	base, list := s.base(), make(map[uint64]section, len(s.Entries))
	for _, e := range s.Entries {
		list[e.ID] = sectionOf(e.URL, base)
		if isVacancy(e.Title) {
			list[e.ID] = shown
		}
	}
	return list
}
