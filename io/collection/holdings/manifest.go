package holdings

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// ManifestFile is the name of the manifest inside the folder.
const ManifestFile = "manifest.json"

// ReportFile is the name of the report inside the folder: see collection.SaveReport.
const ReportFile = "report.json"

// PageFile is the name of the same for people, a page that can be mailed: package sheet makes it where it is asked for.
const PageFile = "report.html"

// Layout is the version of the folder: of the names of its files and of how they are written down. Open of package
// collection brings a folder of the one before to it.
const Layout = "2"

// Folder is what a manifest and notes are read from.
type Folder interface {
	Path(name string) string
	Open(name string) (folder.Reader, error)
}

// Names of what a reader needs of the hidden folder.
const (
	HiddenDir  = ".gleaner"
	MarkerFile = "collection"
	AskedFile  = "asked.json"
)

// Hidden is the name of a file in the hidden folder.
func Hidden(name string) string { return HiddenDir + "/" + name }

// ReadManifest reads the manifest of the collection in f. A folder without one, where no run has finished, is
// fs.ErrNotExist; one of a layout that this version does not know is ErrLayout.
func ReadManifest(f Folder) (schemas.Manifest, error) {
	var m schemas.Manifest
	if err := readManifest(f, &m); err != nil {
		return schemas.Manifest{}, err
	}
	return m, nil
}

// ReadTotals is ReadManifest for callers that ask how many units there are and not for what they are, which is nearly
// all of it: they are empty.
func ReadTotals(f Folder) (schemas.Manifest, error) {
	var m struct {
		schemas.Manifest
		Units []struct{} `json:"units"`
	}
	if err := readManifest(f, &m); err != nil {
		return schemas.Manifest{}, err
	}
	m.Manifest.Units = make([]schemas.UnitResult, len(m.Units))
	return m.Manifest, nil
}

func readManifest(f Folder, m any) error {
	err := folder.ReadJSON(f, ManifestFile, MaxManifestBytes, m)
	if err == nil {
		err = readable(f) // after it, so that a folder without a manifest costs no more
	}
	if err != nil {
		return fmt.Errorf("collection: %w", err)
	}
	return nil
}

// MaxManifestBytes bounds a manifest: a million units need about 1 GB.
const MaxManifestBytes = 2 << 30

// MarkerText is what the marker of a collection says.
const MarkerText = "This folder is written by Gleaner, layout " + Layout + ".\n"

// ErrLayout is a folder of a layout that this version does not know.
var ErrLayout = errors.New("the folder was made by another version of gleaner, whose layout this one does not know: " +
	"use that version, or name another folder")

// readable is ErrLayout of a collection that this version does not know how to read. One that was copied without its
// hidden folder says nothing of its layout.
func readable(f Folder) error {
	text, err := folder.ReadFile(f, Hidden(MarkerFile), MaxMarker)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case string(text) != MarkerText && !IsOlderMarker(string(text)):
		return fmt.Errorf("%s: %w", f.Path(Hidden(MarkerFile)), ErrLayout)
	}
	return nil
}

// MaxMarker bounds a marker, in bytes: it is one line.
const MaxMarker = 1 << 10

// The markers of a folder of layout 1, and of one on its way to today's: programs that know layout 1 alone refuse the
// second.
const (
	olderMarker  = "This folder is written by Gleaner, layout 1.\n"
	MovingMarker = "This folder is written by Gleaner, layout 1 on its way to " + Layout + ".\n"
)

// IsOlderMarker reports whether a marker is that of layout 1, or of a folder on its way from it.
func IsOlderMarker(text string) bool { return text == olderMarker || text == MovingMarker }
