package platform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// figshare handles figshare.com and the portals below it.
//
// Source: https://docs.figshare.com, "Article details for version" and "Public Article version files".
type figshare struct{}

func (figshare) Name() string { return "figshare" }

// figshareArticle reads .../articles/[type/]slug/id[/version].
func figshareArticle(u *url.URL) (id, version string, ok bool) {
	// Contains, since institutions have portals such as name.figshare.com.
	if !strings.Contains(strings.ToLower(u.Hostname()), "figshare.com") {
		return "", "", false
	}
	parts := segments(u)
	if len(parts) == 0 || parts[0] != "articles" {
		return "", "", false
	}
	parts = parts[1:]
	n := len(parts)
	// A slug may be digits as well, so the part before decides.
	switch {
	case n >= 3 && digits(parts[n-1]) && digits(parts[n-2]):
		return parts[n-2], parts[n-1], true
	case n >= 2 && digits(parts[n-1]):
		return parts[n-1], "", true
	}
	return "", "", false
}

func (figshare) Match(p *fileset.Page) bool {
	_, _, ok := figshareArticle(address(p))
	return ok
}

type figshareAnswer struct {
	DOI       text   `json:"doi"`
	Title     text   `json:"title"`
	Public    *truth `json:"is_public"`
	Embargoed truth  `json:"is_embargoed"`
	Published text   `json:"published_date"`
	Address   text   `json:"url_public_html"`
	About     text   `json:"description"`
	License   struct {
		URL text `json:"url"`
	} `json:"license"`
	Authors []struct {
		Name text `json:"full_name"`
	} `json:"authors"`
	Size    number             `json:"size"` // of all files
	Files   list[figshareFile] `json:"files"`
	Folders figshareFolders    `json:"folder_structure"`
}

// figshareFolders are the folders of files by their identifiers, for articles with folders.
type figshareFolders map[text]string

// UnmarshalJSON accepts any value: without an object there are no folders.
func (f *figshareFolders) UnmarshalJSON(b []byte) error {
	*f = nil
	d := json.NewDecoder(bytes.NewReader(b))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	*f = figshareFolders{}
	// Bounded like the list of files.
	for d.More() && len(*f) < maxFiles {
		id, err := d.Token()
		if err != nil {
			return err
		}
		var folder text
		if err := d.Decode(&folder); err != nil {
			return err
		}
		(*f)[text(fmt.Sprint(id))] = strings.Trim(string(folder), "/")
	}
	return nil
}

type figshareFile struct {
	ID       text   `json:"id"`
	Name     text   `json:"name"`
	Size     number `json:"size"`
	LinkOnly truth  `json:"is_link_only"`
	URL      text   `json:"download_url"`
	MD5      text   `json:"computed_md5"`
	Supplied text   `json:"supplied_md5"`
	Type     text   `json:"mimetype"` // since 2022 or so
}

func (f figshareFile) bytes() int64 { return f.Size.value }

func (f figshare) Process(p *fileset.Page, ask fileset.Asker) (item schemas.FilesetPlatformItem, err error) {
	u := address(p)
	id, version, _ := figshareArticle(u)
	// The latest version would change with each new one.
	if version == "" {
		return item, ended(fileset.StatusPlatformScope, "the URL is of all versions, not of one")
	}
	base := fmt.Sprintf("https://api.figshare.com/v2/articles/%s/versions/%s", id, version)
	a, err := get[figshareAnswer](ask, base)
	if err != nil {
		return item, err
	}
	// A pointer: only a stated false is private.
	if a.Public != nil && !*a.Public || a.Embargoed {
		return item, ended(fileset.StatusPlatformRestrict, "the article is not public, or under an embargo")
	}
	host := strings.ToLower(u.Host)
	item = schemas.FilesetPlatformItem{
		Platform: f.Name(), Status: fileset.StatusSuccess, Domain: host, ID: id,
		Item:      fmt.Sprintf("%s-%s-v%s", host, id, version),
		BundleURL: fmt.Sprintf("https://ndownloader.figshare.com/articles/%s/versions/%s", id, version),
	}
	var creators []string
	for _, author := range a.Authors {
		creators = append(creators, string(author.Name))
	}
	item.ItemMeta = meta("creator", creators, "doi", string(a.DOI), "title", string(a.Title),
		"date", day(string(a.Published)), "source", string(a.Address), "description", string(a.About),
		"license", string(a.License.URL), "version", version)
	files, err := f.files(&a, base, ask)
	if err != nil {
		return item, err
	}
	// A link leads to a file on another host, whose size and hash figshare does not know.
	linked := false
	collect(&item, files, func(f figshareFile) (schemas.ManifestFile, bool) {
		linked = linked || bool(f.LinkOnly)
		return f.manifest(a.Folders), true
	})
	if linked {
		return item, ended(fileset.StatusPlatformScope, "a file is a link to elsewhere")
	}
	return item, nil
}

// Since November 2024 an article lists its first ten files, and pages of at most a thousand have all.
const figshareFirst, figsharePage = 10, 1000

// files are all files of an article.
func (figshare) files(a *figshareAnswer, base string, ask fileset.Asker) (all list[figshareFile], err error) {
	// Another number means all files: fewer now, or more in older responses. The same holds for ten whose sizes add up
	// to the article's; then nothing more needs to be captured.
	if a.Files.files != figshareFirst || a.Size.known && a.Size.value == a.Files.size {
		return a.Files, nil
	}
	for page := 1; page <= maxPages; page++ {
		next, err := get[list[figshareFile]](ask, fmt.Sprintf("%s/files?page=%d&page_size=%d", base, page, figsharePage))
		if err != nil {
			return all, err
		}
		all.join(next)
		if next.files < figsharePage {
			break
		}
	}
	return all, nil
}

func (f figshareFile) manifest(folders figshareFolders) schemas.ManifestFile {
	m := schemas.ManifestFile{
		Path: string(f.Name), Size: f.Size.size(), MD5: sum(string(f.MD5), md5Digits), MIME: string(f.Type),
		PlatformURL: string(f.URL),
	}
	// Without its folder, files of one name in several folders would be one.
	if dir := folders[f.ID]; dir != "" {
		m.Path = dir + "/" + m.Path
	}
	// figshare's computed hash counts, else the author's.
	if m.MD5 == "" {
		m.MD5 = sum(string(f.Supplied), md5Digits)
	}
	return m
}
