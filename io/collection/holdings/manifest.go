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

// PageFile is the name of the report as a page for people. Package sheet makes it if asked for.
const PageFile = "report.html"

// Layout is the version of file names and formats in the folder. Opening a collection migrates it from the version
// before.
const Layout = "2"

// Folder is the part of a folder that reading a manifest needs.
type Folder interface {
	Path(name string) string
	Open(name string) (folder.Reader, error)
}

// Names that readers need of the hidden folder.
const (
	HiddenDir   = ".gleaner"
	MarkerFile  = "collection"
	LastRunFile = "asked.json"
)

// Hidden returns the path of a file in the hidden folder.
func Hidden(name string) string { return HiddenDir + "/" + name }

// ReadManifest reads the manifest of the collection in f. It returns fs.ErrNotExist if no run has finished, and for
// conversions, although their manifests have the same form. It returns ErrLayout for an unknown layout or schema.
func ReadManifest(f Folder) (schemas.Manifest, error) {
	var m schemas.Manifest
	err := readManifest(f, &m, &m)
	if err == nil {
		err = checkCollection(f, m.Versions)
	}
	if err != nil {
		return schemas.Manifest{}, err
	}
	return m, nil
}

// ReadTotals is like ReadManifest but leaves the units empty; only their number is kept.
func ReadTotals(f Folder) (schemas.Manifest, error) {
	m, err := ReadRun(f)
	if err == nil {
		err = checkCollection(f, m.Versions)
	}
	if err != nil {
		return schemas.Manifest{}, err
	}
	return m, nil
}

// ReadRun is like ReadTotals for collections and conversions.
func ReadRun(f Folder) (schemas.Manifest, error) {
	var m struct {
		schemas.Manifest
		Units []struct{} `json:"units"`
	}
	if err := readManifest(f, &m, &m.Manifest); err != nil {
		return schemas.Manifest{}, err
	}
	m.Manifest.Units = make([]schemas.UnitResult, len(m.Units))
	return m.Manifest, nil
}

// readManifest reads the manifest into all, of which m is a part.
func readManifest(f Folder, all any, m *schemas.Manifest) error {
	if err := folder.ReadJSON(f, ManifestFile, MaxManifestBytes, all); err != nil {
		return err
	}
	if m.SchemaVersion != "" && m.SchemaVersion != schemas.Version { // a field of its rows can mean something else
		return fmt.Errorf("%s: %w (schema %.20q)", f.Path(ManifestFile), ErrLayout, m.SchemaVersion)
	}
	return readable(f) // last, so that a folder without a manifest costs one read
}

// ConversionPart is the name in the versions of a manifest that only conversions have.
const ConversionPart = "conversion"

// checkCollection returns fs.ErrNotExist if versions are those of a conversion.
func checkCollection(f Folder, versions map[string]string) error {
	if _, is := versions[ConversionPart]; is {
		return fmt.Errorf("%s: %w: convert wrote it, and it is not a collection", f.Path(ManifestFile), fs.ErrNotExist)
	}
	return nil
}

// MaxManifestBytes limits a manifest: a million units need about 1 GB.
const MaxManifestBytes = 2 << 30

// MarkerText is the content of a collection's marker.
const MarkerText = "This folder is written by Gleaner, layout " + Layout + ".\n"

// ErrLayout means that this version does not know the folder's layout, or the schema of its rows.
var ErrLayout = errors.New("the folder was made by another version of gleaner, and this one cannot read it: " +
	"use that version, or name another folder")

// readable returns ErrLayout if this version does not know the collection's layout. A copy without its hidden folder is
// assumed to be readable.
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

// MaxMarker limits a marker, in bytes: it is one line.
const MaxMarker = 1 << 10

// Markers of layout 1, and of a folder on its way from there to today's layout. Programs that only know layout 1 refuse
// the latter.
const (
	olderMarker  = "This folder is written by Gleaner, layout 1.\n"
	MovingMarker = "This folder is written by Gleaner, layout 1 on its way to " + Layout + ".\n"
)

// IsOlderMarker reports whether text is the marker of layout 1, or of a folder on its way from it.
func IsOlderMarker(text string) bool { return text == olderMarker || text == MovingMarker }
