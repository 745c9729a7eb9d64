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

// Days returns the folders of days beneath a folder, or the folder itself, which have a META file; sorted.
func Days(root string) ([]string, error) {
	whole, err := filepath.Abs(root) // the date may be in names above
	if err != nil {
		return nil, fmt.Errorf("pagestore: %w", err)
	}
	// Day folders are not entered: below them is a folder for each page, perhaps a hundred thousand.
	var days []string
	err = filepath.WalkDir(whole, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		// Hidden folders are skipped, but not the one that was named.
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

// Report is what the migration of a day did, or would do.
type Report struct {
	Day       string   `json:"day"`                 // the folder
	Changed   []string `json:"changed,omitempty"`   // the META files that are not as they were, beneath the folder
	Pages     Counts   `json:"pages"`               // lines of pages and feeds
	Items     Counts   `json:"items"`               // lines of feeds' items
	Renames   []Rename `json:"renames,omitempty"`   // of pages' folders
	Conflicts []Rename `json:"conflicts,omitempty"` // these were not renamed, since there is such a folder already
	Unknown   []string `json:"unknown,omitempty"`   // URLs of pages of which nothing is known
	Bad       []string `json:"bad,omitempty"`       // lines that cannot be read, and why
	Missing   []string `json:"missing,omitempty"`   // folders of lines that are not there
	Error     string   `json:"error,omitempty"`     // why the day was not migrated, or not to its end
}

// day is a day's folder while it is migrated.
type day struct {
	root   *os.Root
	sink   dump.Sink
	dryRun bool
	report *Report
}

// MigrateDay migrates the META files in a day's folder; see [Migrate]. The previous file stays as META.old, and the
// first one of these is kept. A dry run changes nothing. When it is stopped anywhere, doing it again ends it.
func MigrateDay(dir string, o Options, dryRun bool) (r Report, err error) {
	r.Day = dir
	// A Root keeps all that follows within the folder, whatever names the META file holds and wherever links lead.
	root, err := os.OpenRoot(dir)
	if err != nil {
		return r, fmt.Errorf("pagestore: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	// The sink writes files that appear whole or not at all.
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

// migrate renames folders, then rewrites the feeds' META files, then that of the day: as long as this is as it was, all
// of it is done again. Kept in memory, to compare with and to keep as META.old. If it is stopped, the day's META is
// still the old one, so the next run begins from the same lines. Files renamed by then are skipped.
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
	was := map[string]string{} // what folders are called still, in a dry run
	for _, n := range m.Renames {
		if err := d.rename(n); err != nil {
			return err
		}
		// In a dry run the folder is still where it was.
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
	// Last: it says that all the rest is done.
	return d.replace(metaName, old, m.Meta)
}

// page sees to the folder of a line, which may still be called another name.
func (d day) page(l Line, was string) error {
	name := l.MD5
	// Under its new name first, since after renaming that is the usual case.
	_, err := d.root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) && was != "" {
		name = was
		_, err = d.root.Stat(name)
	}
	// A line without a folder is reported and is not an error: the store may have lost pages before.
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
	// Items are renamed within the feed's folder, as it is called now.
	for _, n := range m.Renames {
		if err := d.rename(Rename{name + "/" + n.From, name + "/" + n.To}); err != nil {
			return err
		}
	}
	return d.replace(name+"/"+metaName, old, m.Meta)
}

// rename renames a folder, unless that was done before.
func (d day) rename(n Rename) error {
	// Not there any more: an earlier run that was stopped has renamed it.
	if _, err := d.root.Stat(n.From); err != nil {
		return ignoreMissing(err)
	}
	// Asked first, because renaming onto an empty folder would replace it on some systems.
	_, err := d.root.Stat(n.To)
	switch {
	case err == nil:
		d.report.Conflicts = append(d.report.Conflicts, n)
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if d.dryRun && slices.Contains(d.report.Renames, n) { // the line is there twice
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
	// A META file is read whole, so its size is bounded.
	if info.Size() > dump.MaxNeighbor {
		return nil, fmt.Errorf("%s has %d bytes, which is %w of %d", name, info.Size(), dump.ErrLimit, dump.MaxNeighbor)
	}
	return d.root.ReadFile(name)
}

// replace writes a META file where it changes, and keeps the old one.
func (d day) replace(name string, old, changed []byte) error {
	// A file that would not change is not written, so that its time stays.
	if bytes.Equal(old, changed) {
		return nil
	}
	d.report.Changed = append(d.report.Changed, name)
	if d.dryRun {
		return nil
	}
	// The first one is kept: that is what the programs wrote, and later ones are our own.
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
	// Nothing of the old file is touched until Close puts the new one in its place.
	if _, err := out.Write(content); err != nil {
		out.Abort()
		return err
	}
	return out.Close()
}
