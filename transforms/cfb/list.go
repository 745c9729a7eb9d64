package cfb

import "encoding/hex"

// inHeader is the number of FAT sectors that the header itself lists: enough for the first 7 MB. Larger files have a
// longer list elsewhere, which List does not read.
const inHeader = 109

// List returns the names of up to limit entries of the directory of src, in any storage. It also returns the class of
// the root storage in hexadecimal, which names the program that wrote the file. Parameter src may be the beginning of
// a file; missing parts are not listed. For other files nothing is returned.
//
// It reads only the directory and builds no table, since it is called for every file. It follows the chain through the
// FAT sectors that the header lists.
func List(src []byte, limit int) (names map[string]bool, class string) {
	if len(src) < headerSize || !Is(src) {
		return nil, ""
	}
	const small, large = 9, 12 // powers of two, the only ones in section 2.2
	shift := u16(src, 30)
	if shift != small && shift != large {
		return nil, ""
	}
	names = map[string]bool{}
	size := 1 << shift
	// Each sector counts as one entry more than it has, so that a circle of empty or incomplete sectors ends too.
	for n, seen := u32(src, 48), 0; seen < limit; seen++ {
		sector := part(src, size, size, n)
		if sector == nil {
			break
		}
		for ; len(sector) >= entrySize; sector = sector[entrySize:] {
			if seen == 0 {
				class = hex.EncodeToString(sector[80:96]) // the root's CLSID (section 2.6.1)
			}
			names[entryName(sector)] = true
			seen++
		}
		n = after(src, size, n)
	}
	return names, class
}

// after returns the number of the sector after sector n in its chain, by the FAT sectors that the header lists. If
// that is not known, the result is above all sectors.
func after(src []byte, size int, n uint32) uint32 {
	perSector := uint32(size / 4)
	if n/perSector >= inHeader {
		return noEntry
	}
	table := part(src, size, size, u32(src, 76+4*int(n/perSector)))
	at := int(n%perSector) * 4
	if at+4 > len(table) {
		return noEntry
	}
	return u32(table, at)
}
