package filesets

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

const (
	// keyDigits is the length of a unit's name, a prefix of a hash as in collections.
	keyDigits = 20
	// maxChunkBytes ends a unit early if its requests are long.
	maxChunkBytes = 8 << 20
)

// Line is a line of the input: a request, or the reject for a line that is not a request.
type Line struct {
	Request *schemas.FilesetRequest `json:"request,omitempty"`
	Reject  *schemas.Reject         `json:"reject,omitempty"`
}

// Chunk is a unit of requests in the hidden folder. Its name is a hash of its lines.
type Chunk struct {
	Name     string `json:"name"`
	Requests int64  `json:"requests"` // including rejects
}

// ChunkFile returns the name of the file with a chunk's requests.
func ChunkFile(name string) string { return Hidden("requests-" + name + ".jsonl.zst") }

// Chunks divides lines into units of size requests and writes them into the folder. It does not rewrite existing units.
// It leaves out lines whose hash is in skip, and adds the written ones to it; skip may be nil.
func (c *Folder) Chunks(lines iter.Seq2[Line, error], size int, skip map[[16]byte]bool) (list []Chunk, err error) {
	var held []Line
	bytes := 0
	flush := func() error {
		if len(held) == 0 {
			return nil
		}
		chunk, err := c.writeChunk(held)
		list, held, bytes = append(list, chunk), held[:0], 0
		return err
	}
	for line, err := range lines {
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(line)
		if err != nil {
			return nil, err
		}
		if skip != nil {
			// The id has 128 bits of SHA-256. Collisions are not expected, and a set of millions takes 16 bytes each.
			id := lineID(text)
			if skip[id] {
				continue
			}
			skip[id] = true
		}
		// Both limits apply: a worker holds a unit's results in memory, which depends on bytes.
		held, bytes = append(held, line), bytes+len(text)
		if len(held) >= size || bytes >= maxChunkBytes {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	return list, flush()
}

func lineID(text []byte) [16]byte {
	sum := sha256.Sum256(text)
	return [16]byte(sum[:16])
}

func (c *Folder) writeChunk(held []Line) (Chunk, error) {
	var b bytes.Buffer
	h := sha256.New()
	w, err := jsonl.NewWriter(&b, jsonl.Zstd)
	if err != nil {
		return Chunk{}, err
	}
	for _, line := range held {
		text, err := json.Marshal(line)
		if err == nil {
			// The name depends on the lines and not on the compressed file, so that every version of the compressor
			// gives the same name.
			h.Write(append(text, '\n'))
			err = w.Write(line)
		}
		if err != nil {
			return Chunk{}, err
		}
	}
	if err := w.Close(); err != nil {
		return Chunk{}, err
	}
	chunk := Chunk{Name: hex.EncodeToString(h.Sum(nil))[:keyDigits], Requests: int64(len(held))}
	name := ChunkFile(chunk.Name)
	// An earlier run has written it. A file of another length was cut off.
	if size, err := c.f.Size(name); err == nil && size == int64(b.Len()) {
		return chunk, nil
	}
	return chunk, c.f.Write(name, b.Bytes())
}

// ReadChunk yields the lines of a unit.
func ReadChunk(ctx context.Context, f folder.Folder, name string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		// It needs no lock: units are written before the graph runs, and the graph only reads them.
		r, err := f.Open(ChunkFile(name))
		if err != nil {
			yield(Line{}, fmt.Errorf("the requests of a unit are gone: run the command again: %w", err))
			return
		}
		defer func() { _ = r.Close() }() // read only
		in, err := jsonl.NewReader(r)
		if err != nil {
			yield(Line{}, err)
			return
		}
		for text, err := range in.All() {
			var line Line
			if err == nil {
				err = errors.Join(json.Unmarshal(text, &line), ctx.Err())
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// IDs returns the hashes of all lines in the units of rows: the earlier requests.
func (c *Folder) IDs(ctx context.Context, rows map[string]Row) (map[[16]byte]bool, error) {
	ids := map[[16]byte]bool{}
	for _, r := range rows {
		for line, err := range ReadChunk(ctx, c.f, r.Chunk) {
			if err != nil {
				return nil, err
			}
			text, err := json.Marshal(line)
			if err != nil {
				return nil, err
			}
			ids[lineID(text)] = true
		}
	}
	return ids, nil
}

// Key names a unit by everything that its results depend on: its requests, the captures, options and versions.
func Key(chunk string, depends any) (string, error) {
	data, err := json.Marshal(depends)
	if err != nil {
		return "", err
	}
	// encoding/json sorts maps, so that the same options have the same bytes.
	sum := sha256.Sum256(append([]byte(chunk+"\n"), data...))
	return hex.EncodeToString(sum[:])[:keyDigits], nil
}
