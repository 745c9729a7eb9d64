package platform

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// osf handles projects, components and registrations on osf.io with their own storage. Files in linked storages of
// other providers are not OSF's.
//
// Source: https://developer.osf.io, "List all node files".
type osf struct{}

func (osf) Name() string { return "osf" }

// osfID is the identifier of anything on osf.io: five letters and digits, longer for new ones.
var osfID = pattern.Lazy(`^[a-z0-9]{5,8}$`)

func osfProject(u *url.URL) (id string, ok bool) {
	parts := segments(u)
	// The path after the identifier is a tab of the page; /preprints/x and the like are not projects.
	if hostOf(u) != "osf.io" || len(parts) == 0 || !osfID().MatchString(parts[0]) {
		return "", false
	}
	return parts[0], len(parts) == 1 || slices.Contains(osfTabs, parts[1])
}

var osfTabs = []string{"files", "overview", "wiki", "metadata"}

func (osf) Match(p *fileset.Page) bool {
	_, ok := osfProject(address(p))
	return ok
}

type osfNode struct {
	Data struct {
		Type       text `json:"type"`
		Attributes struct {
			Title  text   `json:"title"`
			About  text   `json:"description"`
			Date   text   `json:"date_created"`
			Public *truth `json:"public"`
		} `json:"attributes"`
	} `json:"data"`
}

type osfFiles struct {
	Data  list[osfFile] `json:"data"`
	Links struct {
		Next text `json:"next"`
	} `json:"links"`
}

type osfFile struct {
	Attributes struct {
		Kind  text   `json:"kind"` // file, folder
		Name  text   `json:"name"`
		Path  text   `json:"materialized_path"`
		Size  number `json:"size"`
		Type  text   `json:"content_type"`
		Extra struct {
			Hashes struct {
				MD5    text `json:"md5"`
				SHA256 text `json:"sha256"`
			} `json:"hashes"`
		} `json:"extra"`
	} `json:"attributes"`
	Links struct {
		Download text `json:"download"`
	} `json:"links"`
	Relationships struct {
		Files struct {
			Links struct {
				Related struct {
					Href text `json:"href"`
				} `json:"related"`
			} `json:"links"`
		} `json:"files"`
	} `json:"relationships"`
}

func (f osfFile) bytes() int64 {
	if f.Attributes.Kind == "folder" {
		return 0
	}
	return f.Attributes.Size.value
}

const osfAPI = "https://api.osf.io/v2/"

func (o osf) Process(p *fileset.Page, ask fileset.Asker) (item schemas.FilesetPlatformItem, err error) {
	u := address(p)
	id, _ := osfProject(u)
	// After "files" come a storage and a file.
	if parts := segments(u); len(parts) > 3 && parts[1] == "files" {
		return item, ended(fileset.StatusPlatformScope, "the URL is of a file, not of a project: "+parts[3])
	}
	// Most identifiers are of projects and components, so these come first.
	kind := "nodes/"
	node, err := get[osfNode](osfAsk(ask), osfAPI+kind+id+"/")
	// Registrations are frozen copies of projects, with identifiers of the same kind and an API of their own.
	if notHere(err) {
		// If this fails too, the first error stays: the page is most likely a project.
		other, otherErr := get[osfNode](osfAsk(ask), osfAPI+"registrations/"+id+"/")
		if !notHere(otherErr) {
			kind, node, err = "registrations/", other, otherErr
		}
	}
	if err != nil {
		return item, err
	}
	// A pointer: a missing member does not mean private.
	if public := node.Data.Attributes.Public; public != nil && !*public {
		return item, ended(fileset.StatusPlatformRestrict, "the project is private: "+id)
	}
	item = schemas.FilesetPlatformItem{
		Platform: o.Name(), Status: fileset.StatusSuccess, Domain: "osf.io", ID: id, Item: "osf.io-" + id,
		BundleURL: "https://files.osf.io/v1/resources/" + id + "/providers/osfstorage/?zip=",
		ItemMeta: meta("title", string(node.Data.Attributes.Title), "description", string(node.Data.Attributes.About),
			"date", day(string(node.Data.Attributes.Date)), "source", "https://osf.io/"+id+"/"),
	}
	return item, o.walk(ask, &item, osfAPI+kind+id+"/files/osfstorage/")
}

// notHere reports whether the API, or its archive, has nothing under an identifier.
func notHere(err error) bool { return isStatus(err, fileset.StatusPlatform404) || uncaptured(err) }

// osfAsk gives private resources their status.
func osfAsk(ask fileset.Asker) fileset.Asker {
	return func(url string) ([]byte, error) {
		b, err := ask(url)
		// OSF's statuses for private and withdrawn resources.
		if gone(err, unauthorized, forbidden, removed) {
			return nil, ended(fileset.StatusPlatformRestrict, err.Error())
		}
		return b, err
	}
}

// walk lists folders, breadth first, so that a folder comes whole before those in it.
func (osf) walk(ask fileset.Asker, item *schemas.FilesetPlatformItem, first string) error {
	// One queue for folders and for further pages of a folder: both are lists of files at a URL.
	queue := []string{first}
	for asked := 0; len(queue) > 0; asked++ {
		// Bounds the cost of a dataset, and ends cyclic lists.
		if asked == maxPages {
			return ended(fileset.StatusTooMany, "the project has too many folders")
		}
		page, err := get[osfFiles](osfAsk(ask), queue[0])
		if err != nil {
			return err
		}
		var follow []string
		if next := string(page.Links.Next); next != "" {
			follow = append(follow, next)
		}
		collect(item, page.Data, func(f osfFile) (schemas.ManifestFile, bool) {
			if f.Attributes.Kind == "folder" {
				follow = append(follow, string(f.Relationships.Files.Links.Related.Href))
				return schemas.ManifestFile{}, false
			}
			return f.manifest(), true
		})
		for _, href := range follow {
			// An empty reference is an error, too: without that folder the manifest would be incomplete.
			if queue = append(queue, onSite(first, href)); queue[len(queue)-1] == "" {
				return &fileset.StatusError{Status: fileset.StatusPlatformError, Message: errElsewhere.Error()}
			}
		}
		queue = queue[1:]
	}
	return nil
}

var errElsewhere = errors.New("the list of files goes on at another host")

func (f osfFile) manifest() schemas.ManifestFile {
	a := f.Attributes
	m := schemas.ManifestFile{
		Path: strings.TrimPrefix(string(a.Path), "/"), Size: a.Size.size(), MIME: string(a.Type),
		MD5: sum(string(a.Extra.Hashes.MD5), md5Digits), SHA256: sum(string(a.Extra.Hashes.SHA256), sha256Digits),
		PlatformURL: string(f.Links.Download),
	}
	if m.Path == "" {
		m.Path = string(a.Name)
	}
	return m
}
