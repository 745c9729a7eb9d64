//go:build !noiceberg && !local

package lake

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"
	"github.com/twmb/avro/ocf"
)

// Move rewrites the table's metadata for the current place of the folder, or for Options.Location. It writes all
// snapshots with their manifests, because these hold whole URIs. Data files are neither read nor changed. If the table
// is already there, Move does nothing. It works on tables that the folder keeps; a table in a catalogue stays where it
// was.
//
// The files for the old place stay until Expire, as after any commit.
func (t *Table) Move(ctx context.Context) error {
	v, ok := t.cat.(versions)
	if !ok {
		return errors.New("lake: a table in a catalogue cannot be moved: drop it there without its data, and " +
			"register it anew")
	}
	if err := checkLocation(t.location); err != nil {
		return err
	}
	// The number is read before the table is loaded. If a commit comes in between, it has this number + 1, and
	// writeBytes below fails.
	n, _, err := v.newest()
	if err != nil {
		return err
	}
	now, err := t.load(ctx)
	if err != nil || now.Location() == t.location {
		return err
	}
	m := mover{
		// Files are opened by their names at the old place. Both places are the same folder.
		from: now.Location(), to: t.location,
		files: &fileIO{f: t.f, location: now.Location()}, done: map[string]moved{},
	}
	lists := map[int64]string{}
	for _, s := range now.Metadata().Snapshots() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if lists[s.SnapshotID], err = m.snapshot(s); err != nil {
			return errors.Join(fmt.Errorf("lake: move: %w", err), m.files.drop(nil))
		}
	}
	data, err := m.metadata(now.Metadata(), lists)
	if err == nil {
		err = v.writeBytes(data, n+1) // errRace if somebody has committed to the old place in the meantime
	}
	if err != nil {
		return errors.Join(err, m.files.drop(nil))
	}
	return nil
}

// mover rewrites metadata for another place.
type mover struct {
	from, to string // locations
	files    *fileIO
	done     map[string]moved // manifests by their old URIs, because snapshots share them
}

// moved is a rewritten manifest.
type moved struct {
	uri    string
	length int64
}

// place returns the URI of a file at the new place.
func (m *mover) place(uri string) (string, error) {
	name, err := nameIn(m.from, uri)
	return m.to + "/" + name, err
}

// snapshot writes the manifests of a snapshot and their list, and returns the URI of the list.
func (m *mover) snapshot(s table.Snapshot) (string, error) {
	manifests, err := s.Manifests(m.files)
	if err != nil {
		return "", err
	}
	for _, manifest := range manifests {
		// Delete files may name data files in their own rows, which would have to be rewritten too.
		if manifest.ManifestContent() != iceberg.ManifestContentData {
			return "", fmt.Errorf("%w (snapshot %d)", ErrDeletes, s.SnapshotID)
		}
		if err := m.manifest(manifest.FilePath()); err != nil {
			return "", err
		}
	}
	list, err := m.rewrite(s.ManifestList, fmt.Sprintf("snap-%d-0-", s.SnapshotID), func(record map[string]any) error {
		uri, _ := record["manifest_path"].(string)
		// The list also holds the length, which changes with the URIs. Engines read exactly that many bytes.
		to, ok := m.done[uri]
		if !ok {
			return fmt.Errorf("%s: no manifest %q", s.ManifestList, uri)
		}
		record["manifest_path"], record["manifest_length"] = to.uri, to.length
		return nil
	})
	return list.uri, err
}

// manifest rewrites a manifest, once.
func (m *mover) manifest(uri string) error {
	if _, ok := m.done[uri]; ok {
		return nil
	}
	to, err := m.rewrite(uri, "", func(record map[string]any) error {
		file, _ := record["data_file"].(map[string]any)
		path, ok := file["file_path"].(string)
		if !ok {
			return fmt.Errorf("%s: a record without a file", uri)
		}
		var err error
		file["file_path"], err = m.place(path)
		return err
	})
	m.done[uri] = to
	return err
}

// rewrite copies an Avro file to a new name and applies change to each record. It keeps the schema with its field ids,
// and the rest of the header.
func (m *mover) rewrite(uri, prefix string, change func(map[string]any) error) (moved, error) {
	in, err := m.files.Open(uri)
	if err != nil {
		return moved{}, err
	}
	defer func() { _ = in.Close() }() // only read
	r, err := ocf.NewReader(in)
	if err != nil {
		return moved{}, fmt.Errorf("%s: %w", uri, err)
	}
	header := map[string][]byte{}
	// Keys that begin with avro. belong to the container: the writer sets its schema and codec itself.
	for key, value := range r.Metadata() {
		if !strings.HasPrefix(key, "avro.") {
			header[key] = value
		}
	}
	// In memory: a manifest has some 200 bytes for each file.
	var out bytes.Buffer
	// pyiceberg cannot read a file that names no codec.
	w, err := ocf.NewWriter(&out, r.Schema(), ocf.WithSchema(string(r.Metadata()["avro.schema"])),
		ocf.WithMetadata(header), ocf.WithCodec(ocf.DeflateCodec(flate.DefaultCompression)))
	if err != nil {
		return moved{}, fmt.Errorf("%s: %w", uri, err)
	}
	// The loop ends with io.EOF at the end of the file, and with another error on a failure.
	for err == nil {
		var record map[string]any
		if err = r.Decode(&record); err == nil {
			if err = change(record); err == nil {
				err = w.Encode(record)
			}
		}
	}
	if !errors.Is(err, io.EOF) {
		return moved{}, fmt.Errorf("%s: %w", uri, err)
	}
	if err := w.Close(); err != nil {
		return moved{}, fmt.Errorf("%s: %w", uri, err)
	}
	// A new name keeps the old file for readers of the old metadata.
	name := fmt.Sprintf("%s/%s%s-m0.avro", metadataDir, prefix, uuid.New())
	return moved{m.to + "/" + name, int64(out.Len())}, m.files.write(name, out.Bytes())
}

// metadata returns the metadata of the table at the new place. It drops the log of earlier versions, which are at the
// old place.
func (m *mover) metadata(meta table.Metadata, lists map[int64]string) ([]byte, error) {
	data, err := json.Marshal(meta)
	if err != nil {
		return nil, err
	}
	in := json.NewDecoder(bytes.NewReader(data))
	in.UseNumber() // ids of snapshots have more digits than a float
	var all map[string]any
	if err := in.Decode(&all); err != nil {
		return nil, err
	}
	all["location"], all["metadata-log"] = m.to, []any{}
	delete(all, "statistics") // other programs wrote them and can compute them again
	delete(all, "partition-statistics")
	// A table without snapshots lacks this key, or has null.
	snapshots, _ := all["snapshots"].([]any)
	for _, s := range snapshots {
		s, ok := s.(map[string]any)
		id, isNumber := s["snapshot-id"].(json.Number)
		n, err := id.Int64()
		if !ok || !isNumber || err != nil {
			return nil, errors.New("a snapshot without an id")
		}
		s["manifest-list"] = lists[n]
	}
	return json.Marshal(all)
}
