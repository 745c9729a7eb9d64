package conversion

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Parts of a conversion: other commands have done some units, each into a folder of its own. Take brings the units
// together, and the next run finds them done.

// ErrNoPart means that a folder has no units to take.
var ErrNoPart = errors.New("conversion: not a part of a conversion")

// IsMade returns ErrNoPart for a folder without a conversion.
func IsMade(f folder.Folder) error {
	_, err := f.Size(hidden(markerFile))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s", ErrNoPart, f.Path(""))
	}
	return err
}

// Take copies the finished units of another folder, and returns their number. Units that are here stay. The caller has
// both folders open.
func (c *Folder) Take(ctx context.Context, from *Folder) (units int, err error) {
	if _, err := from.f.Size(manifestFile); !errors.Is(err, fs.ErrNotExist) {
		return 0, errors.Join(err, fmt.Errorf("%w: %s is a finished one", ErrNoPart, from.f.Path("")))
	}
	keys, err := Keys(from.f)
	if err != nil {
		return 0, err
	}
	for _, key := range keys {
		row, ok, err := from.Done(key)
		if err == nil && ok {
			err = c.takeUnit(ctx, from, row)
			units++
		}
		if err != nil {
			return units, fmt.Errorf("unit %s of %s: %w", key, from.f.Path(""), err)
		}
	}
	return units, nil
}

// takeUnit copies the files of a unit. The folder of the unit gets its name last, which makes the unit done.
func (c *Folder) takeUnit(ctx context.Context, from *Folder, row Row) error {
	if _, ok, err := c.Done(row.Key); ok || err != nil {
		return err
	}
	temp, err := c.f.Temp(hidden(workStart + folder.Unique()))
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }() // gone after the commit; otherwise Open sweeps it
	for name, err := range from.filesOf(row) {
		if err == nil {
			err = errors.Join(ctx.Err(), dump.CheckName(name))
		}
		if err == nil {
			err = copyTo(filepath.Join(temp, filepath.FromSlash(name)), from.f, path.Join(unitDir(row.Key), name))
		}
		if err != nil {
			return err
		}
	}
	return c.f.Adopt(temp, unitDir(row.Key), rowFile)
}

// filesOf yields the names of a unit's files, relative to its folder.
func (c *Folder) filesOf(row Row) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if !yield(rowFile, nil) {
			return
		}
		for _, s := range row.Shards {
			if !yield(s.Name, nil) {
				return
			}
		}
		for name, err := range list(c.f, unitDir(row.Key), row) {
			if !yield(name, err) {
				return
			}
		}
	}
}

func copyTo(to string, from folder.Folder, name string) (err error) {
	in, err := from.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
