// Package export describes a verified dataset for other programs: as a fileset of fatcat, a Data Package of
// Frictionless Data, or an RO-Crate.
//
//	value, ok := export.Formats["fatcat"](result)
//	if ok {
//		line, err := json.Marshal(value)
//	}
//
// The same result always gives the same value.
package export

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// Formats are the formats by name. A format returns false for a dataset that it does not accept.
var Formats = map[string]func(*schemas.FilesetResult) (any, bool){
	"fatcat":       func(r *schemas.FilesetResult) (any, bool) { return Fatcat(r) },
	"frictionless": func(r *schemas.FilesetResult) (any, bool) { return Frictionless(r) },
	"ro-crate":     func(r *schemas.FilesetResult) (any, bool) { return ROCrate(r) },
}

// FatcatFileset is an entity fileset of fatcat's API (https://guide.fatcat.wiki/entity_fileset.html).
type FatcatFileset struct {
	Manifest   []FatcatFile   `json:"manifest"`
	URLs       []FatcatURL    `json:"urls"`
	ReleaseIDs []string       `json:"release_ids"`
	Extra      map[string]any `json:"extra,omitempty"`
}

// FatcatFile is a file of a fileset.
type FatcatFile struct {
	Path   string         `json:"path"`
	Size   int64          `json:"size"`
	MD5    string         `json:"md5"`
	SHA1   string         `json:"sha1"`
	SHA256 string         `json:"sha256,omitempty"`
	MIME   string         `json:"mimetype"`
	Extra  map[string]any `json:"extra,omitempty"`
}

// FatcatURL is the place of a fileset. Rel is the kind of URL: web, archive-base, webarchive-bundle, archive-bundle
// and so on.
type FatcatURL struct {
	URL string `json:"url"`
	Rel string `json:"rel"`
}

// Rules of fatcat's importer: the number of files, and the accepted sources of requests.
const minFiles, maxFiles = 2, 300

var linkSources = []string{"arxiv", "pmc", "unpaywall", "doi", "mag", "s2", "doaj", "dblp"}

// Fatcat returns the fileset entity of a dataset of 2 to 300 verified files. All must have fatcat's hashes, and the
// request must come from a source that fatcat's importer accepts. A dataset of one file is a file entity there.
func Fatcat(r *schemas.FilesetResult) (*FatcatFileset, bool) {
	// Leave out what the importer would refuse.
	n := len(r.Manifest)
	if !r.Hit || r.Request.Type != "dataset" || n < minFiles || n > maxFiles ||
		!slices.Contains(linkSources, r.Request.LinkSource) || r.Request.Source == "savepapernow" ||
		strings.HasSuffix(r.Strategy, "-file") {
		return nil, false
	}
	entity := &FatcatFileset{ReleaseIDs: []string{}, URLs: urls(r)}
	for _, f := range r.Manifest {
		// A fileset is whole or not in the catalog.
		if f.MD5 == "" || f.SHA1 == "" || f.Path == "" || f.Size == nil || f.MIME == "" {
			return nil, false
		}
		file := FatcatFile{Path: f.Path, Size: *f.Size, MD5: f.MD5, SHA1: f.SHA1, SHA256: f.SHA256, MIME: f.MIME}
		file.Extra = map[string]any{}
		if f.PlatformURL != "" {
			file.Extra["original_url"] = f.PlatformURL
		}
		// Files of an item have no capture of their own in the Wayback Machine.
		if f.TerminalURL != "" && f.TerminalDT != "" && strings.HasPrefix(r.Strategy, "web-") {
			file.Extra["wayback_url"] = wayback(f.TerminalDT, f.TerminalURL)
		}
		entity.Manifest = append(entity.Manifest, file)
	}
	if r.Request.Fatcat != nil && r.Request.Fatcat.Release != "" {
		entity.ReleaseIDs = []string{r.Request.Fatcat.Release}
	}
	entity.Extra = map[string]any{
		"platform_name": r.Platform, "platform_domain": r.Domain, "platform_id": r.ID, "ingest_strategy": r.Strategy,
	}
	// An entity without a URL would be useless.
	return entity, len(entity.URLs) > 0
}

// wayback is the URL of a capture once its WARC file is in the Wayback Machine.
func wayback(dt, url string) string { return "https://web.archive.org/web/" + dt + "/" + url }

// urls are the URLs of a fileset as a whole.
func urls(r *schemas.FilesetResult) (list []FatcatURL) {
	// archive.org serves the files of an item below this URL.
	item := "https://archive.org/download/" + r.Item + "/"
	if b := r.Bundle; b != nil {
		switch {
		case b.BundlePath != "" && strings.HasPrefix(r.Strategy, "archiveorg-"):
			list = append(list, FatcatURL{item + b.BundlePath, "archive-bundle"})
		case b.Terminal != nil:
			list = append(list, FatcatURL{b.Terminal.URL, "repository-bundle"},
				FatcatURL{wayback(b.Terminal.DT, b.Terminal.URL), "webarchive-bundle"})
		}
	} else if strings.HasPrefix(r.Strategy, "archiveorg-") && r.Item != "" {
		list = append(list, FatcatURL{item, "archive-base"})
	}
	if r.Terminal != nil && strings.HasPrefix(r.Strategy, "web-") {
		list = append(list, FatcatURL{r.Terminal.URL, "web"})
	}
	return list
}

// about describes a dataset without its files.
type about struct {
	title, doi, description, license, date, page string
	creators                                     []string
}

