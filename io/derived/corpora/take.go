package corpora

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Parts of a corpus: other commands have done the step sign for some units, each in a folder of its own. Take brings
// their files together, and the next run finds these units done.

// Take copies the results of the step sign from another folder, and returns the number of new ones.
func (s *Steps) Take(ctx context.Context, from folder.Folder) (units int, err error) {
	if _, err := from.Size(ManifestFile); !errors.Is(err, fs.ErrNotExist) {
		return 0, errors.Join(err, fmt.Errorf("%s: a finished corpus or a collection, not a part of a corpus",
			from.Path("")))
	}
	names, err := from.Names(strings.TrimSuffix(hiddenDir, "/"))
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		key, ok := strings.CutPrefix(hiddenDir+name, strings.TrimSuffix(judged(""), ".json"))
		if !ok || !strings.HasSuffix(key, ".json") {
			continue
		}
		if err := ctx.Err(); err != nil {
			return units, err
		}
		taken, err := s.takeUnit(from, strings.TrimSuffix(key, ".json"))
		if err != nil {
			return units, err
		}
		if taken {
			units++
		}
	}
	return units, nil
}

// takeUnit copies a unit, and reports whether it was not here yet.
func (s *Steps) takeUnit(from folder.Folder, key string) (taken bool, err error) {
	var signed Signed
	if ok, err := done(s.Out, judged(key), &signed); ok || err != nil {
		return false, err
	}
	if err := folder.ReadJSON(from, judged(key), maxJSON, &signed); err != nil {
		return false, err
	}
	files := []string{hidden("texts", key, ".bin"), hidden("signs", key, ".bin")}
	if signed.Refused.Name != "" {
		if err := s.Out.Make(refusedDir); err != nil {
			return false, err
		}
		files = append(files, refusedFile(key))
	}
	for _, name := range files {
		if err := s.copy(from, name); err != nil {
			return false, err
		}
	}
	// Written last, which makes the unit done.
	return true, writeJSON(s.Out, judged(key), signed)
}

func (s *Steps) copy(from folder.Folder, name string) (err error) {
	in, err := from.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	o, err := create(s.Out)
	if err != nil {
		return err
	}
	defer o.abort()
	if _, err := io.Copy(o, in); err != nil {
		return err
	}
	_, err = o.commit(name)
	return err
}
