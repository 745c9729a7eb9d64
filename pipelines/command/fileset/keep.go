package fileset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gleaner-web/gleaner/io/dataset/filesets"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// namesFile lists the archives of an index, in JSON. It is removed with the index.
func namesFile(index string) string { return filesets.Hidden(index + ".archives.json") }

// keep refuses to replace results from archives that this run does not name, because their requests would now fail.
// Additional archives may change results. It notes the archives of this run.
func (p *plan) keep(c config, f folder.Folder) error {
	slices.Sort(p.names)
	p.names = slices.Compact(p.names) // a file may be in several units
	m, err := filesets.ReadManifest(f)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var before []string
	if m.Captures.Index != "" {
		data, err := read(f, namesFile(m.Captures.Index))
		if err == nil {
			if err = json.Unmarshal(data, &before); err != nil {
				return fmt.Errorf("%s: %w: it is damaged; --fresh makes all anew", f.Path(namesFile(m.Captures.Index)), err)
			}
		}
		// Earlier versions did not note them.
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	gone := slices.DeleteFunc(before, func(name string) bool {
		_, named := slices.BinarySearch(p.names, name)
		return named
	})
	if len(gone) > 0 {
		return cli.Usagef("--output: the results there rest on archives that --archives does not name now (%s of them, such "+
			"as %s): name them too, or another folder, or replace the results by --fresh",
			cli.FormatCount(int64(len(gone))), secret.Hide(gone[0]))
	}
	if p.index == "" {
		return nil
	}
	data, err := json.Marshal(p.names)
	if err != nil {
		return err
	}
	if err := f.Write(namesFile(c.options.Captures.Index), data); err != nil {
		return cli.OutputError(err)
	}
	return nil
}
