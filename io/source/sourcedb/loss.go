package sourcedb

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Loss is what could not be read of a unit.
type Loss struct {
	Unit      string           `json:"unit"` // as Part has it
	Part      string           `json:"part"` // key of the part that has the rest
	Count     int64            `json:"count"`
	BytesLost int64            `json:"bytes_lost"`
	ByReject  map[string]int64 `json:"by_reject"`
	Rejects   []schemas.Shard  `json:"rejects"` // files of schemas.Reject, a JSON object a line, in the order of reading
}

// rejects counts what cannot be read, and writes it down. There is no file without a line.
type rejects struct {
	loss Loss
	rows rows
	err  error // the first one of writing
}

func newRejects(f folder.Folder) *rejects { return &rejects{rows: rows{f: f, kind: "rejects"}} }

func (r *rejects) add(line schemas.Reject) {
	r.loss.Count++
	r.loss.BytesLost += line.Lost
	schemas.Count(&r.loss.ByReject, string(line.Kind), 1)
	if r.err == nil {
		r.err = r.rows.write(line)
	}
}

// commit gives the files their names; nil when there is nothing to tell.
func (r *rejects) commit() (*Loss, error) {
	shards, err := r.rows.close()
	if err = errors.Join(r.err, err); err != nil || r.loss.Count == 0 {
		return nil, err
	}
	r.loss.Rejects = shards
	return &r.loss, nil
}

// abort drops what was not committed.
func (r *rejects) abort() { r.rows.abort() }

// keyOf is PartKey of what the shards of a unit hold now, which is not what the unit's row says when they are damaged.
func keyOf(unit holdings.Part) (string, error) {
	now := slices.Clone(unit.Shards)
	for i, s := range now {
		if !isRead(s.Name) {
			continue
		}
		// Read once more, which only damaged units need: tables are not hashed as they are read.
		var err error
		if now[i].SHA256, now[i].Bytes, err = hashOf(unit.Folder, s.Name); err != nil {
			return "", err
		}
	}
	return PartKey(now), nil
}

// hashOf reads a file.
func hashOf(f folder.Folder, name string) (sum string, size int64, err error) {
	in, err := f.Open(name)
	if err != nil {
		return "", 0, err
	}
	h := sha256.New()
	size, err = io.Copy(h, in)
	return hex.EncodeToString(h.Sum(nil)), size, errors.Join(err, in.Close())
}

// settle gives the next generation the losses of the one before and of fresh parts. A unit that is read again has
// another part: what was lost of it before, and that part's key, are forgotten.
func (m *Manifest) settle(before []Loss, fresh []Part) {
	anew := map[string]bool{}
	for _, p := range fresh {
		anew[p.Unit] = true
		if p.Loss != nil {
			m.Losses = append(m.Losses, *p.Loss)
		}
	}
	for _, l := range before {
		if anew[l.Unit] {
			m.Parts = slices.DeleteFunc(m.Parts, func(key string) bool { return key == l.Part })
		} else {
			m.Losses = append(m.Losses, l)
		}
	}
	slices.SortFunc(m.Losses, func(a, b Loss) int {
		return cmp.Or(cmpStrings(a.Unit, b.Unit), cmpStrings(a.Part, b.Part))
	})
	for _, l := range m.Losses {
		m.Counts.Rejects += l.Count
		m.Counts.BytesLost += l.BytesLost
		for kind, n := range l.ByReject {
			schemas.Count(&m.Counts.ByReject, kind, n)
		}
	}
}

// rows are the shards that are made of the others: what is wrong with them is mended by telling all sources again.
func (m Manifest) rows() []schemas.Shard {
	return slices.Concat(m.Sources, m.Links, m.Facts, m.Shared, m.Redirects)
}
