package corpora

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Planned is the result of the step unite.
type Planned struct {
	Key     string  `json:"key"`
	Number  string  `json:"number"` // the key of Numbered
	Shards  []Piece `json:"shards"`
	Seconds float64 `json:"seconds"` // for clusters
}

// Piece is a range of the order that becomes a shard. The shard's number is its index in the plan.
type Piece struct {
	Partition string `json:"partition"`
	From      []byte `json:"from"`
	To        []byte `json:"to"` // nil for the end
	First     uint32 `json:"first"`
	Documents uint32 `json:"documents"` // including those that do not stay
}

// SignaturesFile holds the signatures of the corpus, for later corpora.
const SignaturesFile = "signatures.bin"

func (s *Steps) has(name string) (bool, error) {
	_, err := s.Out.Size(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// fates reads the fates from the step exact.
func (s *Steps) fates(n Numbered) ([]fate, error) {
	return s.readFates(hidden("fates", n.Key, ".bin"), 0, n.Documents)
}

func (s *Steps) readFates(name string, from, count int64) (list []fate, err error) {
	in, err := s.Out.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if from+count > in.Size() {
		return nil, errRecords
	}
	list = make([]fate, count)
	if _, err := in.ReadAt(list, from); err != nil && err != io.EOF {
		return nil, err
	}
	return list, nil
}

// Unite joins pairs of near-duplicates to clusters, draws samples, and plans the shards.
func (s *Steps) Unite(_ context.Context, key string) (p Planned, err error) {
	var n Numbered
	if err := folder.ReadJSON(s.Out, hidden("exact", key, ".json"), maxJSON, &n); err != nil {
		return p, err
	}
	o := s.Options
	p = Planned{Key: keyOf("unite", n.Key, o.Keep, o.Sample, o.Mix, o.Shard, o.Formats, o.Refused), Number: n.Key}
	if ok, err := done(s.Out, hidden("plan", p.Key, ".json"), &p); ok || err != nil {
		return p, err
	}
	fates, err := s.fates(n)
	if err != nil {
		return p, err
	}
	like, err := s.readTwins(hidden("twins", n.Key, ".bin"), 0, n.Documents)
	if err != nil {
		return p, err
	}
	if n.Near {
		began := time.Now()
		if err := s.join(n, fates, like); err != nil {
			return p, err
		}
		p.Seconds = time.Since(began).Seconds()
	}
	like.resolve()
	if err := s.writeTwins(hidden("twins", p.Key, ".bin"), like); err != nil {
		return p, err
	}
	if err := s.sample(n, fates); err != nil {
		return p, err
	}
	if err := s.plan(n, fates, &p); err != nil {
		return p, err
	}
	if err := s.Out.Write(hidden("final", p.Key, ".bin"), fates); err != nil {
		return p, err
	}
	return p, writeJSON(s.Out, hidden("plan", p.Key, ".json"), p)
}

// sample omits documents, so that the corpus has the requested size and mixture. The last bytes of keys, which are
// hashes, decide: a larger sample contains all of a smaller one.
func (s *Steps) sample(n Numbered, fates []fate) error {
	if s.Options.Sample == 0 && len(s.Options.Mix) == 0 {
		return nil
	}
	sizes := map[string]int64{}
	err := s.eachSignature(n, fates, func(_ uint32, _ []byte, sig *signature) error {
		sizes[sig.lang] += int64(sig.facts.Bytes)
		return nil
	})
	if err != nil {
		return err
	}
	shares := mixture(sizes, s.Options.Mix)
	// Collected first, because eachSignature uses the fates.
	var left []uint32
	err = s.eachSignature(n, fates, func(i uint32, key []byte, sig *signature) error {
		keep := shares(sig.lang)
		if s.Options.Sample > 0 {
			keep *= s.Options.Sample
		}
		if float64(binary.BigEndian.Uint64(key[len(key)-8:])) >= keep*math.MaxUint64 {
			left = append(left, i)
		}
		return nil
	})
	for _, i := range left {
		fates[i] = notSampled
	}
	return err
}

// mixture returns the share of each language's documents to take. Languages then have the requested shares of the
// corpus, which is as large as possible. Other languages share the rest in proportion.
func mixture(sizes map[string]int64, mix map[string]float64) func(language string) float64 {
	if len(mix) == 0 {
		return func(string) float64 { return 1 }
	}
	rest, others := 1.0, 0.0
	for _, share := range mix {
		rest -= share
	}
	for language, size := range sizes {
		if _, named := mix[language]; !named {
			others += float64(size)
		}
	}
	// The language that is scarcest for its share limits the whole.
	whole := math.Inf(1)
	for language, share := range mix {
		if share > 0 {
			whole = min(whole, float64(sizes[language])/share)
		}
	}
	if rest > 1e-9 {
		whole = min(whole, others/rest)
	}
	return func(language string) float64 {
		if share, named := mix[language]; named {
			return min(1, whole*share/float64(max(sizes[language], 1)))
		}
		return min(1, whole*max(rest, 0)/max(others, 1))
	}
}

// plan divides the order into shards: at each partition, and at enough text. It writes the signatures of the documents
// that stay.
func (s *Steps) plan(n Numbered, fates []fate, p *Planned) error {
	w, err := createRecords(s.Out)
	if err != nil {
		return err
	}
	defer w.abort()
	i, size := uint32(0), int64(0)
	err = eachRecord(s.Out, hidden("ordered", n.Key, ".bin"), func(key, value []byte) error {
		sig, err := parseSignature(value)
		if err != nil || int(i) >= len(fates) {
			return errRecords
		}
		partition, _, _ := bytes.Cut(key, []byte{0})
		last := len(p.Shards) - 1
		if last < 0 || p.Shards[last].Partition != string(partition) || size >= s.Options.Shard {
			if last >= 0 {
				p.Shards[last].To = key
			}
			p.Shards = append(p.Shards, Piece{Partition: string(partition), From: key, First: i})
			last, size = last+1, 0
		}
		p.Shards[last].Documents++
		if fates[i] == stays {
			size += int64(sig.facts.Bytes)
			err = w.add(nil, value)
		}
		i++
		return err
	})
	if err != nil {
		return err
	}
	return w.end(hidden("kept", p.Key, ".bin"))
}
