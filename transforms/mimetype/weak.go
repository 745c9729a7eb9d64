package mimetype

import (
	"bytes"
	"encoding/binary"
)

// weakType returns the type of an otherwise unknown body, or "". Its rules combine several fields of a header, but
// other bytes may match by chance. They are ordered by strictness.
func weakType(body []byte) string {
	for _, rule := range [...]struct {
		is        func([]byte) bool
		mediaType string
	}{
		{isTGA, "image/x-tga"},
		{isPCX, "image/vnd.zbrush.pcx"},
		{isCGM, "image/cgm"},
		{isFLIC, "video/x-flic"},
		{isSTL, "model/stl"},
		{isLZMA, "application/x-lzma"},
		{isDiskImage, "application/x-apple-diskimage"},
		{isStata, "application/x-stata-dta"},
	} {
		if rule.is(body) {
			return rule.mediaType
		}
	}
	return ""
}

// isTGA follows the Truevision TGA file format specification, version 2.0: it needs a footer, or a valid header. TGA
// version 1 has no footer and no magic number, so every field of the header is checked.
func isTGA(body []byte) bool {
	const header = 18
	if bytes.HasSuffix(body, []byte("TRUEVISION-XFILE.\x00")) {
		return true
	}
	// Width and height are at 12 and 14 of the header, and not zero.
	if len(body) < header || binary.LittleEndian.Uint16(body[12:]) == 0 || binary.LittleEndian.Uint16(body[14:]) == 0 {
		return false
	}
	// Kinds 1 to 3 are uncompressed, 9 to 11 the same with run lengths; 1 and 9 have a colour map. Byte 2 is the kind
	// of picture, 16 the bits of a pixel, 1 whether there is a colour map. Bytes 3 to 7 describe the map.
	kind, depth := body[2], body[16]
	mapped := kind == 1 || kind == 9
	switch {
	// A picture has a colour map exactly if its kind says so.
	case kind == 0 || kind > 3 && kind < 9 || kind > 11, mapped != (body[1] == 1), body[1] > 1:
		return false
	case !mapped && !bytes.Equal(body[3:8], make([]byte, 5)): // no map, and none described
		return false
	}
	return depth == 8 || depth == 15 || depth == 16 || depth == 24 || depth == 32
}

// isPCX follows the ZSoft PCX file format technical reference manual. It checks the version, run lengths, bits for
// each plane at 3, and a reserved zero at 64. Version 1 was never published.
func isPCX(body []byte) bool {
	if len(body) < 128 || body[0] != 0x0A || body[1] > 5 || body[1] == 1 || body[2] != 1 || body[64] != 0 {
		return false
	}
	return body[3] == 1 || body[3] == 2 || body[3] == 4 || body[3] == 8
}

// isCGM recognises binary metafiles (ISO/IEC 8632-3) by the first element and the version after it. The first element
// begins with class 0 and the metafile's name as its parameter. The version is element 1 of class 1, with two bytes.
func isCGM(body []byte) bool {
	const within = 300 // the name of the metafile is between
	return len(body) > 8 && body[0] == 0 && body[1]&0xE0 == 0x20 && bytes.Contains(body[:min(len(body), within)],
		[]byte("\x10\x22\x00"))
}

// isFLIC recognises Autodesk's animations by their kind and the bits of a pixel. The kind is in the fifth and sixth
// byte, the depth, always 8, at 12.
func isFLIC(body []byte) bool {
	return len(body) > 128 && body[5] == 0xAF && (body[4] == 0x11 || body[4] == 0x12) && body[12] == 8 && body[13] == 0
}

// isSTL recognises binary models by their length, which follows from the number of triangles: 80 bytes of comment, the
// number, then 50 for each triangle. That does not match by chance.
func isSTL(body []byte) bool {
	const header, triangle = 84, 50
	if len(body) <= header {
		return false
	}
	return int64(len(body)) == header+triangle*int64(binary.LittleEndian.Uint32(body[80:]))
}

// isLZMA recognises the default output of lzma: its properties and a dictionary of a power of two. The length must be
// unknown or less than a tebibyte. The format has no magic number. 0x5D means the default lc, lp and pb.
func isLZMA(body []byte) bool {
	if len(body) < 13 || body[0] != 0x5D {
		return false
	}
	dictionary := binary.LittleEndian.Uint32(body[1:])
	length := binary.LittleEndian.Uint64(body[5:])
	// The reference decoder requires at least 4 KiB of dictionary. Tool xz also accepts one and a half times a power
	// of two. All ones is the length of a stream. The coder's first byte is always zero.
	power := dictionary & (dictionary - 1)
	return dictionary >= 1<<12 && (power == 0 || dictionary == power+power/2) && (length == 1<<64-1 || length < 1<<40) &&
		(len(body) == 13 || body[13] == 0)
}

// isDiskImage recognises Apple's images by their last block. It ("koly") has 512 bytes and version 4.
func isDiskImage(body []byte) bool {
	const trailer = 512
	return len(body) >= trailer && bytes.HasPrefix(body[len(body)-trailer:], []byte("koly\x00\x00\x00\x04"))
}

// isStata recognises data of Stata 7 to 12 by release, byte order and file type. Releases are 0x6E to 0x73; later ones
// have a text signature.
func isStata(body []byte) bool {
	return len(body) > 109 && body[0] >= 0x6E && body[0] <= 0x73 && (body[1] == 1 || body[1] == 2) && body[2] == 1 &&
		body[3] == 0
}
