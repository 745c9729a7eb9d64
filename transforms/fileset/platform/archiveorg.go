package platform

import (
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// archiveorg handles items of archive.org.
//
// Source: https://archive.org/developers/md-read.html and metadata-schema.
type archiveorg struct{}

func (archiveorg) Name() string { return "archiveorg" }

// archiveorgItem reads archive.org/details/<item>[/file] and /download/.
func archiveorgItem(p *fileset.Page) (item, file string, ok bool) {
	u := address(p)
	if hostOf(u) != "archive.org" {
		return "", "", false
	}
	parts := segments(u)
	if len(parts) < 2 || parts[0] != "details" && parts[0] != "download" {
		return "", "", false
	}
	return parts[1], strings.Join(parts[2:], "/"), true
}

func (archiveorg) Match(p *fileset.Page) bool {
	_, _, ok := archiveorgItem(p)
	return ok
}

type archiveorgAnswer struct {
	Dark     truth `json:"is_dark"`
	Metadata *struct {
		Mediatype  text `json:"mediatype"`
		Restricted text `json:"access-restricted-item"` // lent only
	} `json:"metadata"`
	Files list[archiveorgFile] `json:"files"`
}

type archiveorgFile struct {
	Name   text   `json:"name"`
	Source text   `json:"source"`
	Format text   `json:"format"`
	Size   number `json:"size"`
	MD5    text   `json:"md5"`
	SHA1   text   `json:"sha1"`
	// Listed, but not public.
	Private text `json:"private"`
}

func (f archiveorgFile) bytes() int64 { return f.Size.value }

func (a archiveorg) Process(p *fileset.Page, ask fileset.Asker) (item schemas.FilesetPlatformItem, err error) {
	name, file, _ := archiveorgItem(p)
	if file != "" {
		return item, ended(fileset.StatusPlatformScope, "the URL is of a file, not of an item: "+file)
	}
	address := "https://archive.org/metadata/" + escaped(name)
	answer, err := get[archiveorgAnswer](ask, address)
	if err != nil {
		return item, err
	}
	switch {
	case bool(answer.Dark):
		return item, ended(fileset.StatusPlatformRestrict, "the item is dark: "+name)
	case answer.Metadata == nil: // {} is the response for a missing item
		return item, ended(fileset.StatusPlatform404, "there is no item "+name)
	case answer.Metadata.Mediatype == "collection", answer.Metadata.Mediatype == "web":
		return item, ended(fileset.StatusPlatformScope, "the item is of the kind "+string(answer.Metadata.Mediatype))
	case answer.Metadata.Restricted == "true":
		return item, ended(fileset.StatusPlatformRestrict, "access to the item is restricted: "+name)
	}
	item = schemas.FilesetPlatformItem{
		Platform: a.Name(), Status: fileset.StatusSuccess, Domain: "archive.org", ID: name, Item: name,
	}
	private := 0
	collect(&item, answer.Files, func(f archiveorgFile) (schemas.ManifestFile, bool) {
		wanted := f.wanted(name)
		if wanted && f.Private == "true" {
			private++
		}
		return f.manifest(name), wanted
	})
	if private > 0 {
		return item, ended(fileset.StatusPlatformRestrict, fmt.Sprintf("%d files are private", private))
	}
	return item, nil
}

// madeByArchive are name endings of files that archive.org makes for each item.
var madeByArchive = []string{
	"_meta.sqlite", "_archive.torrent", "_itemimage.jpg", "_meta.xml", "_thumb.png", "_files.xml",
}

// wanted reports whether a file was uploaded: archive.org makes derived and descriptive files again.
func (f archiveorgFile) wanted(item string) bool {
	name := string(f.Name)
	if f.Source != "original" || strings.HasPrefix(name, "_") {
		return false
	}
	for _, end := range madeByArchive {
		if name == item+end || name == strings.ToLower(item)+end {
			return false
		}
	}
	// Items from academictorrents.com have a description of the torrent beside the data.
	if strings.HasPrefix(item, "academictorrents_") {
		return name != item+"_torrent.txt" && name != item+".bib" && name != item+"_archive.torrent"
	}
	return true
}

func (f archiveorgFile) manifest(item string) schemas.ManifestFile {
	return schemas.ManifestFile{
		Path: string(f.Name), Size: f.Size.size(), MD5: sum(string(f.MD5), md5Digits), SHA1: sum(string(f.SHA1), sha1Digits),
		MIME:        archiveorgTypes[string(f.Format)],
		PlatformURL: "https://archive.org/download/" + escaped(item) + "/" + escaped(string(f.Name)),
	}
}

var archiveorgTypes = map[string]string{
	"7z": "application/x-7z-compressed", "Comma-Separated Values": "text/csv", "CSV": "text/csv", "GIF": "image/gif",
	"Animated GIF": "image/gif", "GZIP": "application/gzip", "HTML": "text/html", "JPEG": "image/jpeg",
	"JSON": "application/json", "MPEG4": "video/mp4", "h.264": "video/mp4", "MP4": "video/mp4", "MPEG1": "video/mpeg",
	"MPEG2": "video/mpeg", "MP3": "audio/mpeg", "VBR MP3": "audio/mpeg", "128Kbps MP3": "audio/mpeg",
	"Ogg Video": "video/ogg", "PDF": "application/pdf", "Text PDF": "application/pdf", "PNG": "image/png",
	"RAR": "application/vnd.rar", "TAR": "application/x-tar", "TIFF": "image/tiff", "Text": "text/plain",
	"XML": "text/xml", "ZIP": "application/zip", "WAVE": "audio/x-wav", "Flac": "audio/flac",
	"BZIP2": "application/x-bzip2",
}
