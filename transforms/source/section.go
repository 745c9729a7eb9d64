package source

import (
	"net/url"
	"regexp"
	"strings"
)

// section is what the folders of a link say of what is there.
type section uint8

const (
	unnamed section = iota
	posted          // pieces of a publication: in a folder of posts, or of a date
	shown           // what a site has to show: projects, products, people
	manual          // documentation
	top             // it is in no folder
	front           // it is the site's front page
)

var (
	postFolders = regexp.MustCompile(`^(posts?|_posts|blogs?|blogposts?|weblog|news|newsroom|articles?|stor(y|ies)|` +
		`essays?|journal|diary|notes?|entr(y|ies)|archives?|reviews?|releases?|updates?|announcements?|episodes?|podcasts?|` +
		`columns?|opinions?|magazine|press|recipes?|tutorials?|lessons?|til|writings?|thoughts|changelog|artikel|beitrag|` +
		`beitraege|noticias?|articulos?|actualites?|actus?|notizie|berita|novosti|wiadomosci|aktuelles|aktualnosci|` +
		`(19|20)\d\d|(19|20)\d\d-?[01]\d(-?[0-3]\d)?)$`)
	showFolders = regexp.MustCompile(`^(projects?|proyectos?|projets?|projekte?|projetos?|progetti|portfolios?|` +
		`portafolio|works?|showcase|case-stud(y|ies)|galler(y|ies)|galerie|products?|produits?|produkte?|productos?|` +
		`produtos?|shop|store|services?|servicios|leistungen|solutions?|compan(y|ies)|places?|listings?|director(y|ies)|` +
		`teams?|people|persons?|members?|staff|clients?|testimonials?|partners?|sponsors?|skills?|experiences?|` +
		`educations?|certifications?|jobs?|careers?|vacanc(y|ies)|vacatures?|karriere|stellenangebote|jobangebote|` +
		`empleos?|emplois?|vagas)$`)
	// feedName is that of a feed, whose items are pieces, but which is none itself.
	feedName = regexp.MustCompile(`\.(xml|rss|atom|rdf|opml)$`)
	// typedName is what a program names the page of a thing in a database: video-naruto-10, property-old-mill-4711.
	typedName = regexp.MustCompile(`^(videos?|films?|movies?|anime|games?|songs?|albums?|products?|produits?|productos?|` +
		`produkte?|items?|catalogs?|catalogues?|listings?|property|properties|offers?|deals?|coupons?|jobs?)-.*-\d+$`)
	// vacancy is the title of an offer of work.
	vacancy = regexp.MustCompile(`(?i)(\((m/w|w/m|m/f|f/m|h/f|f/h|m/v|v/m|k/m)(/[dxn*])?\)|^(\S+ ){0,4}(developers?|` +
		`engineers?|managers?|speciali[sz]ts?|analysts?|supervisors?|technicians?|assistants?|consultants?|coordinators?|` +
		`representatives?|administrators?|accountants?|drivers?|nurses?|clerks?|interns?|internship|team lead|` +
		`help ?desk support|entwickler(in)?|mitarbeiter(in)?|desarrollador(a)?|développeur|programista|разработчик|` +
		`менеджер))( \(.{1,20}\)| [-–|] .{1,24})?$`)
	vacancyParts = partsOf("/w)", "/m)", "/f)", "/h)", "/v)", "/d)", "/x)", "/n)", "/*)", "developer", "engineer",
		"manager", "speciali", "analyst", "supervisor", "technician", "assistant", "consultant", "coordinator",
		"representative", "administrator", "accountant", "driver", "nurse", "clerk", "intern", "team lead", "support",
		"entwickler", "mitarbeiter", "desarrollador", "développeur", "programista", "разработчик", "менеджер")
	// termFolders hold a page for each of the names by which a site sorts its pieces.
	termFolders = regexp.MustCompile(`^(categor(y|ies)|categorias?|kategorien?|kategori|tags?|etiquetas?|authors?)$`)
	// datedName is one that begins with a day, as site software names posts.
	datedName      = regexp.MustCompile(`^(19|20)\d\d-[01]\d-[0-3]\d\b`)
	manualFolders  = regexp.MustCompile(`^(docs?|documentation|wiki|manuals?|handbook|reference|api|guides?|help|kb)$`)
	repositoryHost = regexp.MustCompile(`\.(github|gitlab|codeberg)\.(io|page)$`)
	// triedName is that of a page which somebody has made to try a program, or which came with it.
	triedName = regexp.MustCompile(`^((my-?)?(first|second|third|fourth|fifth|1st|2nd|3rd)(-?(blog|new))?` +
		`(-?(post|page|article|entry))?|hello(-?world)?|untitled|lorem(-ipsum)?|foo|bar|` +
		`(an?-)?(test|testing|sample|example|demo|dummy)(-?(blog|markdown|html))?(-?(post|page|article))?s?(-?\d{1,2})?)` +
		`(\.html?)?$`)
	triedParts = partsOf("first", "second", "third", "fourth", "fifth", "1st", "2nd", "3rd", "hello", "untitled", "lorem",
		"foo", "bar", "test", "sample", "example", "demo", "dummy")
	// manualHost and manualTitle are what sites of documentation are called.
	manualHost  = regexp.MustCompile(`^(docs?|dev-?docs?|documentation|manuals?|handbook|wiki|help|kb)\.`)
	manualTitle = regexp.MustCompile(`(?i)\b(documentation|docs|handbook|(user|reference) (manual|guide)|wiki|` +
		`dokumentation|handbuch|documentación|documentação|documentazione|dokumentacja)\b|документация|` +
		`文档|文檔|手册|手冊|ドキュメント|マニュアル|문서`)
)

