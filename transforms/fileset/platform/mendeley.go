package platform

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// mendeley is Mendeley Data: pages are /datasets/<id>/<version>.
//
// Source: the public API that the pages themselves ask; it has no documentation. Folders other than the root are not
// told by it, so that datasets with folders come without what is in these.
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
	files, err := get[list[mendeleyFile]](ask, fmt.Sprintf("%s/files?folder_id=root&version=%s", base, version))
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
	collect(&item, files, func(f mendeleyFile) (schemas.ManifestFile, bool) {
		m := schemas.ManifestFile{
			Path: string(f.Name), Size: f.Content.Size.size(), MIME: string(f.Content.Type), PlatformURL: string(f.Content.URL),
			SHA256: sum(string(f.Content.SHA256), sha256Digits), SHA1: sum(string(f.Content.SHA1), sha1Digits),
		}
		if m.Size == nil {
			m.Size = f.Size.size()
		}
		return m, true
	})
	return item, nil
}
