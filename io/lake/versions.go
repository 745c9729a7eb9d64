//go:build !noiceberg && !local

package lake

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/apache/iceberg-go/catalog"
	iceio "github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// versionPattern matches the files of versions. Ours are not compressed, but others may compress theirs.
var versionPattern = pattern.Lazy(`^v([1-9]\d{0,8})(\.gz)?\.metadata\.json$`)

// keptVersions is the number of older versions that the table keeps.
const keptVersions = 20

// maxMetadata limits the metadata of one version, in bytes. A snapshot takes some 700.
const maxMetadata = 256 << 20

// errRace means that another commit wrote the version first, or that a change was based on an outdated version.
var errRace = errors.New("lake: another commit came first")

// ErrVersion means that the newest version of the table is gone. Older versions do not have its content.
var ErrVersion = errors.New("lake: the newest version of the table is gone")

// versions is the catalogue in the folder itself, in the format of Java's Hadoop catalogue.
type versions struct{ f folder.Folder }

var _ table.CatalogIO = versions{}

func versionName(n int, compressed string) string {
	return fmt.Sprintf("%s/v%d%s.metadata.json", metadataDir, n, compressed)
}

// newest returns the number of the newest version and the part before its suffix. The number is 0 if there is no table.
//
// The hint may be outdated, since it is written after the version and by slower writers. Versions are removed from the
// oldest on, so all versions after an existing one exist: counting up from the hint finds the newest.
func (v versions) newest() (n int, compressed string, err error) {
	// The hint is a number of at most nine digits. Other programs may end it with a newline.
	text, err := read(v.f, hintFile, 1<<10)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, blob.ErrChanged) { // replaced while it was read
		return 0, "", err
	}
	hint := 0
	if n, err = strconv.Atoi(strings.TrimSpace(string(text))); err == nil && n > 0 {
		hint = n
		if compressed, err = v.is(n); err == nil {
			for {
				next, err := v.is(n + 1)
				if errors.Is(err, fs.ErrNotExist) {
					return n, compressed, nil
				} else if err != nil {
					return 0, "", err
				}
				n, compressed = n+1, next
			}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return 0, "", err
		}
	}
	// There is no hint, or it names a version that was removed. A listing costs more but is right, unless the hint
	// names a version that should exist. A greater number was never a version.
	if n, compressed, err = v.listed(); err == nil && n < hint && hint <= n+keptVersions {
		err = fmt.Errorf("%w: %s is not there, which %s names, and v%d does not have what was committed since: put it "+
			"back, or remove %s to go on without that", ErrVersion, v.f.Path(versionName(hint, "")), hintFile, n, hintFile)
	}
	return n, compressed, err
}

// is returns how a version is compressed. A missing version gives fs.ErrNotExist.
func (v versions) is(n int) (compressed string, err error) {
	// Ours are plain, so the first is mostly right.
	for _, compressed := range []string{"", ".gz"} {
		if _, err = v.f.Size(versionName(n, compressed)); !errors.Is(err, fs.ErrNotExist) {
			return compressed, err
		}
	}
	return "", err
}

// listed finds the newest version without a hint.
func (v versions) listed() (n int, compressed string, err error) {
	names, err := v.f.Names(metadataDir)
	if err != nil {
		return 0, "", err
	}
	for _, name := range names {
		// The pattern allows nine digits, so Atoi cannot overflow.
		if m := versionPattern().FindStringSubmatch(name); m != nil {
			if i, err := strconv.Atoi(m[1]); err == nil && i > n {
				n, compressed = i, m[2]
			}
		}
	}
	return n, compressed, nil
}

// LoadTable loads the newest version. Without one it returns catalog.ErrNoSuchTable.
func (v versions) LoadTable(_ context.Context, ident table.Identifier) (*table.Table, error) {
	n, compressed, err := v.newest()
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, catalog.ErrNoSuchTable
	}
	return v.load(ident, n, compressed)
}