const (
	mostTriedBytes   = 32 // of a name that triedName matches
	mostVacancyBytes = 80 // of a title that vacancy matches
	leastTails       = 3  // subjects that titles name twice
)

// sectionOf tells by a link's name and folders what is there; base is the part of the path that is the site's own.
func sectionOf(link, base string) section {
	_, rest, ok := strings.Cut(link, "://")
	if !ok {
		return unnamed
	}
	folders := partsOfPath(rest, base)
	name := folders[len(folders)-1]
	switch {
	case len(folders) == 1 && name == "":
		return front
	case datedName.MatchString(name):
		return posted
	case strings.IndexByte(name, '.') > 0 && feedName.MatchString(name), isTyped(name):
		return shown
	case len(folders) == 1:
		return top
	}
	if within := folders[len(folders)-2]; termFolders.MatchString(within) {
		return shown
	}
	return folderOf(folders[:len(folders)-1])
}

// partsOfPath are the parts of a link's path in lower case, after what is the site's own; the last is the page's name.
// The scheme is cut off.
func partsOfPath(link, base string) []string {
	_, path, _ := strings.Cut(link, "/")
	if end := strings.IndexAny(path, "?#"); end >= 0 {
		path = path[:end]
	}
	path = strings.TrimPrefix(strings.ToLower(path), base)
	return strings.Split(strings.Trim(strings.TrimSuffix(path, "index.html"), "/"), "/")
}

// isVacancy reports whether a title is that of an offer of work.
func isVacancy(title string) bool {
	return len(title) <= mostVacancyBytes && vacancyParts.in(strings.ToLower(title)) && vacancy.MatchString(title)
}

// isTriedName reports whether a link is named like a page that somebody has made to try a program.
func isTriedName(link string) bool {
	_, rest, ok := strings.Cut(link, "://")
	if !ok {
		return false
	}
	folders := partsOfPath(rest, "")
	name := folders[len(folders)-1]
	return len(name) <= mostTriedBytes && triedParts.in(name) && triedName.MatchString(name)
}

// tries is the share of the newest items whose links are named so.
func (s State) tries() float64 {
	n := 0
	for _, e := range s.Entries {
		if isTriedName(e.URL) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(s.Entries)))
}

// echoes is the share of the newest items whose titles name their subject twice, as programs title the pages that they
// make of a list: "Naruto: all episodes - Naruto". What all have in common is the name of the site.
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

// isTyped asks the regular expression of names that end in a number.
func isTyped(name string) bool {
	return name != "" && name[len(name)-1] <= '9' && typedName.MatchString(name)
}

// tailOf is what follows the last line or bar in a title, "" where that is all, or a letter.
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
	return manualHost.MatchString(strings.ToLower(hostOf(s.Info.URL))) || manualTitle.MatchString(s.Info.Title)
}

// folderOf tells by the innermost folder that says something.
func folderOf(folders []string) section {
	for n := len(folders) - 1; n >= 0; n-- {
		switch {
		case postFolders.MatchString(folders[n]):
			return posted
		case showFolders.MatchString(folders[n]):
			return shown
		case manualFolders.MatchString(folders[n]):
			return manual
		}
	}
	return unnamed
}

// base is the folder of a site that is in one of a host for repositories, whose name says nothing of what it has.
func (s State) base() string {
	u, err := url.Parse(s.Info.URL)
	if err != nil || !repositoryHost.MatchString(strings.ToLower(u.Hostname())) || isOfSection(s.Info.Title) {
		return ""
	}
	first, _, deeper := strings.Cut(strings.TrimPrefix(strings.ToLower(u.Path), "/"), "/")
	// The feed of a section is called like it: "Projects | Ann", in /project/.
	if !deeper || strings.HasPrefix(squeeze(s.Info.Title), squeeze(first)) && folderOf([]string{first}) != unnamed {
		return ""
	}
	return first + "/"
}

// sections are those of the items whose links are kept: the newest MaxEntries.
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
