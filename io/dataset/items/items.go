// Package items keeps datasets as folders of items of archive.org: their files, with the item's descriptions. It is the
// [fileset.Keeper] of the strategies archiveorg-*.
//
//	zenodo.org-20/table.csv
//	zenodo.org-20/zenodo.org-20_meta.xml    the description of the dataset
//	zenodo.org-20/zenodo.org-20_files.xml   its files, with sizes and hashes
//
// A file is written under a hidden name, and gets its own after verification, so that a killed process leaves no
// partial file. The two descriptions are written last: an item that has them is complete. An [Uploader] then uploads a
// complete item, except for files that are already there.
//
// Paths come from platforms: none leads out of its item's folder.
package items

import (
	"cmp"
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Folder is a folder of items. Its methods are safe for concurrent use.
type Folder struct {
	dir    string
	upload *Uploader // nil for none
}

var _ fileset.Keeper = (*Folder)(nil)

// Open returns the folder dir, which it makes if needed.
func Open(dir string, upload *Uploader) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("items: %w", err)
	}
	return &Folder{dir, upload}, nil
}

// itemName matches the names that archive.org accepts for items: up to 100 letters, digits, dots, dashes and
// underscores, beginning with a letter or digit.
var itemName = pattern.Lazy(`^[0-9A-Za-z][0-9A-Za-z._-]{0,99}$`)

// hidden begins the names of files that are being written.
const hidden = ".gleaner-"

// Item begins an item.
func (f *Folder) Item(ctx context.Context, item *schemas.FilesetPlatformItem) (fileset.ItemKeeper, error) {
	// The name is checked before anything is made, since it becomes the name of a folder and part of a URL.
	if !itemName().MatchString(item.Item) {
		return nil, &fileset.StatusError{
			Status: fileset.StatusUnsafePath, Message: fmt.Sprintf("%.200q is no name of an item", item.Item),
		}
	}
	k := &keeper{ctx: ctx, f: f, item: item}
	if f.upload != nil {
		var err error
		if k.remote, err = f.upload.files(ctx, item.Item); err != nil {
			// Files that exist are not known, so nothing may be overwritten.
			return nil, &fileset.StatusError{Status: fileset.StatusUploadError, Message: err.Error()}
		}
	}
	dir := filepath.Join(f.dir, item.Item)
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		// With a root no symbolic link in the item's folder leads a platform's path out of it.
		k.root, err = os.OpenRoot(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("items: %w", err)
	}
	return k, nil
}

// keeper keeps the files of one item.
type keeper struct {
	ctx     context.Context // of the request
	f       *Folder
	item    *schemas.FilesetPlatformItem
	root    *os.Root
	remote  map[string]remoteFile // nil without an upload
	writing string                // hidden name of the file being written; "" for none
	new     int                   // number of new files
}

// Existing looks for a file in the folder, and then in the uploaded item.
func (k *keeper) Existing(f *schemas.ManifestFile) (status string, err error) {
	if !k.isSafe(f.Path) {
		return fileset.StatusUnsafePath, nil
	}
	// The folder comes first: it is nearer, and an earlier run or this one wrote its files.
	there, err := k.root.Open(f.Path)
	switch {
	case err == nil:
		if status, err = k.local(f, there); err != nil || status != fileset.StatusExistsLocal {
			return status, err
		}
	// For example a path through a file: no disk could hold both.
	case !isMissing(err):
		return fileset.StatusUnsafePath, nil
	}
	// The item may hold another file than the folder, which the upload would take for this one.
	if r, ok := k.remote[f.Path]; ok {
		meta := schemas.FileMeta{Size: int64(r.Size), MD5: r.MD5, SHA1: r.SHA1}
		if !agrees(f, meta) {
			return fileset.StatusMismatchExists, nil
		}
		fill(f, meta)
		status = cmp.Or(status, fileset.StatusExists)
	}
	return status, nil
}

// local compares a file that is in the folder, and closes it.
func (k *keeper) local(f *schemas.ManifestFile, there *os.File) (status string, err error) {
	defer func() { err = errors.Join(err, there.Close()) }()
	info, err := there.Stat()
	if err == nil && !info.Mode().IsRegular() {
		return fileset.StatusUnsafePath, nil // a folder of other files
	}
	var meta schemas.FileMeta
	if err == nil {
		// It is hashed again: its name shows that the file was verified once, but it may have changed.
		meta, err = measure(k.ctx, there)
	}
	if err != nil {
		return "", fmt.Errorf("items: %s: %w", f.Path, err)
	}
	if !agrees(f, meta) {
		return fileset.StatusMismatchExists, nil
	}
	fill(f, meta)
	return fileset.StatusExistsLocal, nil
}

// isMissing reports whether nothing is at a path. A path through a file or out of the folder does not count as missing.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// isSafe reports whether a path can be a file's path: below the item, and none of the names that we write.
func (k *keeper) isSafe(p string) bool {
	// ValidPath excludes "..", empty parts and a leading slash. IsLocal adds names that the system refuses, such as NUL
	// on Windows; a backslash would be a slash there.
	return fs.ValidPath(p) && p != "." && filepath.IsLocal(filepath.FromSlash(p)) && !strings.ContainsAny(p, "\\\x00") &&
		!strings.HasPrefix(path.Base(p), hidden) && p != k.item.Item+metaXML && p != k.item.Item+filesXML
}

