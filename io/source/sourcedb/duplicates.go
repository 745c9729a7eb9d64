package sourcedb

import (
	"bytes"
	"errors"
	"iter"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// why is a reason to compare two feeds. The left one has the smaller key.
type why byte

const (
	shares     why = 's' // an item of each links to the same page
	names      why = 'n' // the left feed calls itself by the right one's URL
	moved      why = 'm' // the left feed's URL is redirected to the right one's
	rightNames why = 'N' // like names, with left and right exchanged
	rightMoved why = 'M'
)

// leastPairShares is how many shared links suffice to compare two feeds.
const leastPairShares = 3

// pair records a reason why two feeds may be equal.
func (j *joining) pair(first, second []byte, reason why) error {
	switch d := bytes.Compare(first, second); {
	case d == 0 || bytes.IndexByte(first, 0) >= 0 || bytes.IndexByte(second, 0) >= 0:
		return nil // 0 separates the keys; a URL with it is ignored
	case d > 0:
		// Ordered, so that a pair is compared once.
		first, second = second, first
		reason = map[why]why{shares: shares, names: rightNames, moved: rightMoved}[reason]
	}
	return j.pairs.Add(bytes.Join([][]byte{first, second}, []byte{0}), []byte{byte(reason)})
}

// move records that a feed's URL is redirected to a link, which may be a feed's.
func (j *joining) move(to uint64, key []byte) error {
	j.moved = true
	// The byte 1 sorts it after the feed with that hash, which has 0.
	return j.moves.Add(append(linkKey(to), 1), key)
}

// groups maps each feed that is equal to others to its representative and the evidence. An entry takes about a hundred
// bytes.
type groups map[string]group

type group struct {
	key, url string // of the representative
	evidence string
}

// twins finds the equal feeds: it compares the recorded pairs.
func (g *generation) twins(j *joining) (groups, error) {
	if err := g.share(j); err != nil {
		return nil, err
	}
	// First, because moves become pairs.
	if err := g.resolveMoves(j); err != nil {
		return nil, err
	}
	// The states of two feeds are not adjacent, so the first one's is carried to the second.
	second := extsort.New(j.sort)
	err := g.alongStates(j.pairCandidates, func(key []byte, relation, state []byte) error {
		// The pair is reversed, to be sorted by the other feed.
		left, right, _ := bytes.Cut(key, []byte{0})
		return second.Add(bytes.Join([][]byte{right, left}, []byte{0}), append(relation, state...))
	})
	if err != nil {
		return nil, errors.Join(err, second.Close())
	}
	found := newEqual()
	err = g.alongStates(second.Merge, func(key []byte, value, state []byte) error {
		right, left, _ := bytes.Cut(key, []byte{0})
		return found.compare(string(left), string(right), value, state)
	})
	return found.groups(), errors.Join(err, second.Close())
}

// resolveMoves finds the feeds to which others are redirected: a feed's key precedes the moves to its hash.
func (g *generation) resolveMoves(j *joining) error {
	if !j.moved {
		return nil
	}
	for r, err := range g.chain(g.next.States) {
		if err == nil {
			// All feeds, because any may be a target.
			err = j.moves.Add(append(linkKey(source.Hash(string(r.key))), 0), r.key)
		}
		if err != nil {
			return err
		}
	}
	var hash, to []byte
	return j.moves.Merge(func(key, feedKey []byte) error {
		switch at := key[:8]; {
		case key[8] == 0:
			// Only the last feed is held: moves to it follow at once.
			hash, to = append(hash[:0], at...), append(to[:0], feedKey...)
			return nil
		// A move follows the feed with its target's hash.
		case bytes.Equal(at, hash):
			return j.pair(feedKey, to, moved)
		}
		return nil // the target is not a feed
	})
}

// relation counts the reasons of a pair.
type relation struct {
	shared int
	source.Relation
}

func (r relation) bytes() []byte {
	b := byte(0)
	for i, is := range []bool{r.LeftMoved, r.RightMoved, r.LeftNames, r.RightNames} {
		if is {
			// One byte for four answers; relationOf has the same order.
			b |= 1 << i
		}
	}
	return []byte{b}
}

func relationOf(b byte) source.Relation {
	return source.Relation{LeftMoved: b&1 > 0, RightMoved: b&2 > 0, LeftNames: b&4 > 0, RightNames: b&8 > 0}
}

// pairCandidates emits the pairs worth comparing, each once, with its relation.
func (j *joining) pairCandidates(emit func(key, value []byte) error) error {
	var key []byte
	var now relation
	flush := func() error {
		if key == nil || now.shared < leastPairShares && now.Relation == (source.Relation{}) {
			return nil
		}
		return emit(key, now.bytes())
	}
	err := j.pairs.Merge(func(k, reason []byte) error {
		if !bytes.Equal(k, key) {
			if err := flush(); err != nil {
				return err
			}
			// Copied, because the sorter reuses its memory.
			key, now = append([]byte{}, k...), relation{}
		}
		switch why(reason[0]) {
		case shares:
			now.shared++
		case names:
			now.LeftNames = true
		case rightNames:
			now.RightNames = true
		case moved:
			now.LeftMoved = true
		case rightMoved:
			now.RightMoved = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// alongStates calls see for records whose keys begin with a feed's key and a 0, in order, with the feed's state. It
// skips records of missing feeds.
func (g *generation) alongStates(
	records func(func(key, value []byte) error) error, see func(key, value, state []byte) error,
) error {
	next, stop := iter.Pull2(g.chain(g.next.States))
	defer stop()
	state, err, ok := next()
	if err != nil {
		return err
	}
	return records(func(key, value []byte) error {
		of, _, _ := bytes.Cut(key, []byte{0})
		// Records and states are sorted alike, because 0 sorts before any continuation of a key.
		for ok && err == nil && bytes.Compare(state.key, of) < 0 {
			state, err, ok = next()
		}
		if err != nil || !ok || !bytes.Equal(state.key, of) {
			return err
		}
		return see(key, value, state.value)
	})
}

// equal groups equal feeds.
type equal struct {
	parent    map[string]string // parent in a group's tree
	standings map[string]source.Standing
	evidence  map[string]string
}

func newEqual() *equal {
	return &equal{map[string]string{}, map[string]source.Standing{}, map[string]string{}}
}

// compare compares one pair. value is the relation and the left one's state.
func (e *equal) compare(left, right string, value, rightState []byte) error {
	a, err := source.Decode(value[1:])
	if err != nil {
		return err
	}
	b, err := source.Decode(rightState)
	if err != nil {
		return err
	}
	r := relationOf(value[0])
	evidence := source.Same(a, b, r)
	// In doubt they differ: see source.Same.
	if evidence == "" {
		return nil
	}
	// Only feeds that are equal to another, which are few.
	e.note(source.StandingOf(left, a), r.LeftMoved, r.RightNames, evidence)
	e.note(source.StandingOf(right, b), r.RightMoved, r.LeftNames, evidence)
	// The smaller name becomes the root, so that the order of pairs does not matter.
	x, y := e.root(left), e.root(right)
	e.parent[max(x, y)] = min(x, y)
	return nil
}

// strength orders kinds of evidence: a feed has the strongest.
var strength = map[string]int{source.ByRedirect: 3, source.BySelf: 2, source.ByItems: 1}

func (e *equal) note(s source.Standing, moved, named bool, evidence string) {
	before, ok := e.standings[s.Key]
	// A fact about a feed from one pair holds in all of its pairs.
	s.Moved, s.Named = moved || ok && before.Moved, named || ok && before.Named
	e.standings[s.Key] = s
	if strength[evidence] > strength[e.evidence[s.Key]] {
		e.evidence[s.Key] = evidence
	}
}

// root returns the root of a feed's tree. It halves paths, which keeps them short.
func (e *equal) root(key string) string {
	for {
		up, ok := e.parent[key]
		if !ok || up == key {
			return key
		}
		if above, ok := e.parent[up]; ok {
			e.parent[key] = above
		}
		key = up
	}
}

// groups returns the representative of each feed that does not represent itself.
func (e *equal) groups() groups {
	best := map[string]source.Standing{}
	keys := slices.Sorted(maps.Keys(e.standings))
	for _, key := range keys {
		root := e.root(key)
		// In order of keys, so that among equals the smaller key wins.
		if b, ok := best[root]; !ok || e.standings[key].Compare(b) < 0 {
			best[root] = e.standings[key]
		}
	}
	list := groups{}
	for _, key := range keys {
		if to := best[e.root(key)]; to.Key != key {
			list[key] = group{to.Key, to.URL, e.evidence[key]}
		}
	}
	return list
}
