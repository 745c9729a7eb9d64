package pagestore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/dump"
)

// Days returns the day folders below root, or root itself, that have a META file; sorted.
func Days(root string) ([]string, error) {
	whole, err := filepath.Abs(root) // names above root may be parts of the date
	if err != nil {
		return nil, fmt.Errorf("pagestore: %w", err)
	}
	// Day folders are not entered: they may contain a hundred thousand pages.
	var days []string
	err = filepath.WalkDir(whole, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		// Hidden folders are skipped, but not root.
		if path != whole && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if _, ok := dateOf(strings.Split(filepath.ToSlash(path), "/")); !ok {
			return nil
		}
		if _, err := os.Stat(filepath.Join(path, metaName)); err == nil {
			days = append(days, path)
		}
		return fs.SkipDir
	})
	if err != nil {
		return nil, fmt.Errorf("pagestore: %w", err)
	}
	return days, nil
}

// Report says what the migration of a day did, or would do.
type Report struct {
	Day       string   `json:"day"`                 // the folder
	Changed   []string `json:"changed,omitempty"`   // META files that changed, relative to the folder
	Pages     Counts   `json:"pages"`               // lines of pages and feeds
	Items     Counts   `json:"items"`               // lines of feeds' items
	Renames   []Rename `json:"renames,omitempty"`   // of pages' folders
	Conflicts []Rename `json:"conflicts,omitempty"` // not renamed, because the new name exists
	Unknown   []string `json:"unknown,omitempty"`   // URLs of unknown pages
	Bad       []string `json:"bad,omitempty"`       // lines that cannot be read, and why
	Missing   []string `json:"missing,omitempty"`   // folders of lines that do not exist
	Error     string   `json:"error,omitempty"`     // why the day was not migrated, or not completely
}

// day is a day's folder during its migration.
type day struct {
	root   *os.Root
	sink   dump.Sink
	dryRun bool
	report *Report
}

// MigrateDay migrates the META files in a day's folder; see [Migrate]. It keeps the first version of each as META.old.
// A dry run changes nothing. If it is interrupted, repeating it completes it.
func MigrateDay(dir string, o Options, dryRun bool) (r Report, err error) {
	r.Day = dir
	// A Root confines the migration to the folder, whatever names the META file has and wherever links lead.
	root, err := os.OpenRoot(dir)
	if err != nil {
		return r, fmt.Errorf("pagestore: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	// The sink's files appear whole or not at all.
	sink, err := dump.OpenFolder(dir)
	if err != nil {
		return r, fmt.Errorf("pagestore: %w", err)
	}
	defer func() { err = errors.Join(err, sink.Close()) }()
	d := day{root, sink, dryRun, &r}
	if err := d.migrate(o); err != nil {
		return r, fmt.Errorf("pagestore: %s: %w", dir, err)
	}
	return r, nil
}

// migrate renames folders, then rewrites the feeds' META files, then the day's. Until the day's META changes, an
// interrupted run can be repeated from the same lines; it skips finished renames.
func (d day) migrate(o Options) error {
	old, err := d.read(metaName)
	if err != nil {
		return err
	}
	m, err := Migrate(old, o)
	if err != nil {
		return err
	}
	r := d.report
	r.Pages, r.Unknown, r.Bad = m.Counts, m.Unknown, m.Bad
	was := map[string]string{} // current names of folders, in a dry run
	for _, n := range m.Renames {
		if err := d.rename(n); err != nil {
			return err
		}
		// In a dry run the folder keeps its name.
		if d.dryRun {
			was[n.To] = n.From
		}
	}
	done := map[string]bool{}
	for _, l := range m.Lines {
		// A page that was fetched twice has two lines and one folder.
		if done[l.MD5] {
			continue
		}
		done[l.MD5] = true
		if err := d.page(l, was[l.MD5]); err != nil {
			return err
		}
	}
	// Last, because it marks the migration as complete.
	return d.replace(metaName, old, m.Meta)
}

// page handles the folder of a line. was is its name if it is not renamed yet.
func (d day) page(l Line, was string) error {
	name := l.MD5
	// The new name first: after renaming it is the usual case.
	_, err := d.root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) && was != "" {
		name = was
		_, err = d.root.Stat(name)
	}
	// A line without a folder is reported but is not an error: the store may have lost pages before.
	if errors.Is(err, fs.ErrNotExist) {
		d.report.Missing = append(d.report.Missing, l.MD5)
		return nil
	}
	// Only feeds have a META file of their own.
	if err != nil || l.Kind != KindRSS {
		return err
	}
	old, err := d.read(name + "/" + metaName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a feed without items
	}
	if err != nil {
		return err
	}
	m, err := MigrateItems(old, l)
	if err != nil {
		return err
	}
	d.report.Items.Add(m.Counts)
	d.report.Bad = append(d.report.Bad, m.Bad...)
	// Items are renamed within the feed's folder, under its current name.
	for _, n := range m.Renames {
		if err := d.rename(Rename{name + "/" + n.From, name + "/" + n.To}); err != nil {
			return err
		}
	}
	return d.replace(name+"/"+metaName, old, m.Meta)
}

// rename renames a folder, unless an earlier run did.
func (d day) rename(n Rename) error {
	if _, err := d.root.Stat(n.From); err != nil {
		return ignoreMissing(err)
	}
	// Checked first: on some systems, renaming replaces an empty folder.
	_, err := d.root.Stat(n.To)
	switch {
	case err == nil:
		d.report.Conflicts = append(d.report.Conflicts, n)
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if d.dryRun && slices.Contains(d.report.Renames, n) { // the line is repeated
		return nil
	}
	d.report.Renames = append(d.report.Renames, n)
	if d.dryRun {
		return nil
	}
	return d.root.Rename(n.From, n.To)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// read reads a META file.
func (d day) read(name string) ([]byte, error) {
	info, err := d.root.Stat(name)
	if err != nil {
		return nil, err
	}
	// A META file is read whole, so its size is limited.
	if info.Size() > dump.MaxNeighbor {
		return nil, fmt.Errorf("%s has %d bytes, which is %w of %d", name, info.Size(), dump.ErrLimit, dump.MaxNeighbor)
	}
	return d.root.ReadFile(name)
}

// replace rewrites a META file if it changes, and keeps the old one.
func (d day) replace(name string, old, changed []byte) error {
	// An unchanged file keeps its time.
	if bytes.Equal(old, changed) {
		return nil
	}
	d.report.Changed = append(d.report.Changed, name)
	if d.dryRun {
		return nil
	}
	// The first version is kept, which the original programs wrote.
	kept := strings.TrimSuffix(name, metaName) + oldName
	if _, err := d.root.Stat(kept); errors.Is(err, fs.ErrNotExist) {
		if err := d.write(kept, old); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	return d.write(name, changed)
}

// write writes a file in place of another.
func (d day) write(name string, content []byte) error {
	out, err := d.sink.Create(name)
	if err != nil {
		return err
	}
	// The old file stays until Close replaces it.
	if _, err := out.Write(content); err != nil {
		out.Abort()
		return err
	}
	return out.Close()
}