// Create begins a file under a hidden name in the same folder.
func (k *keeper) Create(f *schemas.ManifestFile) (io.WriteCloser, error) {
	unsafe := func(err error) error {
		return &fileset.StatusError{Status: fileset.StatusUnsafePath, Message: fmt.Sprintf("%.200q: %v", f.Path, err)}
	}
	if !k.isSafe(f.Path) {
		return nil, unsafe(errors.New("no path of a file"))
	}
	dir := path.Dir(f.Path)
	// A name is too long, or the folder is another file of the dataset: no disk can hold such a dataset.
	if err := k.root.MkdirAll(dir, 0o755); err != nil {
		return nil, unsafe(err)
	}
	// The name depends on the path, so that it overwrites the file of a killed run and differs between files. It is a
	// hash, since a long name with a prefix may be too long.
	name := hidden + hashOf(f.Path)
	if dir != "." {
		name = dir + "/" + name
	}
	// The same folder keeps the rename within one file system.
	w, err := k.root.Create(name)
	if err != nil {
		return nil, fmt.Errorf("items: %w", err)
	}
	k.writing = name
	return synced{w}, nil
}

// hashOf returns a short name for a path.
func hashOf(p string) string {
	sum := sha256.Sum256([]byte(p))
	return hex.EncodeToString(sum[:8])
}

// synced is a file that is synced to disk when it is closed, before it gets its name.
type synced struct{ *os.File }

func (s synced) Close() error { return errors.Join(s.Sync(), s.File.Close()) }

// Keep gives the file its name.
func (k *keeper) Keep(f *schemas.ManifestFile) error {
	if err := k.root.Rename(k.writing, f.Path); err != nil {
		return errors.Join(&fileset.StatusError{Status: fileset.StatusUnsafePath, Message: err.Error()}, k.Drop(f))
	}
	k.writing = ""
	k.new++
	return nil
}

// Drop removes the file.
func (k *keeper) Drop(*schemas.ManifestFile) error {
	if k.writing == "" {
		return nil
	}
	// The name is cleared even if the removal fails: the next Create of this path overwrites the file.
	name := k.writing
	k.writing = ""
	if err := k.root.Remove(name); err != nil && !isMissing(err) {
		return fmt.Errorf("items: %w", err)
	}
	return nil
}

// Commit describes the item, and uploads it.
func (k *keeper) Commit(manifest []schemas.ManifestFile) (status string, err error) {
	// _files.xml comes before _meta.xml, which marks an item as complete.
	describe := []struct {
		name string
		text []byte
	}{{k.item.Item + filesXML, filesOf(k.item, manifest)}, {k.item.Item + metaXML, metaOf(k.item)}}
	for _, d := range describe {
		if err := k.write(d.name, d.text); err != nil {
			return "", fmt.Errorf("items: %w", err)
		}
	}
	if k.f.upload != nil {
		// The upload follows the descriptions: if it fails, the folder has a complete item.
		sent, err := k.f.upload.item(k.ctx, k.root, k.item, manifest, k.remote)
		if k.ctx.Err() != nil {
			return "", k.ctx.Err()
		}
		if err != nil {
			// A refused item does not end the run, so it is a status and not an error.
			slog.Warn(fmt.Sprintf("the item %s was not uploaded: %v", k.item.Item, err))
			return fileset.StatusUploadError, nil
		}
		k.new += sent
	}
	// Neither the folder nor the server got anything new.
	if k.new == 0 {
		return fileset.StatusSuccessExisting, nil
	}
	return fileset.StatusSuccess, nil
}

// write writes a small file in one step.
func (k *keeper) write(name string, text []byte) error {
	temp := hidden + hashOf(name)
	if err := k.root.WriteFile(temp, text, 0o644); err != nil {
		return err
	}
	return k.root.Rename(temp, name)
}

// Abort ends the item.
func (k *keeper) Abort() {
	_ = k.Drop(nil) // the next attempt overwrites it
	_ = k.root.Close()
}

// measure hashes a file.
func measure(ctx context.Context, r io.Reader) (m schemas.FileMeta, err error) {
	// All three hashes take one pass: the file may have gigabytes.
	a, b, c := md5.New(), sha1.New(), sha256.New()
	buffer := make([]byte, 256<<10)
	for {
		// The context is checked for each piece of 256 KiB, so that a canceled run stops within a large file.
		if err := ctx.Err(); err != nil {
			return m, err
		}
		n, err := r.Read(buffer)
		m.Size += int64(n)
		for _, h := range []io.Writer{a, b, c} {
			_, _ = h.Write(buffer[:n]) // hashes have no errors
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return m, err
		}
	}
	m.MD5, m.SHA1 = hex.EncodeToString(a.Sum(nil)), hex.EncodeToString(b.Sum(nil))
	m.SHA256 = hex.EncodeToString(c.Sum(nil))
	return m, nil
}

// agrees reports whether a file matches the platform's data. Values that either side lacks are not compared.
func agrees(f *schemas.ManifestFile, m schemas.FileMeta) bool {
	// Platforms write digits of hashes in either case.
	same := func(a, b string) bool { return a == "" || b == "" || strings.EqualFold(a, b) }
	return (f.Size == nil || *f.Size == m.Size) && same(f.SHA1, m.SHA1) && same(f.SHA256, m.SHA256) && same(f.MD5, m.MD5)
}

// fill adds the values that the platform does not give.
func fill(f *schemas.ManifestFile, m schemas.FileMeta) {
	if f.Size == nil {
		f.Size = &m.Size
	}
	// The order of the map does not matter: the three values are independent.
	for to, value := range map[*string]string{&f.MD5: m.MD5, &f.SHA1: m.SHA1, &f.SHA256: m.SHA256} {
		if *to == "" {
			*to = value
		}
	}
}
