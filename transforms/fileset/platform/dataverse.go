package platform

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// dataverse handles any installation of Dataverse, recognised by the persistent identifier in the URL.
//
// Source: Native API and Data Access API in the Dataverse Guides. Responses of 2021 have neither directoryLabel nor
// checksum, and later ones may lack an identifier for a file.
type dataverse struct{}

func (dataverse) Name() string { return "dataverse" }

// pid is a persistent identifier: scheme:authority/[shoulder/]dataset[/file].
type pid struct{ scheme, authority, shoulder, dataset, file string }

// datasetID is Dataverse's default form: six letters and digits.
var datasetID = pattern.Lazy(`^[0-9A-Za-z]{6}$`)

// parsePID reads an identifier. Installations may configure other forms of a dataset's own part, which are accepted
// only if certain, on a page with a path of Dataverse.
func parsePID(s string, certain bool) (p pid, ok bool) {
	scheme, rest, _ := strings.Cut(s, ":")
	p.scheme = strings.ToLower(scheme)
	parts := strings.Split(rest, "/")
	// An installation's own identifiers, with or without parts.
	if p.scheme == "perma" {
		p.dataset = parts[len(parts)-1]
		return p, certain && p.dataset != "" && len(rest) <= 100
	}
	// DOIs begin with 10. (ISO 26324); handles have no such rule.
	if p.scheme == "doi" && !strings.HasPrefix(rest, "10.") || p.scheme != "doi" && p.scheme != "hdl" || len(parts) > 4 {
		return p, false
	}
	for _, part := range parts {
		// Bounded, since parts become names of items.
		if part == "" || len(part) > 100 {
			return p, false
		}
	}
	p.authority, parts = parts[0], parts[1:]
	// Of two parts the first is a shoulder, unless it looks like a dataset: then the second is a file in it.
	if len(parts) == 3 || len(parts) == 2 && !datasetID().MatchString(parts[0]) {
		p.shoulder, parts = parts[0], parts[1:]
	}
	if len(parts) == 0 || !certain && !datasetID().MatchString(parts[0]) {
		return p, false
	}
	p.dataset = parts[0]
	if len(parts) == 2 {
		p.file = parts[1]
	}
	return p, true
}

// isDataverse reports whether only Dataverse has such a path.
func isDataverse(u *url.URL) bool {
	for _, end := range []string{"/dataset.xhtml", "/file.xhtml", "/spa/datasets"} {
		if strings.HasSuffix(u.Path, end) {
			return true
		}
	}
	return u.Path == "/citation"
}

func (dataverse) Match(p *fileset.Page) bool {
	u := address(p)
	_, ok := parsePID(u.Query().Get("persistentId"), isDataverse(u))
	return ok
}

type dataverseAnswer struct {
	Data struct {
		Latest *dataverseVersion `json:"latestVersion"`
	} `json:"data"`
}

type dataverseVersion struct {
	Number      text `json:"versionNumber"`
	Minor       text `json:"versionMinorNumber"`
	State       text `json:"versionState"`
	ReleaseTime text `json:"releaseTime"`
	Terms       text `json:"termsOfUse"`
	Blocks      struct {
		Citation struct {
			Fields []dataverseField `json:"fields"`
		} `json:"citation"`
	} `json:"metadataBlocks"`
	Files list[dataverseFile] `json:"files"`
}

type dataverseField struct {
	Name  text `json:"typeName"`
	Value any  `json:"value"`
}

type dataverseFile struct {
	Version     text  `json:"version"`
	Description text  `json:"description"`
	Directory   text  `json:"directoryLabel"`
	Restricted  truth `json:"restricted"`
	Data        struct {
		ID           text   `json:"id"`
		PID          text   `json:"persistentId"`
		Name         text   `json:"filename"`
		Type         text   `json:"contentType"`
		Size         number `json:"filesize"`
		OriginalName text   `json:"originalFileName"`
		OriginalType text   `json:"originalFileFormat"` // set if the file was converted to a table
		OriginalSize number `json:"originalFileSize"`
		Description  text   `json:"description"`
		MD5          text   `json:"md5"`
		Checksum     struct {
			Type  text `json:"type"`
			Value text `json:"value"`
		} `json:"checksum"`
		Embargo struct {
			Until text `json:"dateAvailable"` // YYYY-MM-DD; since version 5.8
		} `json:"embargo"`
		Retention struct {
			Until text `json:"dateUnavailable"` // since version 6.3
		} `json:"retention"`
	} `json:"dataFile"`
}

