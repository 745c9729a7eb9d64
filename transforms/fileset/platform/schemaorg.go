package platform

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/fileset"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// schemaorg handles any page that describes a dataset and its downloads in JSON-LD, as Google Dataset Search requires.
// The Link header fields of signposting count, too: type for the page, item for each file.
//
// Source: https://schema.org/Dataset and DataDownload, and https://signposting.org/FAIR; there is no API.
type schemaorg struct{}

func (schemaorg) Name() string { return "schemaorg" }

// Datasets returns the descriptions of datasets in a page's JSON-LD.
func Datasets(html []byte, address string) []jsonld.Node {
	text, _, err := charset.Decode(html, charset.Detect(html, "", charset.Options{}).Name)
	if err != nil {
		return nil
	}
	p := page.Parse(text, page.Options{URL: address})
	var found []jsonld.Node
	for _, n := range jsonld.Nodes(p.Scripts(), jsonld.Options{}) {
		candidates := append([]jsonld.Node{n}, n.Child("mainEntity")...)
		for _, c := range candidates {
			if isType(c, "Dataset") {
				found = append(found, c)
			}
		}
	}
	return found
}

func isType(n jsonld.Node, name string) bool {
	for _, t := range n.Types() {
		if t == name {
			return true
		}
	}
	return false
}

// downloads are the distributions of a dataset with a URL.
func downloads(n jsonld.Node) []jsonld.Node {
	var found []jsonld.Node
	for _, d := range n.Child("distribution") {
		if d.String("contentUrl") != "" {
			found = append(found, d)
		}
	}
	return found
}

func (schemaorg) Match(p *fileset.Page) bool {
	for _, n := range Datasets(p.HTML, p.URL) {
		if len(downloads(n)) > 0 {
			return true
		}
	}
	return fileset.IsDataset(p.Links) && len(items(p)) > 0
}

// items are the files in a page's Link fields.
func items(p *fileset.Page) (found []jsonld.Node) {
	for _, l := range fileset.Links(p.Links) {
		if l.Rel == "item" {
			found = append(found, jsonld.Node{"contentUrl": l.URL, "encodingFormat": l.Type})
		}
	}
	return found
}

func (s schemaorg) Process(p *fileset.Page, _ fileset.Asker) (item schemas.FilesetPlatformItem, err error) {
	u := address(p)
	sets := Datasets(p.HTML, p.URL)
	var set jsonld.Node
	for _, n := range sets {
		switch {
		case len(downloads(n)) == 0:
		case set != nil:
			return item, ended(fileset.StatusPlatformScope, "the page describes several datasets")
		default:
			set = n
		}
	}
	if free := set.String("isAccessibleForFree"); strings.EqualFold(free, "false") {
		return item, ended(fileset.StatusPlatformRestrict, "the page says that the dataset is not free to read")
	}
	id := set.String("identifier")
	if id == "" {
		id = set.String("@id")
	}
	if id == "" {
		id = u.String()
	}
	item = schemas.FilesetPlatformItem{
		Platform: s.Name(), Status: fileset.StatusSuccess, Domain: strings.ToLower(u.Host), ID: id,
		Item: strings.ToLower(u.Hostname()) + "-" + itemName(id),
		ItemMeta: meta("title", set.String("name"), "creator", set.Strings("creator"),
			"description", set.String("description"),
			"license", set.String("license"), "date", day(set.String("datePublished")), "source", u.String(),
			"version", set.String("version")),
	}
	names := newPathNames()
	var files list[schemaFile]
	all := downloads(set)
	if len(all) == 0 {
		all = items(p)
	}
	for _, d := range all {
		files.add(newSchemaFile(d, u, names))
	}
	collect(&item, files, func(f schemaFile) (schemas.ManifestFile, bool) { return f.ManifestFile, true })
	return item, nil
}

// itemName is an identifier in the form of an archive.org name: letters, digits, dots, hyphens, underscores. A
// changed identifier gets a hash, so that no two datasets of a host share an item.
func itemName(id string) string {
	if name := plainName(id); name == id && len(id) <= maxItemName && id != "" {
		return id
	}
	return hashedName(id, id)
}

// plainName replaces other characters by hyphens.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '.' || r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '-'
	}, name)
}

// maxItemName is the most bytes of an item's name after the host.
const maxItemName = 60

// hashedName is the end of a name with a hash of the dataset's identifier.
func hashedName(name, id string) string {
	sum := sha256.Sum256([]byte(id))
	hash := "-" + hex.EncodeToString(sum[:5])
	name = plainName(name)
	name = strings.Trim(name[max(0, len(name)-maxItemName+len(hash)):], "-._")
	return strings.TrimPrefix(name+hash, "-")
}

type schemaFile struct{ schemas.ManifestFile }

func (f schemaFile) bytes() int64 {
	if f.Size == nil {
		return 0
	}
	return *f.Size
}

func newSchemaFile(d jsonld.Node, base *url.URL, names pathNames) schemaFile {
	f := schemas.ManifestFile{MIME: d.String("encodingFormat"), Size: byteSize(d.String("contentSize"))}
	if u, err := base.Parse(d.String("contentUrl")); err == nil {
		f.PlatformURL = u.String()
		f.Path = path.Base(u.Path)
	}
	// The name in the URL, if meaningful: other names are for people, often "Download".
	if f.Path == "." || f.Path == "/" || f.Path == "download" || f.Path == "content" {
		f.Path = d.String("name")
	}
	f.Path = names.unique(f.Path)
	f.SHA256 = sum(d.String("sha256"), sha256Digits)
	f.MD5 = sum(d.String("md5"), md5Digits)
	if !strings.Contains(f.MIME, "/") {
		f.MIME = "" // such as "CSV"
	}
	return schemaFile{f}
}

// pathNames are the paths of a manifest.
type pathNames struct {
	taken map[string]bool
	next  map[string]int // by the name of a file: the number of the folder to try next
}

func newPathNames() pathNames { return pathNames{map[string]bool{}, map[string]int{}} }

// unique returns a path that no other file has: equal ones get folders with numbers. All files may have one name, so
// the search goes on where it ended.
func (p pathNames) unique(name string) string {
	base, found := path.Base(name), name
	n := max(2, p.next[base])
	for ; found == "" || p.taken[found]; n++ {
		found = strings.Trim(strconv.Itoa(n)+"/"+base, "/.")
	}
	p.taken[found], p.next[base] = true, n
	return found
}

// byteSize is an exact size as pages write it: a number, or one of bytes. "1.2 MB" is rounded and would never match.
func byteSize(s string) *int64 {
	s = strings.TrimSpace(s)
	for _, unit := range []string{"bytes", "byte", "B", "b"} {
		s = strings.TrimSpace(strings.TrimSuffix(s, unit))
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	if err != nil || f < 0 || f != math.Trunc(f) || f > 1<<53 {
		return nil
	}
	n := int64(f)
	return &n
}
