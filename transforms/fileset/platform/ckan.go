package platform

import (
	"bytes"
	"net/url"
	"path"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// ckan handles any portal of CKAN, recognised by the page's generator. Pages are [/prefix]/dataset/<name>.
//
// Source: https://docs.ckan.org, Action API, package_show.
type ckan struct{}

func (ckan) Name() string { return "ckan" }

// ckanDataset is the name of a dataset and the path before /dataset/.
func ckanDataset(u *url.URL) (prefix, name string, ok bool) {
	parts := segments(u)
	for i, part := range parts {
		// At most a prefix and a language before it: deeper pages are about something else.
		if part == "dataset" && i+1 < len(parts) && i <= 2 {
			return strings.Join(parts[:i], "/"), parts[i+1], true
		}
	}
	return "", "", false
}

func (ckan) Match(p *fileset.Page) bool {
	if _, _, ok := ckanDataset(address(p)); !ok {
		return false
	}
	// Only the beginning: ToLower makes a copy.
	head := bytes.ToLower(p.HTML[:min(len(p.HTML), 64<<10)])
	return bytes.Contains(head, []byte(`name="generator" content="ckan`)) || bytes.Contains(head, []byte("ckan.org/"))
}

type ckanAnswer struct {
	Success *truth `json:"success"`
	Result  *struct {
		ID        text           `json:"id"`
		Name      text           `json:"name"`
		Title     text           `json:"title"`
		Notes     text           `json:"notes"`
		License   text           `json:"license_id"`
		Author    text           `json:"author"`
		Modified  text           `json:"metadata_modified"`
		Private   truth          `json:"private"`
		State     text           `json:"state"` // active, draft, deleted
		Resources list[ckanFile] `json:"resources"`
	} `json:"result"`
}

type ckanFile struct {
	ID    text   `json:"id"`
	Name  text   `json:"name"`
	URL   text   `json:"url"`
	Size  number `json:"size"`
	Hash  text   `json:"hash"`
	Type  text   `json:"mimetype"`
	State text   `json:"state"`
}

func (f ckanFile) bytes() int64 { return f.Size.value }

func (c ckan) Process(p *fileset.Page, ask fileset.Asker) (item schemas.FilesetPlatformItem, err error) {
	u := address(p)
	prefix, name, _ := ckanDataset(u)
	// A language may precede /dataset/, "en" or "pt_BR", which the API does not have.
	if len(prefix) == 2 || len(prefix) == 5 && prefix[2] == '_' {
		prefix = ""
	}
	host := strings.ToLower(u.Host)
	base := "https://" + host
	if prefix != "" {
		base += "/" + escaped(prefix)
	}
	a, err := get[ckanAnswer](func(url string) ([]byte, error) {
		b, err := ask(url)
		if gone(err, forbidden, unauthorized) {
			return nil, ended(fileset.StatusPlatformRestrict, err.Error())
		}
		return b, err
	}, base+"/api/3/action/package_show?id="+url.QueryEscape(name))
	if err != nil {
		return item, err
	}
	// The body has the outcome, not only the HTTP status.
	r := a.Result
	switch {
	case r == nil || a.Success != nil && !bool(*a.Success):
		return item, ended(fileset.StatusPlatformError, "CKAN has no answer for "+name)
	case bool(r.Private) || r.State == "deleted" || r.State == "draft":
		return item, ended(fileset.StatusPlatformRestrict, "the dataset is private, a draft or deleted: "+name)
	}
	item = schemas.FilesetPlatformItem{
		Platform: c.Name(), Status: fileset.StatusSuccess, Domain: host, ID: string(r.Name),
		Item: host + "-" + string(r.Name),
		ItemMeta: meta("title", string(r.Title), "creator", string(r.Author), "description", string(r.Notes),
			"license", string(r.License), "date", day(string(r.Modified)), "source", u.String()),
	}
	// Bounded by maxFiles, as collect does.
	seen := map[string]bool{}
	collect(&item, r.Resources, func(f ckanFile) (schemas.ManifestFile, bool) {
		return f.manifest(seen), f.State != "deleted"
	})
	return item, nil
}

// manifest names a resource by its URL: titles are for people and often the same. Identifiers distinguish files of one
// name.
func (f ckanFile) manifest(seen map[string]bool) schemas.ManifestFile {
	m := schemas.ManifestFile{Path: string(f.Name), Size: f.Size.size(), MIME: string(f.Type), PlatformURL: string(f.URL)}
	if u, err := url.Parse(string(f.URL)); err == nil {
		// The last part of the URL's path, as a browser would save the file.
		if base := path.Base(u.Path); base != "." && base != "/" {
			m.Path = base
		}
	}
	if m.Path == "" || seen[m.Path] {
		m.Path = strings.Trim(string(f.ID)+"/"+m.Path, "/")
	}
	seen[m.Path] = true
	// The field has a hash of any kind: "md5:…", or digits whose number shows the algorithm.
	algorithm, value, ok := strings.Cut(string(f.Hash), ":")
	if !ok {
		value = algorithm
		algorithm = map[int]string{md5Digits: "md5", sha1Digits: "sha1", sha256Digits: "sha256"}[len(value)]
	}
	setSum(&m, algorithm, value)
	return m
}
