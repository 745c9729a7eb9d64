package platform

import (
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// huggingface handles dataset repositories on huggingface.co.
//
// Source: https://huggingface.co/docs/hub/api: the repository has its newest commit, whose tree has the files. Files
// in LFS have a SHA-256, others only git's hash.
type huggingface struct{}

func (huggingface) Name() string { return "huggingface" }

func huggingfaceDataset(u *url.URL) (id, revision string, ok bool) {
	parts := segments(u)
	if hostOf(u) != "huggingface.co" || len(parts) < 2 || parts[0] != "datasets" {
		return "", "", false
	}
	parts = parts[1:]
	for i, part := range parts {
		if part == "tree" || part == "blob" || part == "resolve" {
			if i+1 < len(parts) {
				revision = parts[i+1]
			}
			parts = parts[:i]
			break
		}
	}
	// Old datasets have no owner before their name.
	if len(parts) == 0 || len(parts) > 2 {
		return "", "", false
	}
	return strings.Join(parts, "/"), revision, true
}

func (huggingface) Match(p *fileset.Page) bool {
	_, _, ok := huggingfaceDataset(address(p))
	return ok
}

type huggingfaceRepo struct {
	SHA      text        `json:"sha"`
	Private  truth       `json:"private"`
	Disabled truth       `json:"disabled"`
	Gated    huggingGate `json:"gated"`
	Modified text        `json:"lastModified"`
	About    text        `json:"description"`
}

// huggingfacePage is the most files and folders in a response.
const huggingfacePage = 1000

// huggingGate is false, or the way of access: true, "auto", "manual".
type huggingGate bool

// UnmarshalJSON accepts any value.
func (g *huggingGate) UnmarshalJSON(b []byte) error {
	said := strings.Trim(string(b), `"`)
	*g = said != "false" && said != "null" && said != ""
	return nil
}

type huggingfaceFile struct {
	Type text   `json:"type"` // file, directory
	Path text   `json:"path"`
	Size number `json:"size"`
	LFS  *struct {
		OID  text   `json:"oid"` // a SHA-256
		Size number `json:"size"`
	} `json:"lfs"`
}

func (f huggingfaceFile) bytes() int64 {
	if f.Type == "directory" {
		return 0
	}
	return f.Size.value
}

func (h huggingface) Process(p *fileset.Page, ask fileset.Asker) (item schemas.FilesetPlatformItem, err error) {
	id, revision, _ := huggingfaceDataset(address(p))
	base := "https://huggingface.co/api/datasets/" + escaped(id)
	about := base
	if revision != "" {
		about += "/revision/" + url.PathEscape(revision)
	}
	repo, err := get[huggingfaceRepo](func(url string) ([]byte, error) {
		b, err := ask(url)
		if gone(err, unauthorized, forbidden) {
			return nil, ended(fileset.StatusPlatformRestrict, err.Error())
		}
		return b, err
	}, about)
	if err != nil {
		return item, err
	}
	if bool(repo.Private || repo.Disabled) || bool(repo.Gated) {
		return item, ended(fileset.StatusPlatformRestrict, "the dataset is private, gated or disabled: "+id)
	}
	if sum(string(repo.SHA), sha1Digits) == "" {
		return item, ended(fileset.StatusPlatformError, about+": no commit")
	}
	commit := string(repo.SHA)
	item = schemas.FilesetPlatformItem{
		Platform: h.Name(), Status: fileset.StatusSuccess, Domain: "huggingface.co", ID: id,
		Item: "huggingface.co-" + strings.ReplaceAll(id, "/", "-") + "-" + commit[:12],
		ItemMeta: meta("source", "https://huggingface.co/datasets/"+id, "title", id, "version", commit,
			"date", day(string(repo.Modified)), "description", string(repo.About)),
	}
	tree, err := get[list[huggingfaceFile]](ask, base+"/tree/"+commit+"?recursive=true")
	if err != nil {
		return item, err
	}
	collect(&item, tree, func(f huggingfaceFile) (schemas.ManifestFile, bool) {
		m := schemas.ManifestFile{
			Path: string(f.Path), Size: f.Size.size(),
			PlatformURL: "https://huggingface.co/datasets/" + escaped(id) + "/resolve/" + commit + "/" + escaped(string(f.Path)),
		}
		if f.LFS != nil {
			m.SHA256 = sum(string(f.LFS.OID), sha256Digits)
		}
		return m, f.Type != "directory"
	})
	// The rest needs a cursor from the response's header, which is not available here. A truncated manifest must not
	// pass for complete.
	if tree.files >= huggingfacePage {
		return item, ended(fileset.StatusTooMany, "the dataset has more files and folders than a page of the API")
	}
	return item, nil
}
