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

// Loss is the unreadable part of a unit.
type Loss struct {
	Unit      string           `json:"unit"` // as in Part
	Part      string           `json:"part"` // key of the part with the rest of the unit
	Count     int64            `json:"count"`
	BytesLost int64            `json:"bytes_lost"`
	ByReject  map[string]int64 `json:"by_reject"`
	Rejects   []schemas.Shard  `json:"rejects"` // files of schemas.Reject, a JSON object a line, in the order of reading
}

// rejects counts and writes unreadable data. Without any there is no file.
type rejects struct {
	loss Loss
	rows rows
	err  error // first error of writing
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

// commit renames the files. It returns nil if there are no rejects.
func (r *rejects) commit() (*Loss, error) {
	shards, err := r.rows.close()
	if err = errors.Join(r.err, err); err != nil || r.loss.Count == 0 {
		return nil, err
	}
	r.loss.Rejects = shards
	return &r.loss, nil
}

// abort drops uncommitted files.
func (r *rejects) abort() { r.rows.abort() }

// keyOf returns PartKey of the shards' current content, which differs from the unit's row if they are damaged.
func keyOf(unit holdings.Part) (string, error) {
	now := slices.Clone(unit.Shards)
	for i, s := range now {
		if !isRead(s.Name) {
			continue
		}
		// Hashed again, which only damaged units need.
		var err error
		if now[i].SHA256, now[i].Bytes, err = hashOf(unit.Folder, s.Name); err != nil {
			return "", err
		}
	}
	return PartKey(now), nil
}

// hashOf returns hash and size of a file.
func hashOf(f folder.Folder, name string) (sum string, size int64, err error) {
	in, err := f.Open(name)
	if err != nil {
		return "", 0, err
	}
	h := sha256.New()
	size, err = io.Copy(h, in)
	return hex.EncodeToString(h.Sum(nil)), size, errors.Join(err, in.Close())
}

// settle sets the losses of the next generation from the previous one and from fresh parts. A unit that was read again
// has another part, which replaces its loss and its old part's key.
func (m *Manifest) settle(before []Loss, fresh []Part) {
	redone := map[string]bool{}
	for _, p := range fresh {
		redone[p.Unit] = true
		if p.Loss != nil {
			m.Losses = append(m.Losses, *p.Loss)
		}
	}
	for _, l := range before {
		if redone[l.Unit] {
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

// rows returns the derived shards: damage to them is repaired by describing all sources again.
func (m Manifest) rows() []schemas.Shard {
	return slices.Concat(m.Sources, m.Links, m.Facts, m.Shared, m.Redirects)
}
