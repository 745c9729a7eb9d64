package platform

import (
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// github handles the files of a release on github.com, but not GitHub's source archives, whose bytes change.
//
// Source: https://docs.github.com/en/rest/releases/releases, "Get a release by tag name". Assets have a digest since
// June 2025.
type github struct{}

func (github) Name() string { return "github" }

func githubRelease(u *url.URL) (repo, tag string, ok bool) {
	parts := segments(u)
	if hostOf(u) != "github.com" || len(parts) < 5 || parts[2] != "releases" || parts[3] != "tag" {
		return "", "", false
	}
	return parts[0] + "/" + parts[1], strings.Join(parts[4:], "/"), true // a tag may have slashes
}

func (github) Match(p *fileset.Page) bool {
	_, _, ok := githubRelease(address(p))
	return ok
}

type githubAnswer struct {
	Name      text             `json:"name"`
	Body      text             `json:"body"`
	Draft     truth            `json:"draft"`
	Published text             `json:"published_at"`
	HTML      text             `json:"html_url"`
	Assets    list[githubFile] `json:"assets"`
}

type githubFile struct {
	Name   text   `json:"name"`
	Size   number `json:"size"`
	Type   text   `json:"content_type"`
	Digest text   `json:"digest"`
	URL    text   `json:"browser_download_url"`
	State  text   `json:"state"` // uploaded, open
}

func (f githubFile) bytes() int64 { return f.Size.value }

func (g github) Process(p *fileset.Page, ask fileset.Asker) (item schemas.FilesetPlatformItem, err error) {
	repo, tag, _ := githubRelease(address(p))
	a, err := get[githubAnswer](ask, "https://api.github.com/repos/"+escaped(repo)+"/releases/tags/"+escaped(tag))
	if err != nil {
		return item, err
	}
	if a.Draft {
		return item, ended(fileset.StatusPlatformRestrict, "the release is a draft")
	}
	item = schemas.FilesetPlatformItem{
		Platform: g.Name(), Status: fileset.StatusSuccess, Domain: "github.com", ID: repo + "/" + tag,
		Item: "github.com-" + releaseName(repo, tag),
		ItemMeta: meta("title", string(a.Name), "description", string(a.Body), "date", day(string(a.Published)),
			"source", string(a.HTML), "version", tag),
	}
	collect(&item, a.Assets, func(f githubFile) (schemas.ManifestFile, bool) {
		m := schemas.ManifestFile{Path: string(f.Name), Size: f.Size.size(), MIME: string(f.Type), PlatformURL: string(f.URL)}
		if algorithm, value, ok := strings.Cut(string(f.Digest), ":"); ok {
			setSum(&m, algorithm, value)
		}
		return m, f.State == "" || f.State == "uploaded"
	})
	return item, nil
}

// releaseName is the part of an item's name after the host.
func releaseName(repo, tag string) string {
	name := strings.ReplaceAll(repo, "/", "-") + "-" + tag
	// Otherwise a/b-c and a-b/c would share an item.
	if strings.Count(name, "-") > 2 {
		return hashedName(name, repo+"/"+tag)
	}
	return itemName(name)
}
