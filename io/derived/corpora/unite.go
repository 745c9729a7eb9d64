package corpora

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Planned is what the step unite has left.
type Planned struct {
	Key    string  `json:"key"`
	Number string  `json:"number"` // the key of Numbered
	Shards []Piece `json:"shards"`
}

// Piece is a stretch of the order that becomes a shard. The shard's number is its place in the plan, from 0.
type Piece struct {
	Partition string `json:"partition"`
	From      []byte `json:"from"`
	To        []byte `json:"to"` // nil for the end
	First     uint32 `json:"first"`
	Documents uint32 `json:"documents"` // with those that do not stay
}

// SignaturesFile holds the signatures of the corpus, for those that come later.
const SignaturesFile = "signatures.bin"

func (s *Steps) has(name string) (bool, error) {
	_, err := s.Out.Size(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// fates reads the fates that the step exact has written.
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

// Unite joins the pairs of near-duplicates to clusters, draws samples, and plans the shards.
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
		if err := s.join(n, fates, like); err != nil {
			return p, err
		}
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

// sample leaves documents out, so that the corpus has the size and the mixture that were asked for. Which ones is
// decided by the last bytes of their keys, which are those of hashes: a larger sample has all of a smaller one.
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
	// Collected, since fates are what eachSignature passes by.
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

// mixture tells which share of each language's documents is taken, so that languages have the asked shares of the
// corpus and as much as possible is taken. Languages that are not named share what is left as they are.
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
	// The whole is bounded by the language of which there is the least for its share.
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

// plan divides the order into shards: at each partition, and when there is enough text in one. It writes the signatures
// of what stays.
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