// closed reports whether a file is restricted on a day, or "" for an unknown day.
func (f dataverseFile) closed(today string) bool {
	until, ends := day(string(f.Data.Embargo.Until)), day(string(f.Data.Retention.Until))
	return bool(f.Restricted) || until > today || ends != "" && today != "" && ends <= today
}

func (f dataverseFile) bytes() int64 {
	// The size of the uploaded file, as in manifest: totals and files must agree.
	if f.Data.OriginalSize.known {
		return f.Data.OriginalSize.value
	}
	return f.Data.Size.value
}

func (d dataverse) Process(p *fileset.Page, ask fileset.Asker) (item schemas.FilesetPlatformItem, err error) {
	u := address(p)
	id := u.Query().Get("persistentId")
	// Match accepts identifiers of files as well, so that the status explains them.
	known, ok := parsePID(id, isDataverse(u))
	if !ok || known.file != "" {
		return item, ended(fileset.StatusPlatformScope, "the identifier is of a file, not of a dataset: "+id)
	}
	host := strings.ToLower(u.Host)
	v, err := d.version(ask, host, id, u.Query().Get("version"))
	if err != nil {
		return item, err
	}
	// Withdrawn by its publisher: listed files are not available.
	if v.State == "DEACCESSIONED" {
		return item, ended(fileset.StatusPlatformRestrict, "the version is deaccessioned")
	}
	// From the response, since the URL may have none.
	version := string(v.Number + "." + v.Minor)
	item = schemas.FilesetPlatformItem{
		Platform: d.Name(), Status: fileset.StatusSuccess, Domain: host, ID: id,
		Item:      fmt.Sprintf("%s-%s-v%s", host, known.dataset, version),
		BundleURL: fmt.Sprintf("https://%s/api/access/dataset/:persistentId/?persistentId=%s&format=original", host, id),
		ItemMeta: meta("collection", "datasets", "date", day(string(v.ReleaseTime)), "source",
			fmt.Sprintf("https://%s/dataset.xhtml?persistentId=%s&version=%s", host, id, version), "doi", doiOf(known, id),
			"title", v.field("title"), "creator", v.field("depositor"),
			"description", strings.TrimSpace(v.field("dsDescription")+"\n\n"+string(v.Terms))),
	}
	// Count all, so that the message has the number.
	restricted := 0
	collect(&item, v.Files, func(f dataverseFile) (schemas.ManifestFile, bool) {
		if f.closed(p.Day()) {
			restricted++
		}
		return f.manifest(host), true
	})
	if restricted > 0 {
		why := fmt.Sprintf("%d files are restricted, or under an embargo", restricted)
		return item, ended(fileset.StatusPlatformRestrict, why)
	}
	return item, nil
}

