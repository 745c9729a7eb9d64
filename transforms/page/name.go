package page

// names finds the Tag of an element's name by its key: an open hash table of tags.
var names [1024]struct {
	key uint64
	tag Tag
}

func init() {
	for t := TagText + 1; t < numTags; t++ {
		key := nameKey(elements[t].name)
		i := nameSlot(key)
		for names[i].key != 0 {
			i = (i + 1) % len(names)
		}
		names[i].key, names[i].tag = key, t
	}
}

// nameKey is a number for name, which is in lower case: its last eight bytes.
func nameKey[T string | []byte](name T) (key uint64) {
	for i := range len(name) {
		key = key<<8 | uint64(name[i])
	}
	return key
}

func nameSlot(key uint64) int { return int(key * 0x9E3779B97F4A7C15 >> 54 % uint64(len(names))) }

// tagOf returns the Tag of name, in any case.
func tagOf(name []byte) Tag {
	var key uint64
	for _, c := range name {
		key = key<<8 | uint64(lower(c))
	}
	for i := nameSlot(key); names[i].key != 0; i = (i + 1) % len(names) {
		if names[i].key == key {
			if t := names[i].tag; len(name) == len(elements[t].name) && (len(name) <= 8 || isFold(name, elements[t].name)) {
				return t
			}
		}
	}
	return TagOther
}

// Name is the name of the element, in lower case; "" for texts and elements with no rules of their own.
func (t Tag) Name() string { return elements[t].name }
