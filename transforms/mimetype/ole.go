package mimetype

import "github.com/gleaner-web/gleaner/transforms/cfb"

// oleType returns the type of a compound file by the names of its streams, at most limit of them. Parameter known is
// the type by its signature. All compound files share the signature of the container, and only the streams show the
// kind.
func oleType(body []byte, known string, limit int) string {
	names, class := cfb.List(body, limit)
	// It is not a compound file, or its sectors have unknown sizes.
	if names == nil {
		return known
	}
	names["class "+class] = true
	// The table's order decides if several match, so the loop is over the table.
	for _, s := range oleStreams {
		if names[s.name] && (s.beside == "" || names[s.beside]) {
			return s.mediaType
		}
	}
	return known
}

// oleStreams are the streams that only one program writes, more specific ones first. "class" and its identifier mean
// the program that the file itself names. Field beside is a stream that must also exist, or "".
var oleStreams = []struct{ name, beside, mediaType string }{
	{"class 84100c0000000000c000000000000046", "", "application/x-ms-installer"},
	{"class 82100c0000000000c000000000000046", "", "application/x-ms-installer"}, // transforms
	{"class 86100c0000000000c000000000000046", "", "application/x-ms-installer"}, // patches
	// This is a message of Outlook ([MS-OXMSG], section 2.2).
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
	// Programs besides Office come before those of Office, since they embed its streams.
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
