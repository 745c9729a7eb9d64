package font

// cffCharset returns the string number of each of n glyphs. Glyph 0 is .notdef and not in the table. Parameter n
// bounds the result.
func cffCharset(b []byte, at, n int) []int {
	sids := []int{0}
	// Offsets 0 to 2 are predefined charsets. Charsets 1 and 2 are expert ones; they are read as ISOAdobe too.
	if at <= 2 || at >= len(b) {
		for len(sids) < n { // ISOAdobe
			sids = append(sids, len(sids))
		}
		return sids
	}
	format := b[at]
	at++
	// Format 0 lists every glyph. Formats 1 and 2 list ranges with the number of further glyphs.
	for len(sids) < n && at+2 <= len(b) {
		first, left := u16(b, at), 0
		at += 2
		switch {
		case format == 1 && at < len(b):
			left = int(b[at])
			at++
		case format == 2:
			left = u16(b, at)
			at += 2
		}
		for i := 0; i <= left && len(sids) < n; i++ {
			sids = append(sids, first+i)
		}
	}
	return sids
}

// cffCodes yields the codes of glyphs. Supplementary codes are ignored. Format 0 lists a code for each glyph, format 1
// ranges of codes. The high bit of the format means that supplementary codes follow.
func cffCodes(b []byte, at int, yield func(code byte, gid int)) {
	if at < 0 || at+1 >= len(b) {
		return
	}
	format, n := b[at]&0x7f, int(b[at+1])
	at += 2
	// Glyph 0 has no code.
	gid := 1
	for range n {
		if at+1 >= len(b) {
			return
		}
		left := 0
		first := int(b[at])
		at++
		if format == 1 {
			left = int(b[at])
			at++
		}
		for i := 0; i <= left; i++ {
			// In a damaged table first+i may exceed a byte. It wraps, and affects only that font.
			yield(byte(first+i), gid)
			gid++
		}
	}
}
