package corpora

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"

	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// ClustersFile lists, for each duplicate, the document that it duplicates: a Duplicate a line, grouped by document. It
// exists if Options.Refused is set.
const ClustersFile = "clusters.jsonl.zst"

// clustersVersion is the version of ClustersFile, and of the files from which it is made.
const clustersVersion = "1"

// Duplicate is a document that another document of the same run represents. That one is in the corpus, unless the
// sample omits it. Duplicates of documents of earlier corpora are not listed, because only their signatures are known.
type Duplicate struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	Reason  string `json:"reason"`
	Kept    string `json:"kept"` // ID of the representative
	KeptURL string `json:"kept_url"`
	// Partition is the partition of the duplicate, as language=fr; empty if the corpus is not divided.
	Partition string `json:"partition,omitempty"`
}

// twins maps documents to their representatives, by number: 4 bytes a document. In the steps exact and unite a
// representative may itself be dropped later; resolve follows these chains. It is nil unless needed.
type twins []uint32

// noTwin marks a document without duplicates; cluster.MaxDocuments leaves the number free.
const noTwin = earlierDocument - 1

func (s *Steps) newTwins(n Numbered) twins {
	if !s.Options.Refused {
		return nil
	}
	t := make(twins, n.Documents)
	for i := range t {
		t[i] = noTwin
	}
	return t
}

func (t twins) set(i, kept uint32) {
	if t != nil {
		t[i] = kept
	}
}

// resolve replaces each representative by the final one. There are no cycles, because a dropped document drops no
// other. A representative also represents itself. Each chain is followed once, and then shortened.
func (t twins) resolve() {
	for i := range t {
		end := uint32(i)
		for t[end] < noTwin && t[end] != end {
			end = t[end]
		}
		switch {
		case end == uint32(i):
			continue
		case t[end] == earlierDocument:
			end = earlierDocument
		default:
			t[end] = end
		}
		for at := uint32(i); at != end && t[at] < noTwin; {
			at, t[at] = t[at], end
		}
	}
}

// writeTwins writes twins, if not nil, 4 bytes each.
func (s *Steps) writeTwins(name string, t twins) error {
	if t == nil {
		return nil
	}
	o, err := create(s.Out)
	if err != nil {
		return err
	}
	defer o.abort()
	buf := make([]byte, 0, 1<<16)
	for i, kept := range t {
		if buf = binary.BigEndian.AppendUint32(buf, kept); len(buf) == cap(buf) || i == len(t)-1 {
			if _, err := o.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	_, err = o.commit(name)
	return err
}

// readTwins reads the twins of a range of documents, or returns nil unless Options.Refused is set.
func (s *Steps) readTwins(name string, from, count int64) (t twins, err error) {
	if !s.Options.Refused {
		return nil, nil
	}
	in, err := s.Out.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if 4*(from+count) > in.Size() {
		return nil, errRecords
	}
	t = make(twins, count)
	buf := make([]byte, 1<<16)
	for done := int64(0); done < count; {
		part := buf[:min(int64(len(buf)), 4*(count-done))]
		if _, err := in.ReadAt(part, 4*(from+done)); err != nil && err != io.EOF {
			return nil, err
		}
		for ; len(part) > 0; part, done = part[4:], done+1 {
			t[done] = binary.BigEndian.Uint32(part)
		}
	}
	return t, nil
}

// clusterKey sorts the documents of a cluster after the one that stays.
func clusterKey(i, kept uint32) []byte {
	key := binary.BigEndian.AppendUint32(nil, kept)
	if i == kept {
		return key
	}
	return binary.BigEndian.AppendUint32(key, i)
}

// note records a document of a cluster for writeClusters.
func (t twins) note(w *shard, at int, r *Row, reason string) error {
	if t == nil || t[at] >= noTwin {
		return nil
	}
	value, err := json.Marshal(Duplicate{ID: r.ID, URL: r.URL, Reason: reason, Partition: w.dir})
	if err != nil {
		return err
	}
	return w.noted.add(clusterKey(w.first+uint32(at), t[at]), value)
}

// writeClusters writes the table of clusters from the shards' records.
func (s *Steps) writeClusters(p Planned) (file schemas.Shard, err error) {
	sorter := s.sorter()
	defer func() { err = errors.Join(err, sorter.Close()) }()
	for i := range p.Shards {
		if err := eachRecord(s.Out, hidden("noted", keyOf("shard", p.Key, i), ".bin"), sorter.Add); err != nil {
			return file, err
		}
	}
	o, err := create(s.Out)
	if err != nil {
		return file, err
	}
	defer o.abort()
	w, err := jsonl.NewWriter(o, jsonl.Zstd)
	if err != nil {
		return file, err
	}
	var kept Duplicate
	err = sorter.Merge(func(key, value []byte) error {
		var d Duplicate
		if err := json.Unmarshal(value, &d); err != nil {
			return err
		}
		if len(key) == 4 {
			kept = d
			return nil
		}
		d.Kept, d.KeptURL = kept.ID, kept.URL
		return w.Write(d)
	})
	if err = errors.Join(err, w.Close()); err != nil {
		return file, err
	}
	return o.commit(ClustersFile)
}
