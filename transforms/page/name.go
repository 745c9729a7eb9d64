package page

// names finds the Tag of a name by its key, in an open hash table. With 1,024 slots for some 150 names a search takes
// a step or two. A map would hash a string for every tag.
var names [1024]struct {
	key uint64
	tag Tag
}

func init() {
	for t := TagText + 1; t < numTags; t++ {
		// Long names may share a key, their last eight bytes: tagOf then goes on to the next slot.
		key := nameKey(elements[t].name)
		i := nameSlot(key)
		for names[i].key != 0 {
			i = (i + 1) % len(names)
		}
		names[i].key, names[i].tag = key, t
	}
}

// nameKey is the last eight bytes of name, which is in lower case. tagOf compares longer names whole.
func nameKey[T string | []byte](name T) (key uint64) {
	for i := range len(name) {
		key = key<<8 | uint64(name[i])
	}
	return key
}

// nameSlot is the first slot for a key. The multiplier is 2^64 divided by the golden ratio; the upper ten bits of the
// product are the slot.
func nameSlot(key uint64) int { return int(key * 0x9E3779B97F4A7C15 >> 54 % uint64(len(names))) }

// tagOf returns the Tag of name, in any case. It makes no copy, since it runs for every tag.
func tagOf(name []byte) Tag {
	var key uint64
	for _, c := range name {
		key = key<<8 | uint64(lower(c))
	}
	// An empty slot ends the search; there are more slots than names.
	for i := nameSlot(key); names[i].key != 0; i = (i + 1) % len(names) {
		if names[i].key == key {
			// Equal length and key of eight bytes or fewer mean the same name.
			if t := names[i].tag; len(name) == len(elements[t].name) && (len(name) <= 8 || isFold(name, elements[t].name)) {
				return t
			}
		}
	}
	return TagOther
}

// Name is the name of the element in lower case, or "" for texts and elements without rules.
func (t Tag) Name() string { return elements[t].name }
