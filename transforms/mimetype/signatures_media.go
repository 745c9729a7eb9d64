package mimetype

// mediaSignatures are signatures of pictures, sound, video, models and fonts that the module does not know, or knows
// less exactly. Each is from the format's own description.
var mediaSignatures = []signature{
	// Pictures. BigTIFF has 43 instead of 42, and the size of its offsets.
	begins("II+\x00\x08\x00\x00\x00", typeTIFF), // BigTIFF
	begins("MM\x00+\x00\x08\x00\x00", typeTIFF),
	at(8, "CR\x02\x00", "image/x-canon-cr2"),
	// Raw formats of cameras with a header of their own instead of TIFF's.
	begins("II\x1A\x00\x00\x00HEAPCCDR", "image/x-raw-canon"),
	begins("IIRO", "image/x-raw-olympus"),
	begins("IIRS", "image/x-raw-olympus"),
	begins("MMOR", "image/x-raw-olympus"),
	begins("IIU\x00", "image/x-raw-panasonic"),
	begins("FUJIFILMCCD-RAW", "image/x-raw-fuji"),
	begins("FOVb", "image/x-raw-sigma"),
	begins("\x00MRM", "image/x-raw-minolta"),
	// Pictures of film and of games, and textures.
	begins("v/1\x01", "image/x-exr"),
	begins("DDS ", "image/vnd.ms-dds"),
	begins("qoif", "image/qoi"),
	begins("FLIF", "image/flif"),
	begins("\xABKTX 11\xBB", "image/ktx"),
	begins("\xABKTX 20\xBB", "image/ktx2"),
	begins("\x13\xAB\xA1\x5C", "image/astc"),
	begins("SDPX", "image/x-dpx"),
	begins("XPDS", "image/x-dpx"),
	begins("\x8BJNG", "video/x-jng"),
	begins("\x8AMNG", "video/x-mng"),
	begins("\xB1\x68\xDE\x3A", "image/vnd.zbrush.dcx"),
	begins("EP*\x00", "image/vnd.ms-modi"),
	begins("\x97JB2\r\n\x1A\n", "image/x-jbig2"),
	begins("\xFF\x4F\xFF\x51", "image/x-jp2-codestream"),
	begins("NITF0", "image/nitf"),
	begins("NSIF01", "image/nitf"),
	begins("AGD1", "image/x-freehand"),
	begins("AGD2", "image/x-freehand"),
	begins("AGD3", "image/x-freehand"),
	begins("AGD4", "image/x-freehand"),
	begins("IIN1", "image/x-niff"),
	// Pictures of workstations.
	begins("\x59\xA6\x6A\x95", "image/x-sun-raster"),
	begins("\x01\xDA\x00\x01\x00", "image/x-rgb"), // SGI's, uncompressed and compressed, with 1 or 2 bytes for a channel
	begins("\x01\xDA\x00\x02\x00", "image/x-rgb"),
	begins("\x01\xDA\x01\x01\x00", "image/x-rgb"),
	begins("\x01\xDA\x01\x02\x00", "image/x-rgb"),
	// Windows metafiles: with the header for placeable ones, and without.
	begins("\xD7\xCD\xC6\x9A", "image/wmf"),
	begins("\x01\x00\x09\x00\x00\x03", "image/wmf"),
	at(40, " EMF", "image/emf"),
	// QuickDraw, version 2 or 1, after 512 bytes for programs and ten of size and frame.
	at(522, "\x00\x11\x02\xFF\x0C\x00", "image/x-pict"),
	at(522, "\x11\x01\x01\x00", "image/x-pict"),

	// Sound.
	begins("#!AMR-WB\n", "audio/amr-wb"),
	begins("wvpk", "audio/x-wavpack"),
	begins("TTA1", "audio/x-tta"),
	begins("DSD \x1C", "audio/x-dsf"),
	begins("FRM8", "audio/x-dff"),
	begins("caff\x00\x01", "audio/x-caf"),
	begins("MThd", "audio/midi"),
	begins("ADIF", "audio/aac"),
	// Sun's format in the byte order of DEC.
	begins("dns.", "audio/x-dec-basic"),
	begins("\x00ds.", "audio/x-dec-basic"),
	begins("\x7F\xFE\x80\x01", "audio/vnd.dts"),
	begins("DTSHDHDR", "audio/vnd.dts.hd"),
	begins(".ra\xFD", "audio/x-pn-realaudio"),
	begins(".RMF\x00", "application/vnd.rn-realmedia"),
	begins("PSID\x00", "audio/prs.sid"),
	begins("RSID\x00", "audio/prs.sid"),
	begins("SAP\r\n", "audio/x-sap"),
	begins("MMMD", "application/vnd.smaf"),
	begins("\x0FSIBELIUS", "application/x-sibelius"),
	at(1, "FICHIER GUITAR", "application/x-guitar-pro"),
	// Tracker modules: 1,080 is after the title (20 bytes), 31 samples (30 each) and the order of patterns (130).
	begins("Extended Module:", "audio/x-mod"), // tracker modules
	begins("IMPM", "audio/x-mod"),
	begins("MMD0", "audio/x-mod"),
	begins("MMD1", "audio/x-mod"),
	begins("MTM\x10", "audio/x-mod"),
	at(21, "BMOD2STM", "audio/x-mod"),
	at(44, "SCRM", "audio/x-mod"),
	at(1080, "M.K.", "audio/x-mod"),
	at(1080, "M!K!", "audio/x-mod"),
	at(1080, "FLT4", "audio/x-mod"),
	at(1080, "FLT8", "audio/x-mod"),
	at(1080, "4CHN", "audio/x-mod"),
	at(1080, "6CHN", "audio/x-mod"),
	at(1080, "8CHN", "audio/x-mod"),
	at(1080, "CD81", "audio/x-mod"),
	at(1080, "OKTA", "audio/x-mod"),
	at(1080, "16CN", "audio/x-mod"),
	at(1080, "32CN", "audio/x-mod"),

	// Video.
	begins("MOVI\x00", "video/x-sgi-movie"),
	begins("\x06\x0E\x2B\x34\x02\x05\x01\x01\x0D\x01\x02\x01\x01", "application/mxf"),
	begins("DVDVIDEO-V", "application/x-dvd-ifo"),
	begins("BIKi", "video/vnd.radgamettools.bink"),
	begins("SMK2", "video/vnd.radgamettools.smacker"),
	begins("SMK4", "video/vnd.radgamettools.smacker"),

	// Models and drawings.
	begins("ASTM-E57", "model/e57"),
	begins("(DWF V", "model/vnd.dwf"),
	begins("AutoCAD Binary DXF\r\n\x1A\x00", "image/vnd.dxf"),
	begins("AutoCAD DXB 1.0\r\n\x1A\x00", "image/vnd.dxb"),
	// Versions of AutoCAD before 1988, whose numbers the module does not know.
	begins("AC1.2\x00", "image/vnd.dwg"),
	begins("AC1.40", "image/vnd.dwg"),
	begins("AC1.50", "image/vnd.dwg"),
	begins("AC2.10", "image/vnd.dwg"),
	begins("AC2.2", "image/vnd.dwg"),
	begins("MC0.0", "image/vnd.dwg"),
	begins("\x08\x09\xFE\x02", "image/vnd.dgn"), // two dimensions and three
	begins("\xC8\x09\xFE\x02", "image/vnd.dgn"),
	at(8, "0M3C", "application/x-prt"),
	begins("VjCD0100", "chemical/x-cdx"),

	// Fonts, and typeset documents.
	begins("true\x00", "font/ttf"), // of the Macintosh
	begins("%!PS-AdobeFont", "application/x-font-type1"),
	begins("%!FontType1", "application/x-font-type1"),
	begins("StartFontMetrics", "application/x-font-adobe-metric"),
	begins("STARTFONT ", "application/x-font-bdf"),
	begins("\x01fcp", "application/x-font-pcf"),
	begins("\x72\xB5\x4A\x86", "application/x-font-linux-psf"),
	begins("\xF7\x02\x01\x83\x92\xC0\x1C\x3B", "application/x-dvi"),
}

