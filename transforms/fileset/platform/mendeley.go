package platform

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// mendeley handles Mendeley Data: pages are /datasets/<id>/<version>.
//
// Source: the public API of the pages themselves, which has no documentation. A list of all folders leads to lists of
// the files of each.
type mendeley struct{}

func (mendeley) Name() string { return "mendeley" }

func mendeleyDataset(u *url.URL) (id, version string, ok bool) {
	parts := segments(u)
	if hostOf(u) != "data.mendeley.com" || len(parts) < 2 || parts[0] != "datasets" {
		return "", "", false
	}
	if len(parts) > 2 && digits(parts[2]) {
		version = parts[2]
	}
	return parts[1], version, strings.Trim(parts[1], "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

func (mendeley) Match(p *fileset.Page) bool {
	_, _, ok := mendeleyDataset(address(p))
	return ok
}

type mendeleyFile struct {
	Name    text   `json:"filename"`
	Size    number `json:"size"`
	Content struct {
		Type   text   `json:"content_type"`
		Size   number `json:"size"`
		SHA256 text   `json:"sha256_hash"`
		SHA1   text   `json:"sha1_hash"`
		URL    text   `json:"download_url"`
	} `json:"content_details"`
}

func (f mendeleyFile) bytes() int64 {
	if f.Content.Size.known {
		return f.Content.Size.value
	}
	return f.Size.value
}

func (d mendeley) Process(p *fileset.Page, ask fileset.Asker) (item schemas.FilesetPlatformItem, err error) {
	id, version, _ := mendeleyDataset(address(p))
	if version == "" {
		return item, ended(fileset.StatusPlatformScope, "the URL is of all versions, not of one")
	}
	base := "https://data.mendeley.com/public-api/datasets/" + id
	folders, err := mendeleyFolders(ask, base+"/folders/"+version)
	if err != nil {
		return item, err
	}
	item = schemas.FilesetPlatformItem{
		Platform: d.Name(), Status: fileset.StatusSuccess, Domain: "data.mendeley.com", ID: id,
		Item:      fmt.Sprintf("data.mendeley.com-%s-v%s", id, version),
		BundleURL: fmt.Sprintf("https://data.mendeley.com/public-api/zip/%s/download/%s", id, version),
		ItemMeta: meta("doi", "10.17632/"+id+"."+version, "version", version,
			"source", fmt.Sprintf("https://data.mendeley.com/datasets/%s/%s", id, version)),
	}
	for _, folder := range folders {
		address := fmt.Sprintf("%s/files?folder_id=%s&version=%s", base, url.QueryEscape(folder.id), version)
		files, err := get[list[mendeleyFile]](ask, address)
		if err != nil {
			return item, err
		}
		collect(&item, files, func(f mendeleyFile) (schemas.ManifestFile, bool) { return f.manifest(folder.path), true })
	}
	return item, nil
}

func (f mendeleyFile) manifest(folder string) schemas.ManifestFile {
	m := schemas.ManifestFile{
		Path: folder + string(f.Name), Size: f.Content.Size.size(), MIME: string(f.Content.Type),
		PlatformURL: string(f.Content.URL),
		SHA256:      sum(string(f.Content.SHA256), sha256Digits), SHA1: sum(string(f.Content.SHA1), sha1Digits),
	}
	if m.Size == nil {
		m.Size = f.Size.size()
	}
	return m
}

type mendeleyFolder struct {
	ID     text `json:"id"`
	Name   text `json:"name"`
	Parent text `json:"parent_id"` // missing in the root
}

func (mendeleyFolder) bytes() int64 { return 0 }

// mendeleyPath is a folder's identifier and the prefix of its files' names: "" or "a/b/".
type mendeleyPath struct{ id, path string }

// mendeleyFolders are all folders of a dataset, the root first.
func mendeleyFolders(ask fileset.Asker, address string) ([]mendeleyPath, error) {
	all, err := get[list[mendeleyFolder]](ask, address)
	// Datasets without folders may have no list of them.
	if err != nil && !isStatus(err, fileset.StatusPlatform404) {
		return nil, err
	}
	// Each costs a request, so the limit is that of pages elsewhere.
	if all.files >= maxPages {
		return nil, ended(fileset.StatusTooMany, fmt.Sprintf("the dataset has %d folders", all.files))
	}
	known := map[text]mendeleyFolder{}
	for _, f := range all.kept {
		known[f.ID] = f
	}
	paths := []mendeleyPath{{id: "root"}}
	for _, f := range all.kept {
		path := ""
		// At most as many steps as folders, in case two are parents of each other.
		at, ok := f, true
		for n := 0; ok && n < len(all.kept); n++ {
			path = string(at.Name) + "/" + path
			at, ok = known[at.Parent]
		}
		paths = append(paths, mendeleyPath{string(f.ID), path})
	}
	return paths, nil
}