func aboutOf(r *schemas.FilesetResult) about {
	// The request's DOI comes first: a landing page may cite other works in its head.
	a := about{page: r.Request.BaseURL, doi: strings.TrimPrefix(r.Request.IDs["doi"], "https://doi.org/")}
	if r.Terminal != nil {
		a.page = r.Terminal.URL
	}
	if b := r.Biblio; b != nil {
		a.title, a.description, a.license, a.date, a.creators = b.Title, b.Abstract, b.License, b.ReleaseDate, b.Contributors
		a.doi = cmp.Or(a.doi, b.DOI)
		if a.date == "" && b.ReleaseYear > 0 {
			a.date = strconv.Itoa(b.ReleaseYear)
		}
	}
	// Both formats require a title.
	a.title = cmp.Or(a.title, a.doi, a.page)
	return a
}

// identifier is the dataset's DOI as a URL, or its page.
func (a about) identifier() string {
	if a.doi != "" {
		return "https://doi.org/" + a.doi
	}
	return a.page
}

// isURL reports whether a license or the like is a URL.
func isURL(s string) bool { return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") }

// Frictionless returns a Data Package of a dataset whose files were all found (https://datapackage.org, version 2).
func Frictionless(r *schemas.FilesetResult) (map[string]any, bool) {
	if !r.Hit || len(r.Manifest) == 0 {
		return nil, false
	}
	a := aboutOf(r)
	p := map[string]any{
		"$schema": "https://datapackage.org/profiles/2.0/datapackage.json", "id": a.identifier(), "title": a.title,
		"homepage": a.page,
	}
	put(p, "description", a.description)
	put(p, "created", created(a.date))
	if isURL(a.license) {
		p["licenses"] = []map[string]any{{"path": a.license}}
	} else if a.license != "" {
		p["licenses"] = []map[string]any{{"name": a.license}}
	}
	var people []map[string]any
	for _, name := range a.creators {
		people = append(people, map[string]any{"title": name, "roles": []string{"creator"}})
	}
	if people != nil {
		p["contributors"] = people
	}
	var resources []map[string]any
	for i, f := range r.Manifest {
		if !fileset.SafePath(f.Path) {
			return nil, false // which the specification refuses, for safe unpacking
		}
		res := map[string]any{"name": fmt.Sprintf("file-%d", i+1), "path": f.Path}
		// Omit empty members: the profile forbids empty texts.
		put(res, "mediatype", f.MIME)
		put(res, "format", strings.ToLower(strings.TrimPrefix(path.Ext(f.Path), ".")))
		if f.Size != nil {
			res["bytes"] = *f.Size
		}
		// As in the specification's example: algorithm, colon, digits.
		if f.SHA256 != "" {
			res["hash"] = "sha256:" + f.SHA256
		} else {
			put(res, "hash", f.MD5) // a hash without a name is MD5
		}
		if f.PlatformURL != "" {
			res["sources"] = []map[string]any{{"title": cmp.Or(r.Domain, r.Platform), "path": f.PlatformURL}}
		}
		resources = append(resources, res)
	}
	p["resources"] = resources
	return p, true
}

// created is a date in the form of a Data Package, with a time.
func created(date string) string {
	// A year alone is not a time.
	if len(date) != len("2006-01-02") {
		return ""
	}
	return date + "T00:00:00Z"
}

func put(m map[string]any, name, value string) {
	if value != "" {
		m[name] = value
	}
}

// ROCrate returns the metadata of an RO-Crate 1.1 of a dataset whose files were all found
// (https://w3id.org/ro/crate/1.1).
func ROCrate(r *schemas.FilesetResult) (map[string]any, bool) {
	if !r.Hit || len(r.Manifest) == 0 {
		return nil, false
	}
	a := aboutOf(r)
	// Members that RO-Crate 1.1 requires of a root data entity; others only if known.
	root := map[string]any{
		"@id": "./", "@type": "Dataset", "name": a.title, "identifier": a.identifier(), "url": a.page,
		"description": cmp.Or(a.description, a.title),
	}
	put(root, "datePublished", a.date)
	if isURL(a.license) {
		root["license"] = map[string]any{"@id": a.license}
	} else {
		put(root, "license", a.license)
	}
	graph := []any{map[string]any{
		"@id": "ro-crate-metadata.json", "@type": "CreativeWork", "about": map[string]any{"@id": "./"},
		"conformsTo": map[string]any{"@id": "https://w3id.org/ro/crate/1.1"},
	}, root}
	var creators, parts []any
	for i, name := range a.creators {
		// Local identifiers, since no ORCID is known.
		id := fmt.Sprintf("#creator-%d", i+1)
		creators = append(creators, map[string]any{"@id": id})
		graph = append(graph, map[string]any{"@id": id, "@type": "Person", "name": name})
	}
	if creators != nil {
		root["creator"] = creators
	}
	for _, f := range r.Manifest {
		if !fileset.SafePath(f.Path) {
			return nil, false
		}
		file := map[string]any{"@id": escaped(f.Path), "@type": "File", "name": path.Base(f.Path)}
		put(file, "encodingFormat", f.MIME)
		put(file, "contentUrl", f.PlatformURL)
		put(file, "sha256", f.SHA256)
		if f.Size != nil {
			file["contentSize"] = fmt.Sprint(*f.Size) // a text, as in schema.org
		}
		// hasPart names each file by the @id of its entity.
		parts = append(parts, map[string]any{"@id": escaped(f.Path)})
		graph = append(graph, file)
	}
	root["hasPart"] = parts
	return map[string]any{"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph}, true
}

// escaped is a path as a relative URL.
func escaped(p string) string {
	// Each part by itself, so that the slashes stay.
	parts := strings.Split(p, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}
