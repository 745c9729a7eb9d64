package mimetype

import (
	"encoding/binary"
	"encoding/hex"
	"unicode/utf16"
)

// oleType returns the type of a compound file by the names of its streams; known is what its signature says. It follows
// the chain of the directory's sectors ([MS-CFB], sections 2.2 to 2.6), over at most limit entries. What a compound
// file is shows only in which streams it holds: its signature is that of a container.
func oleType(body []byte, known string, limit int) string {
	f, ok := newCompound(body)
	// Not one after all, or its sectors have sizes that the format does not know.
	if !ok {
		return known
	}
	names := f.names(limit)
	// The table's order decides where several fit, so it is gone through rather than the names.
	for _, s := range oleStreams {
		if names[s.name] && (s.beside == "" || names[s.beside]) {
			return s.mediaType
		}
	}
	return known
}

// oleStreams are the streams that only one program writes, the more telling first. "class" and its identifier stand for
// the program that the file itself names. beside is a stream that must be there as well, "" for none.
var oleStreams = []struct{ name, beside, mediaType string }{
	{"class 84100c0000000000c000000000000046", "", "application/x-ms-installer"},
	{"class 82100c0000000000c000000000000046", "", "application/x-ms-installer"}, // transforms
	{"class 86100c0000000000c000000000000046", "", "application/x-ms-installer"}, // patches
	// A message of Outlook ([MS-OXMSG], section 2.2).
	{"__properties_version1.0", "", "application/vnd.ms-outlook"},
	{"HwpSummaryInformation", "FileHeader", "application/x-hwp-v5"},
	{"\x05HwpSummaryInformation", "", "application/x-hwp-v5"},
	// StarOffice: Draw and Impress write the same streams, and differ in the class of the root.
	{"StarCalcDocument", "", "application/vnd.stardivision.calc"},
	{"StarWriterDocument", "", "application/vnd.stardivision.writer"},
	// StarOffice 5
	{"StarDrawDocument3", "class 21725c56bc85d11189d0008029e4b0b1", "application/vnd.stardivision.impress"},
	// StarOffice 4
	{"StarDrawDocument", "class c03c2d011642d01189cb008029e4b0b1", "application/vnd.stardivision.impress"},
	{"StarImpressDocument", "", "application/vnd.stardivision.impress"},
	{"StarDrawDocument3", "", "application/vnd.stardivision.draw"},
	{"StarDrawDocument", "", "application/vnd.stardivision.draw"},
	{"StarMathDocument", "", "application/vnd.stardivision.math"},
	{"StarChartDocument", "", "application/vnd.stardivision.chart"},
	// Programs beside Office, before those of Office: they embed its streams.
	{"VisioDocument", "", "application/vnd.visio"},
	{"Quill", "", "application/x-mspublisher"},
	{"MatOST", "", "application/vnd.ms-works"},
	{"WksSSWorkBook", "", "application/vnd.ms-works"},
	{"CONTENTS", "SPELLING", "application/vnd.ms-works"},
	// Office itself; "Book" is the workbook of Excel 5 and 95.
	{"PowerPoint Document", "", "application/vnd.ms-powerpoint"},
	{"WordDocument", "", "application/msword"},
	{"Workbook", "", "application/vnd.ms-excel"},
	{"Book", "", "application/vnd.ms-excel"},
	{"EncryptedPackage", "", "application/x-ooxml-protected"},
	// Corel's programs, then drawings, maps and plans.
	{"NativeContent_MAIN", "", "application/x-quattro-pro"},
	{"SlideShow", "PerfectOffice_MAIN", "application/x-corelpresentations"},
	{"PerfectOffice_MAIN", "", "application/vnd.wordperfect"},
	{"Dgn~H", "", "image/vnd.dgn"},
	{"Layer", "", "application/x-esri-layer"},
	{"SwDocContentMgr", "", "application/sldworks"},
	{"Props9", "", "application/vnd.ms-project"},
	{"Props12", "", "application/vnd.ms-project"},
	{"Props14", "", "application/vnd.ms-project"},
}

// compound is a compound file. Only its directory is read, which costs less than the package of the readers of
// documents, who need whole streams.
type compound struct {
	body   []byte
	sector int // bytes
}

// Files with more sectors than the header's part of the table names (some 7 MB) have a longer list elsewhere, which is
// not read: the directory is followed only as far as its sectors are in the first part.
const (
	compoundHeaderBytes = 512
	directoryEntryBytes = 128
	tableSectors        = 109 // of the allocation table that the header itself lists
)

func newCompound(body []byte) (compound, bool) {
	if len(body) < compoundHeaderBytes {
		return compound{}, false
	}
	// The size of sectors is a power of two: 512 bytes or 4,096 (section 2.2).
	shift := binary.LittleEndian.Uint16(body[30:])
	const small, large = 9, 12
	if shift != small && shift != large {
		return compound{}, false
	}
	return compound{body, 1 << shift}, true
}

// names returns the names of up to limit directory entries. Names come as they are found, whatever storage they lie
// in.
func (c compound) names(limit int) map[string]bool {
	names := map[string]bool{}
	// The first sector of the directory, at 48 of the header.
	id := binary.LittleEndian.Uint32(c.body[48:])
	// Both entries and sectors are counted, so a chain in a circle ends.
	for seen := 0; seen < limit; {
		sector := c.sectorAt(id)
		if sector == nil {
			break
		}
		for i := 0; i+directoryEntryBytes <= len(sector); i += directoryEntryBytes {
			// The class of the root names the program that the file belongs to (section 2.6.1,
			// CLSID).
			if seen == 0 {
				const class, classBytes = 80, 16 // of the first entry, the root
				names["class "+hex.EncodeToString(sector[i+class:i+class+classBytes])] = true
			}
			// Free entries have an empty name, which no rule asks for.
			names[entryName(sector[i:])] = true
			seen++
		}
		seen++ // a chain of cut sectors ends too
		id = c.following(id)
	}
	return names
}

// sectorAt returns a sector, or as much of it as there is; nil if there is nothing. The header takes the place of a
// sector, hence id + 1.
func (c compound) sectorAt(id uint32) []byte {
	start := (int64(id) + 1) * int64(c.sector)
	if start >= int64(len(c.body)) {
		return nil
	}
	return c.body[start:min(int64(len(c.body)), start+int64(c.sector))]
}

// following returns the sector after id in its chain; a number beyond all sectors if it is the last or not known.
func (c compound) following(id uint32) uint32 {
	const none = 0xFFFFFFFE
	perSector := uint32(c.sector / 4)
	// Beyond what the header lists.
	if id/perSector >= tableSectors {
		return none
	}
	table := c.sectorAt(binary.LittleEndian.Uint32(c.body[76+4*(id/perSector):]))
	at := int(id%perSector) * 4
	if at+4 > len(table) {
		return none
	}
	return binary.LittleEndian.Uint32(table[at:])
}

// entryName returns the name of a directory entry. The length at 64 counts bytes, the closing zero among them
// (section 2.6.1).
func entryName(entry []byte) string {
	const longest = 64
	// A hostile length is cut to the field's size.
	n := min(int(binary.LittleEndian.Uint16(entry[64:])), longest)
	var units []uint16
	for i := 0; i+2 < n; i += 2 { // the last is a NUL
		units = append(units, binary.LittleEndian.Uint16(entry[i:]))
	}
	return string(utf16.Decode(units))
}
