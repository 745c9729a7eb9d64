package mimetype

import "bytes"

// signatures are beginnings of bodies that the module does not know, or knows less exactly. Each is from the format's
// own description.
var signatures = []struct {
	offset    int
	bytes     string
	mediaType string
}{
	{0, "\x1F\x9D", "application/x-compress"},
	{0, "\x1F\xA0", "application/x-compress"},
	{0, "\x0B\x77", "audio/ac3"},
	{0, "JAVA PROFILE 1.0.2\x00", "application/vnd.java.hprof"},
	{0, "<MIFFile", "application/vnd.mif"},
	{0, "II+\x00\x08\x00\x00\x00", typeTIFF},
	{0, "MM\x00+\x00\x08\x00\x00", typeTIFF},
	{0, "SIMPLE  =  ", "application/fits"},
	{0, "bplist0", "application/x-bplist"},
	{0, "ASTM-E57", "model/e57"},
	{0, "\xD7\xCD\xC6\x9A", "image/wmf"},
	{0, "\x01\x00\x09\x00\x00\x03", "image/wmf"},
	{40, " EMF", "image/emf"},
	{522, "\x00\x11\x02\xFF\x0C\x00", "image/x-pict"},
	{8, "CR\x02\x00", "image/x-canon-cr2"},
	{0, "IIRO", "image/x-raw-olympus"},
	{0, "IIU\x00", "image/x-raw-panasonic"},
	{0, "FUJIFILMCCD-RAW", "image/x-raw-fuji"},
	{0, "FOVb", "image/x-raw-sigma"},
	{0, "\x00MRM", "image/x-minolta-mrw"},
	{0, "v/1\x01", "image/x-exr"},
	{0, "DDS ", "image/vnd.ms-dds"},
	{0, "qoif", "image/qoi"},
	{0, "\xABKTX 20\xBB", "image/ktx2"},
	{0, "wvpk", "audio/x-wavpack"},
	{0, "MThd", "audio/midi"},
	{0, "Extended Module:", "audio/xm"},
	{0, "caff\x00\x01", "audio/x-caf"},
	{0, "\x30\x37\x30\x37\x30\x37", "application/x-cpio"},
	{0, "LRZI", "application/x-lrzip"},
	{0, "\x04\x22\x4D\x18", "application/x-lz4"},
	{0, "\xFF\x06\x00\x00sNaPpY", "application/x-snappy-framed"},
	{0, "\x89HDF\r\n\x1A\n", "application/x-hdf"},
	{0, "CDF\x01", "application/x-netcdf"},
	{0, "CDF\x02", "application/x-netcdf"},
	{0, "ARROW1\x00\x00", "application/vnd.apache.arrow.file"},
	{0, "Obj\x01", "application/vnd.apache.avro+binary"},
	{0, "MATLAB 5.0 MAT-file", "application/matlab-mat"},
	{0, "PSF\x00\x00", "application/x-font-psf"},
	{0, "%!PS-AdobeFont", "application/x-font-type1"},
	{0, "\xD4\xC3\xB2\xA1", "application/vnd.tcpdump.pcap"},
	{0, "\x0A\x0D\x0D\x0A", "application/vnd.tcpdump.pcapng"},
	{0, "MSWIM", "application/x-ms-wim"},
	{0, "ITSF\x03", "application/vnd.ms-htmlhelp"},
	{0, "\x78\x9F\x3E\x22", "application/vnd.ms-tnef"},
	{0, "!BDN", "application/vnd.ms-outlook-pst"},
	{0, "KDMV", "application/x-vmdk"},
	{32769, "CD001", "application/x-iso9660-image"},
	{0, "dex\n03", "application/x-dex"},
	{0, "#!AMR-WB\n", "audio/amr-wb"},
}

// extraSignature returns the type of a body whose bytes the table or one of the rules below knows, or "".
func extraSignature(body []byte) string {
	for _, s := range signatures {
		if s.offset < len(body) && bytes.HasPrefix(body[s.offset:], []byte(s.bytes)) {
			return s.mediaType
		}
	}
	switch {
	case isPDF(body):
		return typePDF
	case isMachO(body):
		return machOType(body)
	case bytes.HasPrefix(body, []byte("\x30\x26\xB2\x75\x8E\x66\xCF\x11")):
		return asfType(body)
	}
	return ""
}

// isPDF says whether body is a PDF, whose header may stand within the first 1,024 bytes (implementation note 13 in
// appendix H of the PDF Reference, version 1.7). What stands before it there must not be markup.
func isPDF(body []byte) bool {
	const within = 1024
	at := bytes.Index(body[:min(len(body), within)], []byte("%PDF-"))
	return at == 0 || at > 0 && bytes.IndexByte(body[:at], '<') < 0 && !mentionsPDF(body[:at])
}

// mentionsPDF says whether the bytes before a PDF header are a sentence: a header begins a line, or follows other bytes
// than text.
func mentionsPDF(before []byte) bool {
	last := before[len(before)-1]
	return last >= ' ' && last < 0x7F
}

// isMachO says whether body is an executable of macOS. The number of a universal one is that of Java classes too,
// whose version follows where the number of architectures stands; versions begin at 45.
func isMachO(body []byte) bool {
	if len(body) < 8 {
		return false
	}
	switch string(body[:4]) {
	case "\xFE\xED\xFA\xCE", "\xFE\xED\xFA\xCF", "\xCE\xFA\xED\xFE", "\xCF\xFA\xED\xFE":
		return true
	case "\xCA\xFE\xBA\xBE":
		const firstJavaVersion = 45
		return body[4] == 0 && body[5] == 0 && body[6] == 0 && body[7] > 0 && body[7] < firstJavaVersion-1
	}
	return false
}

// machOType names what Tika names, for no registered names exist. The kind of file is a number behind that of the
// processor, of which only executables are told apart.
func machOType(body []byte) string {
	if body[0] == 0xCA {
		return "application/x-mach-o-universal"
	}
	const executable = 2
	if len(body) > 15 && (body[0] >= 0xFE && body[15] == executable || body[0] < 0xFE && body[12] == executable) {
		return "application/x-mach-o-executable"
	}
	return "application/x-mach-o"
}

// asfType tells video from sound in Microsoft's container by the types of its streams, which stand in its first object
// (section 10.4 of the Advanced Systems Format Specification, revision 01.20.06).
func asfType(body []byte) string {
	const within = 64 << 10
	head := body[:min(len(body), within)]
	switch {
	case bytes.Contains(head, []byte("\xC0\xEF\x19\xBC\x4D\x5B\xCF\x11\xA8\xFD\x00\x80\x5F\x5C\x44\x2B")):
		return "video/x-ms-wmv"
	case bytes.Contains(head, []byte("\x40\x9E\x69\xF8\x4D\x5B\xCF\x11\xA8\xFD\x00\x80\x5F\x5C\x44\x2B")):
		return "audio/x-ms-wma"
	}
	return "video/x-ms-asf"
}
