package platform

import (
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// dryad handles datadryad.org: pages are /stash/dataset/doi:… and, since 2024, /dataset/doi:….
//
// Source: Dryad's API, version 2: a dataset leads to its newest version, which leads to pages of files. The API gives
// files only to accounts, but the pages link to a public URL.
type dryad struct{}

func (dryad) Name() string { return "dryad" }

// dryadDOI is the identifier in a page's path, "doi:10.…".
func dryadDOI(u *url.URL) (doi string, ok bool) {
	if hostOf(u) != "datadryad.org" {
		return "", false
	}
	_, doi, ok = strings.Cut(u.Path, "/dataset/")
	doi = strings.TrimSuffix(doi, "/")
	return doi, ok && strings.HasPrefix(strings.ToLower(doi), "doi:10.")
}

func (dryad) Match(p *fileset.Page) bool {
	_, ok := dryadDOI(address(p))
	return ok
}

type dryadHref struct {
	Href text `json:"href"`
}

type dryadDataset struct {
	ID    text `json:"identifier"`
	Title text `json:"title"`
	About text `json:"abstract"`
	Date  text `json:"publicationDate"`
	Links struct {
		Version  dryadHref `json:"stash:version"`
		Download dryadHref `json:"stash:download"`
	} `json:"_links"`
}

type dryadFiles struct {
	Embedded struct {
		Files list[dryadFile] `json:"stash:files"`
	} `json:"_embedded"`
	Links struct {
		Next dryadHref `json:"next"`
	} `json:"_links"`
}

type dryadFile struct {
	Path       text   `json:"path"`
	Size       number `json:"size"`
	Type       text   `json:"mimeType"`
	Status     text   `json:"status"` // created, copied, deleted
	Digest     text   `json:"digest"`
	DigestType text   `json:"digestType"`
	Links      struct {
		Self     dryadHref `json:"self"`
		Download dryadHref `json:"stash:download"`
		File     dryadHref `json:"stash:file-download"` // the same, in responses before 2023
	} `json:"_links"`
}

// url is the page's URL of the file, made of its number in the API's response.
func (f dryadFile) url(base string) string {
	for _, href := range []dryadHref{f.Links.Self, f.Links.Download, f.Links.File} {
		_, rest, _ := strings.Cut(string(href.Href), "/files/")
		if number, _, _ := strings.Cut(rest, "/"); digits(number) {
			return "https://datadryad.org/downloads/file_stream/" + number
		}
	}
	return onSite(base, string(f.Links.Download.Href))
}

func (f dryadFile) bytes() int64 { return f.Size.value }

// maxPages is the most pages of files, or folders, that are requested. With 20 files on a page this is far more than
// the limit of 200, and it ends cyclic lists.
const maxPages = 200

func (d dryad) Process(p *fileset.Page, ask fileset.Asker) (item schemas.FilesetPlatformItem, err error) {
	doi, _ := dryadDOI(address(p))
	base := "https://datadryad.org/api/v2/datasets/" + url.QueryEscape(doi)
	set, err := get[dryadDataset](ask, base)
	if err != nil {
		return item, err
	}
	next := onSite(base, string(set.Links.Version.Href))
	if set.Links.Version.Href == "" || next == "" {
		return item, ended(fileset.StatusPlatformError, base+": no version")
	}
	_, id, _ := strings.Cut(doi, ":")
	item = schemas.FilesetPlatformItem{
		Platform: d.Name(), Status: fileset.StatusSuccess, Domain: "datadryad.org", ID: doi, BundleURL: base + "/download",
		Item: "datadryad.org-" + id[strings.LastIndexByte(id, '/')+1:] + "-v" + next[strings.LastIndexByte(next, '/')+1:],
		ItemMeta: meta("doi", id, "title", string(set.Title), "description", string(set.About), "date", day(string(set.Date)),
			"source", "https://datadryad.org/dataset/"+doi),
	}
	next += "/files"
	for range maxPages {
		page, err := get[dryadFiles](ask, next)
		if err != nil {
			return item, err
		}
		collect(&item, page.Embedded.Files, func(f dryadFile) (schemas.ManifestFile, bool) {
			m := schemas.ManifestFile{Path: string(f.Path), Size: f.Size.size(), MIME: string(f.Type)}
			setSum(&m, string(f.DigestType), string(f.Digest))
			m.PlatformURL = f.url(base)
			return m, f.Status != "deleted"
		})
		if page.Links.Next.Href == "" {
			return item, nil
		}
		if next = onSite(next, string(page.Links.Next.Href)); next == "" {
			return item, ended(fileset.StatusPlatformError, base+": the list goes on elsewhere")
		}
	}
	return item, nil
}
