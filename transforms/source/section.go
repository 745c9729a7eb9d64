package source

import (
	"net/url"
	"regexp"
	"strings"
)

// section is what the folders of a link say of what stands there.
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
		`educations?|certifications?)$`)
	// termFolders hold a page for each of the names by which a site sorts its pieces.
	termFolders = regexp.MustCompile(`^(categor(y|ies)|categorias?|kategorien?|kategori|tags?|etiquetas?|authors?)$`)
	// datedName is one that begins with a day, as site software names posts.
	datedName      = regexp.MustCompile(`^(19|20)\d\d-[01]\d-[0-3]\d\b`)
	manualFolders  = regexp.MustCompile(`^(docs?|documentation|wiki|manuals?|handbook|reference|api|guides?|help|kb)$`)
	repositoryHost = regexp.MustCompile(`\.(github|gitlab|codeberg)\.(io|page)$`)
)

// sectionOf tells by a link's name and folders what stands there; base is the part of the path that is the site's own.
func sectionOf(link, base string) section {
	_, rest, ok := strings.Cut(link, "://")
	if !ok {
		return unnamed
	}
	_, path, _ := strings.Cut(rest, "/")
	if end := strings.IndexAny(path, "?#"); end >= 0 {
		path = path[:end]
	}
	path = strings.TrimPrefix(strings.ToLower(path), base)
	folders := strings.Split(strings.Trim(strings.TrimSuffix(path, "index.html"), "/"), "/")
	name := folders[len(folders)-1]
	switch {
	case len(folders) == 1 && name == "":
		return front
	case datedName.MatchString(name):
		return posted
	case len(folders) == 1:
		return top
	}
	if within := folders[len(folders)-2]; termFolders.MatchString(within) {
		return shown
	}
	return folderOf(folders[:len(folders)-1])
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

// base is the folder of a site that stands in one of a host for repositories, whose name says nothing of what it has.
func (s State) base() string {
	u, err := url.Parse(s.Info.URL)
	if err != nil || !repositoryHost.MatchString(strings.ToLower(u.Hostname())) || isOfSection(s.Info.Title) {
		return ""
	}
	first, _, deeper := strings.Cut(strings.TrimPrefix(strings.ToLower(u.Path), "/"), "/")
	if !deeper {
		return ""
	}
	return first + "/"
}

// sections are those of the items whose links are kept: the newest MaxEntries.
func (s State) sections() map[uint64]section {
	base, list := s.base(), make(map[uint64]section, len(s.Entries))
	for _, e := range s.Entries {
		list[e.ID] = sectionOf(e.URL, base)
	}
	return list
}
