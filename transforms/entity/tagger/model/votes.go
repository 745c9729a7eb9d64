package model

// A voteTable holds for the words of a document how strongly they were found in names of each type.
type voteTable struct {
	slots [1 << 12]voteSlot
	used  []uint16
}

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

// slot returns the slot of a word, or the free one where it belongs.
func (v *voteTable) slot(hash uint64) (s *voteSlot, at uint16) {
	key := uint32(hash>>32) | 1
	for i := uint16(hash) % uint16(len(v.slots)); ; i = (i + 1) % uint16(len(v.slots)) {
		if s = &v.slots[i]; s.key == key || s.key == 0 {
			return s, i
		}
	}
}

// add adds a vote. When three quarters of the table are full, new words get none.
func (v *voteTable) add(hash uint64, kind int, margin int32) {
	s, i := v.slot(hash)
	if s.key == 0 {
		if len(v.used) > len(v.slots)*3/4 {
			return
		}
		s.key = uint32(hash>>32) | 1
		v.used = append(v.used, i)
	}
	s.votes[kind] = min(s.votes[kind]+min(margin, 1<<8), 1<<12)
}

func (v *voteTable) of(hash uint64) [Types]int32 {
	s, _ := v.slot(hash)
	return s.votes
}
