// Package conversion keeps the folder that archives are converted to: in formats that other programs read, with what
// could not be converted beside it. It makes conversions restartable: kill the process at any moment, start it again,
// and the folder ends as after one clean run.
//
//	ache-html/www.example.com/http%3A%2F%2F…      a folder for each format, with its files and nothing else: a tree
//	ache-warc/00017-of-00240/crawl_data-….warc.gz  or a folder for each unit, where files are numbered
//	files-00017-of-00240.jsonl                     one line for each file of a unit: its name, bytes and SHA-256
//	rejects-00017-of-00240.jsonl                   one line for what could not be read or written
//	manifest.json                                  written last: a folder that has one is a finished run
//	.gleaner/                                      marker, lock, and the units that are done and not yet in their place
//
// A unit is written to a hidden folder, which is renamed when it is whole: then the unit is done. When all are, their
// files are moved to their places in the order of the units. So a page of a tree that is captured twice is the later one
// in the order of the input, as if one writer had written all, whatever the units and however many workers there were.
//
// What it does not do: it reads no archives and knows nothing of Beam. It writes to local (or mounted) file systems only.
// Files are not forced to the disk one by one: after a power cut, as opposed to a kill, start over.
package conversion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/io/capture"
	"github.com/gleaner-web/gleaner/io/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Version is the version of the folder's layout, and of how units are written.
const Version = "1"

// What can be wrong with a folder, for errors.Is. Nothing in it was touched.
var (
	// ErrForeign is a folder that holds something and is no conversion.
	ErrForeign = errors.New("conversion: the folder is not empty and not made by this command; name a new or an empty folder")
	// ErrOther is a folder that holds another conversion: of other inputs, or with other options.
	ErrOther = errors.New("conversion: the folder holds the conversion of other archives, or one with other options; name another folder, or start over with --fresh")
)

// ErrIncomplete is a unit that has no result, or a file that a unit lists and that is nowhere.
var ErrIncomplete = errors.New("conversion: a unit is not complete")

// Names in the folder.
const (
	manifestFile = "manifest.json"
	hiddenDir    = ".gleaner"
	markerFile   = hiddenDir + "/conversion"
	lockFile     = hiddenDir + "/lock"
	planFile     = hiddenDir + "/plan" // the plan whose files are in their places, or on the way there
	workStart    = "work-"             // a unit that is being written
	unitStart    = "unit-"             // a unit that is done
	rowFile      = "row.json"          // in the folder of a unit
	markerTemp   = hiddenDir + "/.conversion" + tempPart
	tempPart     = ".tmp-" // in the names of files that package folder is writing: "." before, and this and more behind
)

const markerText = "This folder is written by Gleaner's convert, layout " + Version + ".\n"

// Folder is an open folder. One process at a time has it.
type Folder struct {
	dir  string
	lock io.Closer
}

// Open makes the folder where there is none, takes its lock, and sweeps what a killed run left half-written. With fresh
// it removes what earlier runs wrote: the formats' folders, with all that is in them, lists, rejects and the manifest.
func Open(ctx context.Context, dir string, fresh bool) (*Folder, error) {
	f := &Folder{dir: dir}
	local := folder.Open(ctx, dir, nil)
	if err := f.claim(local); err != nil {
		return nil, fmt.Errorf("open %s: %w", dir, err)
	}
	remove := []string{filepath.Join(hiddenDir, workStart+"*"), filepath.Join(hiddenDir, ".*"+tempPart+"*"), "." + manifestFile + tempPart + "*"}
	if fresh {
		remove = append(remove, manifestFile, "files-*-of-*.jsonl", "rejects-*-of-*.jsonl", planFile, filepath.Join(hiddenDir, unitStart+"*"))
		remove = append(remove, capture.Outputs()...)
	}
	if err := removeAll(dir, remove); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", dir, err), f.Close())
	}
	return f, nil
}

// Close lets others have the folder.
func (f *Folder) Close() error { return f.lock.Close() }

// claim makes the folder ours, or finds that it is.
func (f *Folder) claim(local folder.Folder) error {
	if err := local.Make(""); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(f.dir, markerFile))
	ours := err == nil && string(text) == markerText
	if !ours {
		if err := vacant(f.dir); err != nil {
			return err
		}
	}
	if err := local.Make(hiddenDir); err != nil {
		return err
	}
	if f.lock, err = local.Lock(lockFile); err != nil {
		return err
	}
	if ours {
		return nil
	}
	if err := local.Write(markerFile, []byte(markerText)); err != nil {
		return errors.Join(err, f.Close())
	}
	return nil
}

// vacant is nil when the folder holds nothing, or only what a run that was killed while it claimed the folder left.
func vacant(dir string) error {
	for _, pattern := range []string{"*", ".*", hiddenDir + "/*"} {
		names, err := filepath.Glob(filepath.Join(globbed(dir), pattern))
		if err != nil {
			return err
		}
		for _, name := range names {
			name, err := filepath.Rel(dir, name)
			if err != nil {
				return err
			}
			name = filepath.ToSlash(name)
			if name != hiddenDir && name != lockFile && !strings.HasPrefix(name, markerTemp) {
				return ErrForeign
			}
		}
	}
	return nil
}

// removeAll removes what the patterns name in dir, in their order.
func removeAll(dir string, patterns []string) error {
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.Join(globbed(dir), pattern))
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := os.RemoveAll(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// globbed is a pattern that matches the path alone.
func globbed(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// Finished returns the manifest when the folder holds the finished conversion of this plan. When it holds one of another
// plan, finished or on the way to be, the error is ErrOther.
func (f *Folder) Finished(plan string) (m schemas.Manifest, ok bool, err error) {
	was, err := os.ReadFile(filepath.Join(f.dir, planFile))
	if errors.Is(err, fs.ErrNotExist) {
		return m, false, nil
	}
	if err != nil {
		return m, false, err
	}
	if string(was) != plan {
		return m, false, ErrOther
	}
	m, err = ReadManifest(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return m, false, nil
	}
	return m, err == nil, err
}

// ReadManifest reads the manifest of the conversion in dir. One that is not there is fs.ErrNotExist.
func ReadManifest(dir string) (m schemas.Manifest, err error) {
	return m, readJSON(filepath.Join(dir, manifestFile), &m)
}

// Row is what a unit that is done says of itself.
type Row struct {
	Key string `json:"key"`
	schemas.UnitResult
}

// Done returns the row of the unit called key, when it is done.
func (f *Folder) Done(key string) (r Row, ok bool, err error) {
	err = readJSON(filepath.Join(unitDir(f.dir, key), rowFile), &r)
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	return r, err == nil, err
}

func unitDir(dir, key string) string { return filepath.Join(dir, hiddenDir, unitStart+key) }

func readJSON(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func encode(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}
