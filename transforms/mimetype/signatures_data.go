package mimetype

// dataSignatures are signatures of archives, documents, programs and data that the module does not know, or knows less
// exactly. Each is from the format's own description.
var dataSignatures = []signature{
	// Web archives. An ARC file begins with its version block, whose URL has that scheme.
	begins("filedesc://", "application/x-internet-archive"), // ARC
	begins("ZIM\x04", "application/x-zim"),

	// Archives and compression.
	begins("PK\x03\x04", typeZip), // its content shows more
	// Unix compress, with LZW and with LZH as in SCO; then pack.
	begins("\x1F\x9D", "application/x-compress"),
	begins("\x1F\xA0", "application/x-compress"),
	begins("\x1F\x1E", "application/x-pack"),
	begins("Rar!\x1A\x07", "application/vnd.rar"),
	begins("BZ0", "application/x-bzip"),
	begins("\x60\xEA", "application/x-arj"),
	begins("StuffIt (c)", "application/x-stuffit"),
	begins("=<ar>", "application/x-archive"),
	begins("\xC7\x71\x00\x00", "application/x-cpio"), // binary cpio, in either byte order
	begins("\x71\xC7\x00\x00", "application/x-cpio"),
	begins("SZDD\x88\xF0\x27\x33", "application/x-ms-compress-szdd"),
	begins("\x89LZO\x00\r\n\x1A\n", "application/x-lzop"),
	begins("LRZI", "application/x-lrzip"),
	// Frames of LZ4, and the form before frames.
	begins("\x04\x22\x4D\x18", "application/x-lz4"),
	begins("\x02\x21\x4C\x18", "application/x-lz4"),
	begins("\xFF\x06\x00\x00sNaPpY", "application/x-snappy-framed"),
	begins("\x5D\x2A\x4D\x18", "application/zstd"), // a dictionary comes first, as in archives of WARC records
	begins("UC2\x1A", "application/x-uc2-compressed"),
	begins("ALZ\x01", "application/x-alz"),
	begins("qpress10", "application/x-qpress"),
	begins("MSWIM", "application/x-ms-wim"),
	// "-lh5-" and the like come after the header's length and checksum.
	{mark{2, "-lh"}, "application/x-lha", mark{6, "-"}},
	{mark{2, "-lz"}, "application/x-lha", mark{6, "-"}},
	// These marks come after checksums and lengths.
	at(7, "**ACE**", "application/x-ace-compressed"),
	at(20, "\xDC\xA7\xC4\xFD", "application/x-zoo"),
	// File systems, disks and cartridges.
	begins("hsqs", "application/vnd.squashfs"),
	begins("conectix", "application/x-vhd"), // images of disks
	begins("KDMV", "application/x-vmdk"),
	begins("COWD", "application/x-vmdk"),
	begins("QFI\xFB", "application/x-qemu-disk"),
	begins("JigsawDownload template", "application/x-jigdo"),
	begins("ZXTape!\x1A", "application/x-spectrum-tzx"),
	begins("NES\x1A", "application/x-nesrom"),
	begins("IWAD", "application/x-doom"),
	begins("PWAD", "application/x-doom"),
	at(64, "\x7F\x10\xDA\xBE", "application/x-virtualbox-vdi"),
	// Volume descriptors begin at sector 16 of 2,048 bytes each, with their type in front. The first three are
	// checked.
	at(32769, "CD001", "application/x-iso9660-image"),
	at(34817, "CD001", "application/x-iso9660-image"),
	at(36865, "CD001", "application/x-iso9660-image"),

	// Documents.
	begins("<MakerFile", "application/vnd.framemaker"),
	begins("<MIFFile", "application/vnd.mif"),
	begins("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", typeOLE), // its content shows more
	begins("WordPro\x00", "application/vnd.lotus-wordpro"),
	begins("WordPro\r\xFB", "application/vnd.lotus-wordpro"),
	begins("\x00\x00\x02\x00\x01\x10", "application/x-quattro-pro"),
	begins("\x00\x00\x02\x00\x02\x10", "application/x-quattro-pro"),
	begins("\x00\x00\x02\x00\x20\x51", "application/x-quattro-pro"),
	begins("\x00\x00\x02\x00\x21\x51", "application/x-quattro-pro"),
	begins("\x31\xBE\x00\x00", "application/x-mswrite"),
	begins("\x32\xBE\x00\x00", "application/x-mswrite"),
	begins("PO^Q`", "application/msword"), // Word before compound files
	begins("\xFE\x37\x00\x23", "application/msword"),
	begins("\xDB\xA5\x2D\x00", "application/msword"),
	// BOF records: the type and the length of the record, which differ between versions.
	begins("\x09\x00\x04\x00", "application/vnd.ms-excel"), // Excel 2 to 4
	begins("\x09\x02\x06\x00", "application/vnd.ms-excel"),
	begins("\x09\x04\x06\x00", "application/vnd.ms-excel"),
	begins("HWP Document File", "application/x-hwp"),
	begins("\x06\x06\xED\xF5\xD8\x1D\x46\xE5", "application/x-adobe-indesign"),
	// EPS with a screen preview in front, and PostScript after a printer's control code.
	begins("\xC5\xD0\xD3\xC6", "application/postscript"), // with a preview
	begins("\x04%!", "application/postscript"),
	begins("ITSF\x03", "application/vnd.ms-htmlhelp"),
	begins("\x3F\x5F\x03\x00", "application/winhlp"),
	begins("\xA1\x2F\xFF\x43\xD9\xEF\x76\x4C", "application/onenote"),
	begins("\x78\x9F\x3E\x22", "application/vnd.ms-tnef"),
	begins("!BDN", "application/vnd.ms-outlook-pst"),
	begins("\x10\x10\x10\x10\x10\x10\x10\x11\x11\x11\x11\x11\x11\x53", "application/x-foxmail"),
	// Type and creator of a Palm database.
	at(60, "TEXtREAd", "application/x-aportisdoc"),
	begins("ActiveMime\x00", "application/x-activemime"),
	// AppleSingle and AppleDouble (RFC 1740), which differ in the last byte.
	begins("\x00\x05\x16\x00", "application/applefile"),
	begins("\x00\x05\x16\x07", "multipart/appledouble"),
	begins("\x16\x16\x01", "text/vnd.iptc.anpa"),
	// The signature of an ICC profile is after its sizes and versions.
	at(36, "acsp", "application/vnd.iccprofile"),
	begins("\x7F\x0C\x44\x2B", "application/vnd.digilite.prolights"),

	// Programs and their data.
	begins("JAVA PROFILE 1.0.2\x00", "application/vnd.java.hprof"),
	begins("\xCA\xFE\xD0\x0D", "application/x-java-pack200"),
	begins("\xFE\xED\xFE\xED", "application/x-java-keystore"),
	begins("\xCE\xCE\xCE\xCE", "application/x-java-jce-keystore"),
	begins("\xAC\xED\x00\x05", "application/java-serialized-object"),
	begins("dex\n03", "application/x-dex"),
	begins(";ELC", "application/x-elc"),
	// Catalogues of messages, in either byte order.
	begins("\xDE\x12\x04\x95", "application/x-gettext-translation"),
	begins("\x95\x04\x12\xDE", "application/x-gettext-translation"),
	at(8, "\x19\x04\x00\x10", "application/vnd.symbian.install"),
	begins("\xC0\xB9\x07\x2E\x4F\x93\xF1\x46", "application/x-axcrypt"),
	// This is the type of the block at the beginning of each file. It is a palindrome, since the byte order comes
	// later in the block.
	begins("\x0A\x0D\x0D\x0A", "application/vnd.tcpdump.pcapng"),
	begins("\xD4\xC3\xB2\xA1", "application/vnd.tcpdump.pcap"),

	// Scientific data.
	begins("SIMPLE  =  ", "application/fits"),
	begins("PDS_VERSION_ID", "application/x-pds"),
	begins("EHFA_HEADER_TAG", "application/x-erdas-hfa"),
	begins("BLENDER", "application/x-blender"),
	begins("LASF", "application/x-asprs"),
	begins("JEOL.NMR", "application/x-jeol-jdf"),
	begins("RMN.LOEJ", "application/x-jeol-jdf"),
	begins("SR\x00\x04\x00\x00\x00\x0A\x00\x00\x04", "application/x-idl-save-file"),
	begins("FCS2.", "application/vnd.isac.fcs"),
	begins("FCS3.", "application/vnd.isac.fcs"),
	// Version 5 and version 4.
	begins("\x89HDF\r\n\x1A\n", "application/x-hdf"),
	begins("\x0E\x03\x13\x01", "application/x-hdf"),
	// The classic form, and the two with 64 bits.
	begins("CDF\x01", "application/x-netcdf"),
	begins("CDF\x02", "application/x-netcdf"),
	begins("CDF\x05", "application/x-netcdf"),
	begins("MATLAB 5.0 MAT-file", "application/x-matlab-data"),
	begins("$FL2@(#)", "application/x-spss-sav"),
	begins("$FL3@(#)", "application/x-spss-sav"),
	begins("HEADER RECORD*******LIB", "application/x-sas-xport"),
	begins("SAS     6.", "application/x-sas-data-v6"),
	at(84, "SAS FILE", "application/x-sas-data"),
	begins("<stata_dta>", "application/x-stata-dta"),
	// Tables and records of the Apache projects.
	begins("ARROW1\x00\x00", "application/vnd.apache.arrow.file"),
	begins("Obj\x01", "application/vnd.apache.avro+binary"),
	begins("=srl", "application/sereal"),
	begins("=\xF3rl", "application/sereal"),
	begins("** This file contains an SQLite 2", "application/x-sqlite2"),
	begins("\x61\x15\x06\x00", "application/x-berkeley-db"), // 1.85, then hashes, trees, queues and logs of later versions
	begins("\x00\x06\x15\x61", "application/x-berkeley-db"),
	begins("\x62\x31\x05\x00", "application/x-berkeley-db"),
	begins("\x00\x05\x31\x62", "application/x-berkeley-db"),
	at(12, "\x61\x15\x06\x00", "application/x-berkeley-db"),
	at(12, "\x00\x06\x15\x61", "application/x-berkeley-db"),
	at(12, "\x62\x31\x05\x00", "application/x-berkeley-db"),
	at(12, "\x00\x05\x31\x62", "application/x-berkeley-db"),
	at(12, "\x53\x22\x04\x00", "application/x-berkeley-db"),
	at(12, "\x00\x04\x22\x53", "application/x-berkeley-db"),
	at(12, "\x88\x09\x04\x00", "application/x-berkeley-db"),
	at(12, "\x00\x04\x09\x88", "application/x-berkeley-db"),
	at(14, "\xC0HBAM7", "application/x-filemaker"),
	// The third byte is the version of the format.
	begins("\xFE\x01\x07", "application/x-mysql-table-definition"),
	begins("\xFE\x01\x08", "application/x-mysql-table-definition"),
	begins("\xFE\x01\x09", "application/x-mysql-table-definition"),
	begins("\xFE\x01\x0A", "application/x-mysql-table-definition"),
	begins("\xFE\x01\x0B", "application/x-mysql-table-definition"),
	begins("\xFE\x01\x0C", "application/x-mysql-table-definition"),
	begins("\xFE\xFE\x03", "application/x-mysql-misam-index"),
	begins("\xFE\xFE\x05", "application/x-mysql-misam-index"),
	begins("\xFE\xFE\x06", "application/x-mysql-misam-compressed-index"),
	begins("\xFE\xFE\x07", "application/x-mysql-misam-compressed-index"),
}
