package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/derived/linkgraph"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// manifestFile is written last: it marks the graph as complete.
const manifestFile = "graph.json"

type manifest struct {
	Collections []string          `json:"collections"`
	Places      []string          `json:"places"`
	Where       string            `json:"where,omitempty"`
	Formats     []string          `json:"formats"`
	Exact       int               `json:"exact"`
	Versions    map[string]string `json:"versions"`
	Links       int64             `json:"links"`  // to another host
	Others      int64             `json:"others"` // within a host, or not to the web
	Hosts       linkgraph.Counts  `json:"hosts"`
	Domains     linkgraph.Counts  `json:"domains"`
	Files       []schemas.Shard   `json:"files"`
}

// maxManifest is in bytes, far more than a manifest needs.
const maxManifest = 16 << 20

// readManifest returns fs.ErrNotExist if the folder has no complete graph.
func readManifest(f folder.Folder) (m manifest, err error) {
	err = folder.ReadJSON(f, manifestFile, maxManifest, &m)
	return m, err
}

var errForeign = errors.New("the folder is not empty and not made by gleaner graph: name a new or an empty folder")

var marker = claim.Marker{Name: "graph", Text: "gleaner graph, layout 1\n", Foreign: errForeign}

// temporary ends the names of files until all are complete.
const temporary = ".partial"

// writing is a graph that is being written.
type writing struct {
	f     folder.Folder
	lock  io.Closer
	spill string
	files []schemas.Shard
}

// newWriting claims the folder and removes files of a killed run.
func newWriting(f folder.Folder) (w *writing, err error) {
	w = &writing{f: f}
	if w.lock, err = marker.Claim(f); err != nil {
		return nil, err
	}
	if err = w.sweep(); err == nil {
		w.spill, err = f.Temp(".gleaner/spill-" + folder.Unique())
	}
	if err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// sweep removes unfinished files and spills.
func (w *writing) sweep() error {
	names, err := w.f.Names("")
	for _, name := range names {
		if err == nil && strings.HasSuffix(name, temporary) {
			err = w.f.Remove(name)
		}
	}
	// The last pattern is the temporary name of the manifest.
	return errors.Join(err, w.f.Sweep(), w.f.RemoveAll(".gleaner/spill-*"), w.f.RemoveAll("."+manifestFile+".tmp-*"))
}

// close removes unfinished files and releases the folder.
func (w *writing) close() error {
	err := w.sweep()
	if w.spill != "" {
		err = errors.Join(err, os.RemoveAll(w.spill)) // a local folder, even if the output is a bucket
	}
	return errors.Join(err, w.lock.Close())
}

// create creates a file under a temporary name.
func (w *writing) create(name string) (io.WriteCloser, error) {
	file, err := w.f.Create(name + temporary)
	if err != nil {
		return nil, err
	}
	return &graphFile{w: w, name: name, file: file, hash: sha256.New()}, nil
}

type graphFile struct {
	w    *writing
	name string
	file folder.File
	hash hash.Hash
	n    int64
}

func (g *graphFile) Write(p []byte) (int, error) {
	n, err := g.file.Write(p)
	g.hash.Write(p[:n]) // a hash never fails to write
	g.n += int64(n)
	return n, err
}

// Close syncs the file.
func (g *graphFile) Close() error {
	err := errors.Join(g.file.Sync(), g.file.Close())
	g.w.files = append(g.w.files, schemas.Shard{Name: g.name, Bytes: g.n, SHA256: hex.EncodeToString(g.hash.Sum(nil))})
	return err
}

// commit renames the files and writes the manifest. It first removes the old manifest, since in between the folder
// holds no complete graph.
func (w *writing) commit(m *manifest) error {
	m.Files = w.files
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	before, err := w.f.Names("")
	if err != nil {
		return err
	}
	if slices.Contains(before, manifestFile) {
		if err := errors.Join(w.f.Remove(manifestFile), w.f.Sync("")); err != nil {
			return err
		}
	}
	for _, s := range w.files {
		if err := w.f.Rename(s.Name+temporary, s.Name); err != nil {
			return err
		}
	}
	for _, name := range before {
		// Remove files of the earlier graph that are not in this one.
		made := slices.ContainsFunc(w.files, func(s schemas.Shard) bool { return s.Name == name })
		if linkgraph.Makes(name) && !made {
			if err := w.f.Remove(name); err != nil {
				return err
			}
		}
	}
	return errors.Join(w.f.Sync(""), w.f.Write(manifestFile, append(data, '\n')))
}