// pairedSignatures need two marks, and come first, since some others are parts of them. The first mark is a container
// (RIFF, IFF, SQLite), the second its content.
var pairedSignatures = []signature{
	// RIFF: the form's name is after the length.
	both("RIFF", 8, "ACON", "application/x-navi-animation"),
	both("RIFF", 8, "CDR", "application/coreldraw"),
	both("RIFF", 8, "cdr", "application/coreldraw"),
	both("RIFF", 8, "RMID", "audio/midi"),
	both("RF64", 8, "WAVE", "audio/vnd.wave"),
	// Macromedia Director, in either byte order.
	both("RIFX", 8, "MV93", "application/x-director"),
	both("XFIR", 8, "39VM", "application/x-director"),
	// IFF of the Amiga.
	both("FORM", 8, "ILBM", "image/x-ilbm"),
	both("FORM", 8, "8SVX", "audio/x-aiff"),
	both("MM", 6, "\x02\x00\x0A\x00\x00\x00", "image/x-3ds"),
	both("\x80\x01", 6, "%!", "application/x-font-type1"),
	both("\x00\x01", 6, "Copyr", "application/x-font-printer-metric"),
	both("SIT!", 10, "rLau", "application/x-stuffit"),
	both("\xCB\x0A\x01", 5, "\xCB", "application/vnd.wordperfect"),
	// Packets of OpenPGP: a tag with the type of length, and the version after the length.
	both("\x84", 2, "\x03", "application/pgp-encrypted"), // RFC 9580: a session key, of version 3, in a packet with a
	both("\x85", 3, "\x03", "application/pgp-encrypted"), // length of one or two bytes, or for a passphrase
	both("\x8C\x0D\x04", 4, "\x03", "application/pgp-encrypted"),
	both("\x95", 3, "\x04", "application/pgp-keys"), // a secret key of version 4, and a public one
	both("\x99", 3, "\x04", "application/pgp-keys"),
	// SQLite stores an application's own number at 68 ("application id").
	both("SQLite format 3\x00", 68, "GPKG", "application/geopackage+sqlite3"),
	both("SQLite format 3\x00", 68, "GP1", "application/geopackage+sqlite3"),
	both("SQLite format 3\x00", 68, "MPBX", "application/x-mbtiles"),
	both("SQLite format 3\x00", 68, "\x0F\x05\x51\x11", "application/x-fossil-repository"),
	both("SQLite format 3\x00", 68, "\x0F\x05\x51\x12", "application/x-fossil-checkout"),
	both("SQLite format 3\x00", 68, "\x0F\x05\x51\x13", "application/x-fossil-global-conf"),
	both("\x00\x01\x00\x00", 4, "MSISAM Database", "application/x-msmoney"),
	both("\xF7\xCA", 11, "\xF3\x00", "application/x-tex-virtual-font"),
}