func (v versions) load(ident table.Identifier, n int, compressed string) (*table.Table, error) {
	name := versionName(n, compressed)
	data, err := read(v.f, name, maxMetadata)
	if err == nil && compressed != "" {
		// The same limit applies to the decompressed size, as a small file may expand to any size.
		data, err = gunzip(data, maxMetadata)
	}
	if err != nil {
		return nil, fmt.Errorf("lake: %w", err)
	}
	meta, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("lake: %s: %w", v.f.Path(name), err)
	}
	return newTable(v.f, ident, meta, strings.TrimRight(meta.Location(), "/")+"/"+name, v), nil
}

// parse reads metadata that anybody may have written. A panic in the library becomes an error.
func parse(data []byte) (meta table.Metadata, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("damaged metadata: %v", p)
		}
	}()
	if meta, err = table.ParseMetadataBytes(data); err != nil {
		return nil, err
	}
	if meta.Version() != 2 && meta.Version() != 1 {
		return nil, fmt.Errorf("the table is of format version %d, and 2 is the newest that is known here", meta.Version())
	}
	return meta, nil
}

// newTable returns the library's table for some metadata, with the folder's files.
func newTable(
	f folder.Folder, ident table.Identifier, meta table.Metadata, at string, c table.CatalogIO,
) *table.Table {
	files := &fileIO{f: f, location: meta.Location()}
	return table.New(ident, meta, at, func(context.Context) (iceio.IO, error) { return files, nil }, c)
}

// CommitTable writes the version after the newest one. It returns errRace if the newest version does not meet a
// requirement, or if the next version exists by then.
func (v versions) CommitTable(
	ctx context.Context, ident table.Identifier, needs []table.Requirement, updates []table.Update,
) (table.Metadata, string, error) {
	n, compressed, err := v.newest()
	if err != nil || n == 0 {
		return nil, "", errors.Join(err, catalog.ErrNoSuchTable)
	}
	now, err := v.load(ident, n, compressed)
	if err != nil {
		return nil, "", err
	}
	// The requirements are tested on the newest version. If another process commits before the write, the name is taken
	// and the write fails.
	for _, need := range needs {
		if err := need.Validate(now.Metadata()); err != nil {
			return nil, "", fmt.Errorf("%w: %w", errRace, err)
		}
	}
	meta, err := table.UpdateTableMetadata(now.Metadata(), updates, now.MetadataLocation())
	if err != nil {
		return nil, "", fmt.Errorf("lake: %w", err)
	}
	// This is the last moment to stop: after the write the commit stands.
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	if err := v.write(meta, n+1); err != nil {
		return nil, "", err
	}
	// Old versions go after the commit. If the process is killed here, Expire removes them.
	v.trim(now.Metadata(), meta)
	return meta, strings.TrimRight(meta.Location(), "/") + "/" + versionName(n+1, ""), nil
}

// write writes a version and the hint.
func (v versions) write(meta table.Metadata, n int) error {
	data, err := json.Marshal(meta)
	if err != nil {
		return fmt.Errorf("lake: %w", err)
	}
	return v.writeBytes(data, n)
}

func (v versions) writeBytes(data []byte, n int) error {
	err := v.f.WriteNew(versionName(n, ""), append(bytes.TrimSpace(data), '\n'))
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %w", errRace, err)
	}
	if err != nil {
		return fmt.Errorf("lake: %w", err)
	}
	// The version exists, and readers find it without the hint or with an outdated one.
	_ = v.f.Write(hintFile, []byte(strconv.Itoa(n)))
	return nil
}

// trim removes versions that are no longer in the log of the newest one, which keeps keptVersions.
func (v versions) trim(before, now table.Metadata) {
	kept := map[string]bool{}
	for e := range now.PreviousFiles() {
		kept[e.MetadataFile] = true
	}
	for e := range before.PreviousFiles() {
		if name, err := nameIn(now.Location(), e.MetadataFile); err == nil && !kept[e.MetadataFile] {
			_ = v.f.Remove(name) // Expire removes the rest
		}
	}
}
