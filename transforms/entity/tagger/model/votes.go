package model

const (
	maxVote  = 256  // of one name, so that it does not decide alone
	maxVotes = 4096 // bound of the sum
)

// voteTable holds the votes for the words of a document by type of name. It works like caseTable, with fewer slots:
// only words of names are in it.
type voteTable struct {
	slots [1 << 12]voteSlot
	used  []uint16
}

// A slot with key 0 is free.
type voteSlot struct {
	key   uint32
	votes [Types]int32
}

func (v *voteTable) reset() {
	for _, i := range v.used {
		v.slots[i] = voteSlot{}
	}
	v.used = v.used[:0]
}

// slot returns the slot of a word, or the free slot for it, or nil. The key tells which.
func (v *voteTable) slot(hash uint64) (s *voteSlot, at uint16) {
	key := uint32(hash>>32) | 1
	for k := range uint64(maxProbes) {
		i := (hash + k) % uint64(len(v.slots))
		if s = &v.slots[i]; s.key == key || s.key == 0 {
			return s, uint16(i)
		}
	}
	return nil, 0
}

// add adds a vote. When three quarters of the table are full, new words get none. A margin is at least 0, so votes
// only grow.
func (v *voteTable) add(hash uint64, kind Type, margin int32) {
	s, i := v.slot(hash)
	if s == nil || s.key == 0 && len(v.used) > len(v.slots)*3/4 {
		return
	}
	if s.key == 0 {
		s.key = uint32(hash>>32) | 1
		v.used = append(v.used, i)
	}
	s.votes[kind] = min(s.votes[kind]+min(margin, maxVote), maxVotes)
}

func (v *voteTable) of(hash uint64) (votes [Types]int32) {
	if s, _ := v.slot(hash); s != nil {
		votes = s.votes
	}
	return votes
}
