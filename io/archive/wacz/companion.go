package wacz

import (
	"bytes"
	"encoding/json"
	"io"
	"path"
	"strings"
)

// A description of several WACZ files may be in one ZIP file with them. It may also be beside them, in a ZIP file of
// its own or as a JSON file.

// MaxBeside limits the size of JSON files that are searched for names of others, and maxBesideZIP that of ZIP files, in
// bytes. A file that names others is small.
const (
	MaxBeside    = maxDescription
	maxBesideZIP = 1 << 20
)

// multi is the profile of a description of several WACZ files (specs.webrecorder.net/wacz/1.1.1, section 5.2.1).
const multi = "multi-wacz-package"

// maxBeside bounds how many files a description names.
const maxBeside = 100_000

// MayNameOthers reports by its name whether a file may be a description of WACZ files beside it.
func MayNameOthers(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".wacz", ".zip":
		return true
	}
	return false
}

// Beside returns the names of the WACZ files in the same folder that a description of several names but does not
// contain. If it contains none, alone is true. Errors are those of reading src.
func Beside(src io.ReaderAt, size int64) (names []string, alone bool, err error) {
	w := &window{src: src, size: size}
	// 64 bytes are enough for a byte order mark, some blanks and the first bracket.
	first := bytes.TrimLeft(w.at(0, 64), " \t\r\n\xef\xbb\xbf")
	var raw []byte
	var l *layout
	switch {
	case bytes.HasPrefix(first, []byte("{")):
		if raw, err = io.ReadAll(io.NewSectionReader(src, 0, min(size, MaxBeside))); err != nil {
			return nil, false, err
		}
	case size > maxBesideZIP || !mayBeZIP(w):
		return nil, false, w.err
	default:
		if l = newLayout(w); w.err != nil {
			return nil, false, w.err
		}
		for _, f := range l.files {
			if f.name() == description {
				raw, _ = content(w, f) // damage is reported when it is read
			}
		}
	}
	var d struct {
		Profile   string     `json:"profile"`
		Resources []resource `json:"resources"`
	}
	// JSON of another kind is not an error: any file may be in the folder.
	if json.Unmarshal(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")), &d) != nil || d.Profile != multi {
		return nil, false, nil
	}
	// Files that the ZIP file holds itself are read from there.
	inside := map[string]bool{}
	alone = true
	if l != nil {
		for _, f := range l.files {
			inside[f.name()] = true
			alone = alone && !isArchive(f.name())
		}
	}
	for _, r := range d.Resources[:min(len(d.Resources), maxBeside)] {
		// A path may begin with "./", which names in ZIP files do not have.
		if r.Path != "" && !inside[path.Clean(r.Path)] {
			names = append(names, r.Path)
		}
	}
	// A description that names nothing stays in the list.
	return names, alone && len(names) > 0, nil
}
