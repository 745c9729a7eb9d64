package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Asked is what the last run was asked for, finished or not, so that the next one can tell what it would leave out.
type Asked struct {
	Inputs  []string       `json:"inputs"`            // as they were named
	Indexes []string       `json:"indexes,omitempty"` // likewise
	Lookup  schemas.Lookup `json:"lookup,omitzero"`   // of the indexes
	Dir     string         `json:"dir,omitempty"`     // that relative names are relative to
	Options map[string]any `json:"options"`           // as the manifest has them
	// Made are the options that units were made with, by Note.Options.
	Made map[string]map[string]any `json:"made,omitempty"`
}

// Command is what the run was asked for as it would be written on a command line.
func (a Asked) Command() string {
	var b strings.Builder
	b.WriteString("ingest")
	for _, name := range a.Indexes {
		fmt.Fprintf(&b, " --cdx=%s", name)
	}
	for _, name := range a.Inputs {
		fmt.Fprintf(&b, " %s", name)
	}
	return b.String()
}

// NoteAsked writes what a run is asked for to f, which is open.
func NoteAsked(f folder.Folder, a Asked) error {
	data, err := folder.EncodeJSON(a)
	if err == nil {
		err = f.Write(hidden(askedFile), data)
	}
	if err != nil {
		return fmt.Errorf("collection: note of what is asked for: %w", err)
	}
	return nil
}

// maxAsked bounds the note of what was asked for, in bytes: the arguments of a command line, and options.
const maxAsked = 64 << 20

// ReadAsked returns what the last run in f was asked for. A folder in which nobody has noted it, or somebody something
// else, is fs.ErrNotExist.
func ReadAsked(f folder.Folder) (Asked, error) {
	var a Asked
	err := folder.ReadJSON(f, hidden(askedFile), maxAsked, &a)
	if errors.Is(err, ErrContent) {
		// A note that cannot be read says as little as none: the run is asked for anew.
		err = fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	if err != nil {
		return Asked{}, fmt.Errorf("collection: %w", err)
	}
	return a, nil
}

// FormatsOf are the formats of documents that shards are in, sorted; none for those of an index alone.
func FormatsOf(shards []schemas.Shard) []string {
	var list []string
	for _, s := range shards {
		switch n, _ := partOf(s.Name); {
		case n.kind == kindDocuments && n.ext == extParquet:
			list = append(list, FormatParquet)
		case n.kind == kindDocuments:
			list = append(list, FormatJSONL)
		case n.kind == kindContent:
			list = append(list, FormatContent)
		case n.kind == kindTexts:
			list = append(list, FormatWET)
		case n.kind == kindLinks:
			list = append(list, FormatLinks)
		}
	}
	slices.Sort(list)
	return list
}
