package platform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// zenodo handles zenodo.org, before and after its move to InvenioRDM in October 2023. Pages are /record/<id> and
// /records/<id>; files are a list or, in InvenioRDM's own form, an object of entries.
//
// Source: https://developers.zenodo.org and the InvenioRDM REST API reference, "Drafts and records".
type zenodo struct{}

func (zenodo) Name() string { return "zenodo" }

func zenodoRecord(p *fileset.Page) (id string, ok bool) {
	u := address(p)
	if hostOf(u) != "zenodo.org" {
		return "", false
	}
	parts := segments(u)
	for i, part := range parts {
		if (part == "record" || part == "records") && i+1 < len(parts) {
			return parts[i+1], true
		}
	}
	return "", false
}

func (zenodo) Match(p *fileset.Page) bool {
	_, ok := zenodoRecord(p)
	return ok
}

type zenodoAnswer struct {
	ID       text `json:"id"`
	Concept  text `json:"conceptrecid"` // a text, though id is a number
	DOI      text `json:"doi"`
	Revision text `json:"revision"`
	Links    struct {
		HTML     text `json:"html"`
		SelfHTML text `json:"self_html"`
		Archive  text `json:"archive"` // all files as a zip, since 2023
	} `json:"links"`
	Access struct {
		Record text `json:"record"`
		Files  text `json:"files"`
	} `json:"access"`
	Metadata struct {
		Title    text `json:"title"`
		Right    text `json:"access_right"`
		Date     text `json:"publication_date"`
		About    text `json:"description"`
		Creators []struct {
			Name text `json:"name"`
		} `json:"creators"`
		License struct {
			ID text `json:"id"`
		} `json:"license"`
	} `json:"metadata"`
	Files zenodoFiles `json:"files"`
}

type zenodoFile struct {
	Key      text   `json:"key"`
	Name     text   `json:"filename"` // of deposits
	Size     number `json:"size"`
	Checksum text   `json:"checksum"`
	Type     text   `json:"mimetype"`
	Links    struct {
		Self     text `json:"self"`
		Content  text `json:"content"`
		Download text `json:"download"`
	} `json:"links"`
}

func (f zenodoFile) bytes() int64 { return f.Size.value }

// zenodoFiles are a list, or an object with entries by name.
type zenodoFiles struct{ list[zenodoFile] }

// UnmarshalJSON accepts both.
func (l *zenodoFiles) UnmarshalJSON(b []byte) error {
	if !bytes.HasPrefix(b, []byte("{")) {
		return l.list.UnmarshalJSON(b)
	}
	var object struct {
		Entries map[string]zenodoFile `json:"entries"`
	}
	if err := passable(json.Unmarshal(b, &object)); err != nil {
		return err
	}
	l.list = list[zenodoFile]{}
	for _, name := range slices.Sorted(maps.Keys(object.Entries)) {
		f := object.Entries[name]
		if f.Key == "" {
			f.Key = text(name)
		}
		l.add(f)
	}
	return nil
}

func (z zenodo) Process(p *fileset.Page, ask fileset.Asker) (item schemas.FilesetPlatformItem, err error) {
	id, _ := zenodoRecord(p)
	if !digits(id) {
		return item, ended(fileset.StatusPlatformScope, "the URL is of no single record: "+id)
	}
	address := "https://zenodo.org/api/records/" + id
	a, err := get[zenodoAnswer](func(url string) ([]byte, error) {
		b, err := ask(url)
		if gone(err, removed) {
			return nil, ended(fileset.StatusPlatformRestrict, fmt.Sprintf("%s was removed from Zenodo", address))
		}
		return b, err
	}, address)
	if err != nil {
		return item, err
	}
	// The concept stands for all versions; its record responds with the newest.
	if string(a.Concept) == id {
		return item, ended(fileset.StatusPlatformScope, "the record stands for all versions: "+id)
	}
	if right := a.Metadata.Right; right != "" && right != "open" {
		return item, ended(fileset.StatusPlatformRestrict, fmt.Sprintf("%s has the access right %q", address, right))
	}
	if a.Access.Record == "restricted" || a.Access.Files == "restricted" {
		return item, ended(fileset.StatusPlatformRestrict, address+" has restricted files")
	}
	source := a.Links.HTML
	if source == "" {
		source = a.Links.SelfHTML
	}
	var creators []string
	for _, c := range a.Metadata.Creators {
		creators = append(creators, string(c.Name))
	}
	item = schemas.FilesetPlatformItem{
		Platform: z.Name(), Status: fileset.StatusSuccess, Domain: "zenodo.org", ID: id, Item: "zenodo.org-" + id,
		BundleURL: onSite(address, string(a.Links.Archive)),
		ItemMeta: meta("creator", creators, "doi", string(a.DOI), "title", string(a.Metadata.Title),
			"date", day(string(a.Metadata.Date)), "source", string(source), "description", string(a.Metadata.About),
			"license", string(a.Metadata.License.ID), "version", string(a.Revision)),
	}
	collect(&item, a.Files.list, func(f zenodoFile) (schemas.ManifestFile, bool) { return f.manifest(id), true })
	return item, nil
}

func (f zenodoFile) manifest(id string) schemas.ManifestFile {
	m := schemas.ManifestFile{Path: string(f.Key), Size: f.Size.size(), MIME: string(f.Type)}
	if m.Path == "" {
		m.Path = string(f.Name)
	}
	// "md5:…", or another algorithm before the colon.
	if algorithm, value, ok := strings.Cut(string(f.Checksum), ":"); ok {
		setSum(&m, algorithm, value)
	} else {
		m.MD5 = sum(string(f.Checksum), md5Digits)
	}
	// In InvenioRDM's own form, self describes the file and content is the file.
	for _, link := range []text{f.Links.Content, f.Links.Self, f.Links.Download} {
		if link != "" {
			m.PlatformURL = string(link)
			return m
		}
	}
	m.PlatformURL = "https://zenodo.org/api/records/" + id + "/files/" + escaped(m.Path) + "/content"
	return m
}