// version requests a version of a dataset, or the latest if none is named. In that case it requests the number first,
// so that the second response is of a fixed version.
func (dataverse) version(ask fileset.Asker, host, id, version string) (*dataverseVersion, error) {
	dataset := "https://" + host + "/api/datasets/:persistentId/"
	address := dataset + "?persistentId=" + id
	var latest *dataverseVersion
	// ":latest" and the like mean another version tomorrow; drafts are not public.
	if version == "" || strings.HasPrefix(version, ":") || strings.EqualFold(version, "DRAFT") {
		a, err := get[dataverseAnswer](ask, address)
		if err != nil {
			return nil, err
		}
		if latest = a.Data.Latest; latest == nil || latest.Number == "" {
			return nil, ended(fileset.StatusPlatformError, address+": no version that was released")
		}
		version = string(latest.Number + "." + latest.Minor)
	}
	a, err := get[dataverseAnswer](ask, address+"&version="+url.QueryEscape(version))
	if err == nil && a.Data.Latest == nil {
		err = ended(fileset.StatusPlatformError, address+": no version "+version)
	}
	switch {
	case err != nil && !uncaptured(err):
		return nil, err
	case err == nil && a.Data.Latest.is(version):
		return a.Data.Latest, nil
	// An archive may have only the first response, or a later second one.
	case latest != nil:
		return latest, nil
	}
	// Dataverse ignores the parameter version, and responds with the latest version.
	address = dataset + "versions/" + url.PathEscape(version) + "?persistentId=" + id
	one, err := get[struct {
		Data *dataverseVersion `json:"data"`
	}](ask, address)
	if err == nil && (one.Data == nil || !one.Data.is(version)) {
		err = ended(fileset.StatusPlatformError, address+": not the version "+version)
	}
	return one.Data, err
}

// is reports whether a version has a number, such as 1.0 or 1, which is the same.
func (v *dataverseVersion) is(number string) bool {
	major, minor, _ := strings.Cut(number, ".")
	return string(v.Number) == major && cmp.Or(string(v.Minor), "0") == cmp.Or(minor, "0")
}

// field is the text of a field of the citation, the first of several.
func (v *dataverseVersion) field(name text) string {
	for _, f := range v.Blocks.Citation.Fields {
		if f.Name == name {
			return firstText(f.Value, 0)
		}
	}
	return ""
}

// firstText is the first text in a field's value: a string, a list, or an object of fields.
func firstText(value any, depth int) string {
	if depth > 5 { // deeper than any field
		return ""
	}
	// Values have any shape: "typeClass" is not reliable.
	switch v := value.(type) {
	case string:
		return v
	case []any:
		for _, e := range v {
			if s := firstText(e, depth+1); s != "" {
				return s
			}
		}
	case map[string]any:
		if s := firstText(v["value"], depth+1); s != "" {
			return s
		}
		return firstText(v["dsDescriptionValue"], depth+1)
	}
	return ""
}

func (f dataverseFile) manifest(host string) schemas.ManifestFile {
	d := f.Data
	m := schemas.ManifestFile{
		Path: string(d.Name), Size: d.Size.size(), MIME: string(d.Type), MD5: sum(string(d.MD5), md5Digits),
	}
	// The uploaded file is wanted, not the table made of it.
	if d.OriginalName != "" {
		m.Path = string(d.OriginalName)
	}
	if d.OriginalSize.known {
		m.Size = d.OriginalSize.size()
	}
	// Without the folder, files of one name in several folders would be one.
	if dir := strings.Trim(string(f.Directory), "/"); dir != "" {
		m.Path = dir + "/" + m.Path
	}
	// After the member md5, the only one in older installations.
	setSum(&m, string(d.Checksum.Type), string(d.Checksum.Value))
	address := "https://" + host + "/api/access/datafile/"
	join := "?"
	// The persistent identifier if there is one: numbers are local to an installation.
	if d.PID != "" {
		address, join = address+":persistentId/?persistentId="+string(d.PID), "&"
	} else {
		address += url.PathEscape(string(d.ID))
	}
	// Without it the server sends its converted table, with another size and hash.
	if d.OriginalName != "" || d.OriginalType != "" {
		address += join + "format=original"
	}
	m.PlatformURL = address
	// Version 1 is the rule and would be in every line.
	if f.Version != "" && f.Version != "1" {
		m.Extra = map[string]any{"version": jsonNumber(f.Version)}
	}
	description := f.Description
	if description == "" {
		description = d.Description
	}
	if description != "" {
		if m.Extra == nil {
			m.Extra = map[string]any{}
		}
		m.Extra["description"] = string(description)
	}
	return m
}

// doiOf is the identifier as a bare DOI, or "" for handles.
func doiOf(p pid, id string) string {
	if p.scheme != "doi" {
		return ""
	}
	return id[len("doi:"):]
}
