package page

// names finds the Tag of an element's name: an open hash table of tags.
var names [512]Tag

func init() {
	for t := TagText + 1; t < numTags; t++ {
		i := hashName(elements[t].name)
		for names[i] != TagOther {
			i = (i + 1) % len(names)
		}
		names[i] = t
	}
}

func hashName[S string | []byte](s S) int {
	return (int(s[0])*7 + int(s[len(s)-1])*41 + int(s[len(s)/2])*113 + len(s)*29) % len(names)
}

// tagOf returns the Tag of name, which is in lower case and not empty.
func tagOf(name []byte) Tag {
	for i := hashName(name); names[i] != TagOther; i = (i + 1) % len(names) {
		if elements[names[i]].name == string(name) {
			return names[i]
		}
	}
	return TagOther
}

// Name is the name of the element, in lower case; "" for texts and elements with no rules of their own.
func (t Tag) Name() string { return elements[t].name }
