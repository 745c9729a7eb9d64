package font

import (
	"bytes"

	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// embedded returns the stream of the font program, or nil. The three keys are for Type 1, TrueType, and CFF or
// OpenType (table 124).
func embedded(f *object.File, descriptor object.Dict) *object.Stream {
	for _, key := range []object.Name{"FontFile", "FontFile2", "FontFile3"} {
		if s := f.Stream(descriptor[key]); s != nil {
			return s
		}
	}
	return nil
}

// program returns the bytes of the embedded font program.
func program(f *object.File, descriptor object.Dict) []byte {
	if s := embedded(f, descriptor); s != nil {
		return f.Decode(s)
	}
	return nil
}

// programEncoding returns the texts of codes by the encoding in the font program. The first bytes of the program
// decide its kind, since writers mix up the keys.
func programEncoding(f *object.File, descriptor object.Dict) map[byte]string {
	b := program(f, descriptor)
	texts := map[byte]string{}
	if isSFNT(b) {
		t := parseTrueType(b)
		for code := range 256 {
			if text := t.code(code); text != "" {
				texts[byte(code)] = text
			}
		}
		return texts
	}
	names := type1Encoding(b)
	// CFF begins with its major version, 1; a Type 1 program with "%!" or a segment's 0x80.
	if len(b) > 0 && b[0] == 1 {
		names = cffEncoding(b)
	}
	for code, name := range names {
		texts[code] = nameText(name)
	}
	return texts
}

// programTexts returns the texts of CIDs by the cmap table of an embedded TrueType program.
func programTexts(f *object.File, descendant object.Dict) map[int]string {
	b := program(f, f.Dict(descendant["FontDescriptor"]))
	if !isSFNT(b) {
		return nil
	}
	glyphs := parseTrueType(b).texts
	s := f.Stream(descendant["CIDToGIDMap"])
	// The map goes from CIDs to glyphs, two bytes each. Without it the two are the same.
	if s == nil {
		return glyphs
	}
	texts := map[int]string{}
	gids := f.Decode(s)
	for cid := 0; 2*cid+1 < len(gids) && cid < maxCIDs; cid++ {
		if text := glyphs[u16(gids, 2*cid)]; text != "" {
			texts[cid] = text
		}
	}
	return texts
}

// type1Encoding reads the encoding vector in the unencrypted part of a Type 1 program: "dup 65 /A put" (Adobe Type 1
// Font Format, section 2.2). The scanner of PDF can read it, as PostScript has the same tokens.
func type1Encoding(b []byte) map[byte]string {
	start := bytes.Index(b, []byte("/Encoding"))
	if start < 0 {
		return nil
	}
	names := map[byte]string{}
	s := object.NewScanner(b[start+1:])
	var last [2]object.Token
	// An encoding has 256 entries of four tokens, and a few tokens around them.
	const maxTokens = 256 * 8
	for range maxTokens {
		t := s.Next()
		if t.Kind == object.Keyword {
			switch string(t.Bytes) {
			// The two tokens before "put" are the code and the name.
			case "put":
				if code := last[0].Num; last[1].Kind == object.NameToken && code >= 0 && code < 256 {
					names[byte(code)] = string(last[1].Bytes)
				}
			case "StandardEncoding":
				for code := range 256 {
					names[byte(code)] = standardName(byte(code))
				}
				return names
			// The vector ends with "readonly def" or "def". A "def" before any entry belongs to the array itself.
			case "readonly", "eexec":
				return names
			case "def":
				if len(names) > 0 {
					return names
				}
			}
		}
		if t.Kind == object.EOF {
			return names
		}
		last[0], last[1] = last[1], t
	}
	return names
}

func u16(b []byte, at int) int {
	if at < 0 || at+2 > len(b) {
		return 0
	}
	return int(b[at])<<8 | int(b[at+1])
}

// u32 reads a number of four bytes, the most significant first. An int has 64 bits on all supported machines.
func u32(b []byte, at int) int { return u16(b, at)<<16 | u16(b, at+2) }
