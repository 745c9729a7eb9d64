package mimetype

// vocabularies are the kinds of XML recognised by their first element or its namespace. Namespaces are in lower case
// and may be a part of one. Field alone means that the element is enough if there is no namespace. The first matching
// line counts.
var vocabularies = []struct {
	element, namespace, mediaType string
	alone                         bool
}{
	// Drawings and formulas.
	{"svg", "www.w3.org/2000/svg", "image/svg+xml", true},
	{"math", "www.w3.org/1998/math/mathml", "application/mathml+xml", true},
	// Atom: single entries and the documents of its publishing protocol (RFC 5023).
	{"entry", "www.w3.org/2005/atom", "application/atom+xml", false},
	{"service", "www.w3.org/2007/app", "application/atomsvc+xml", false},
	{"categories", "www.w3.org/2007/app", "application/atomcat+xml", false},
	{"opensearchdescription", "opensearch", "application/opensearchdescription+xml", true},
	// Style sheets, services and messages of the web.
	{"stylesheet", "www.w3.org/1999/xsl/transform", "application/xslt+xml", false},
	{"transform", "www.w3.org/1999/xsl/transform", "application/xslt+xml", false},
	{"definitions", "schemas.xmlsoap.org/wsdl", "application/wsdl+xml", false},
	{"envelope", "www.w3.org/2003/05/soap-envelope", "application/soap+xml", false},
	// Maps, tracks and geography.
	{"kml", "/kml/", "application/vnd.google-earth.kml+xml", true},
	{"gpx", "topografix.com/gpx", "application/gpx+xml", true},
	{"trainingcenterdatabase", "garmin.com", "application/vnd.garmin.tcx+xml", true},
	{"", "www.opengis.net/gml", "application/gml+xml", false},
	// Models in three dimensions.
	{"collada", "collada.org", "model/vnd.collada+xml", true},
	{"x3d", "", "model/x3d+xml", true},
	{"amf", "", "application/x-amf", true},
	// Subtitles and talking books; "tt" has had several namespaces since 2006.
	{"tt", "www.w3.org/ns/ttml", "application/ttml+xml", true},
	{"tt", "www.w3.org/2006/", "application/ttml+xml", false},
	{"ncx", "daisy.org", "application/x-dtbncx+xml", true},
	{"dtbook", "daisy.org", "application/x-dtbook+xml", true},
	{"package", "www.idpf.org/2007/opf", "application/oebps-package+xml", false},
	// Playlists.
	{"playlist", "xspf.org", "application/xspf+xml", false},
	{"smil", "", "application/smil+xml", true},
	{"mpd", "urn:mpeg:dash", "application/dash+xml", false},
	// Documentation and translation; an empty element matches any first element of that namespace.
	{"", "docs.oasis-open.org/namespace", "application/dita+xml", false},
	{"xliff", "", "application/x-xliff+xml", true},
	{"tmx", "", "application/x-tmx+xml", true},
	// Libraries and publishers.
	{"mets", "www.loc.gov/mets", "application/mets+xml", true},
	{"mods", "www.loc.gov/mods", "application/mods+xml", true},
	{"modscollection", "www.loc.gov/mods", "application/mods+xml", true},
	{"", "www.loc.gov/marc21/slim", "application/marcxml+xml", false},
	{"onixmessage", "", "application/onix-message+xml", true},
	// Forms and metadata of Adobe.
	{"xfdf", "ns.adobe.com/xfdf", "application/vnd.adobe.xfdf", true},
	{"xdp", "ns.adobe.com/xdp", "application/vnd.adobe.xdp+xml", false},
	{"xmpmeta", "adobe:ns:meta", "application/rdf+xml", false},
	{"fictionbook", "", "application/x-fictionbook+xml", true},
	// Music, and dialogues by voice.
	{"score-partwise", "", "application/vnd.recordare.musicxml+xml", true},
	{"score-timewise", "", "application/vnd.recordare.musicxml+xml", true},
	{"vxml", "", "application/voicexml+xml", true},
	{"grammar", "www.w3.org/2001/06/grammar", "application/srgs+xml", false},
	{"speak", "www.w3.org/2001/10/synthesis", "application/ssml+xml", true},
	// Mobile pages and descriptions of programs.
	{"wml", "", "text/vnd.wap.wml", true},
	{"jnlp", "", "application/x-java-jnlp-file", true},
	{"plist", "", "application/x-plist", true},
	// Office documents in one XML file, from before Office Open XML and later.
	{"worddocument", "schemas.microsoft.com/office/word/2003", "application/vnd.ms-wordml", false},
	{"package", "schemas.microsoft.com/office/2006/xmlpackage", "application/vnd.ms-wordml", false}, // of Word 2007
	{"workbook", "schemas-microsoft-com:office:spreadsheet", "application/vnd.ms-spreadsheetml", false},
	{"document", "urn:oasis:names:tc:opendocument", flatText, false},
	// Parts lists, downloads, identities and health records.
	{"bom", "cyclonedx.org/schema", "application/vnd.cyclonedx+xml", false},
	{"metalink", "www.metalinker.org", "application/metalink+xml", false},
	{"sami", "", "application/x-sami", true},
	{"metalink", "", "application/metalink4+xml", true},
	{"entitydescriptor", "saml:2.0:metadata", "application/samlmetadata+xml", false},
	{"xrd", "docs.oasis-open.org/ns/xri/xrd", "application/xrd+xml", false},
	{"clinicaldocument", "urn:hl7-org:v3", "application/hl7cda+xml", false},
	{"tei", "www.tei-c.org/ns", "application/tei+xml", true},
	{"tei.2", "", "application/tei+xml", true},
	{"mxfile", "", "application/vnd.jgraph.mxfile", true},
	{"package", "schemas.microsoft.com/office/2006/xmlpackage", "application/vnd.ms-word2006ml", false},
	{"newsmessage", "iptc.org/std/nar", "application/vnd.iptc.g2.newsmessage+xml", true},
	{"presentation", "developer.apple.com/namespaces/keynote", "application/vnd.apple.keynote", false},
	{"document", "developer.apple.com/namespaces/sl", "application/vnd.apple.pages", false},
	{"document", "developer.apple.com/namespaces/ls", "application/vnd.apple.numbers", false},
	{"root", "www.w3.org/1999/xsl/format", "application/xslfo+xml", false},
	{"premieredata", "", "image/vnd.adobe.premiere", true},
	{"dif", "gcmd.gsfc.nasa.gov", "application/dif+xml", true},
	{"md_metadata", "www.isotc211.org", "text/iso19139+xml", true},
	{"asx", "", "application/x-ms-asx", true},
	{"stata_dta", "", "application/x-stata-dta", true},
	{"workbook", "www.gnumeric.org", "application/x-gnumeric", false},
	{"abiword", "", "application/x-abiword", true},
	{"sbml", "www.sbml.org", "application/sbml+xml", true},
	{"rsd", "", "application/rsd+xml", true},
	{"sparql", "www.w3.org/2005/sparql-results", "application/sparql-results+xml", false},
	{"ontology", "www.w3.org/2002/07/owl", "application/owl+xml", false},
	{"osm", "", "application/vnd.openstreetmap.data+xml", true},
	{"graphml", "graphml.graphdrawing.org", "application/graphml+xml", false},
	{"xbrl", "www.xbrl.org/2003/instance", "application/xbrl-instance+xml", false},
	{"window", "www.mozilla.org/keymaster", "application/vnd.mozilla.xul+xml", false},
	{"nzb", "newzbin.com", "application/x-nzb", true},
}

// documentTypes are parts of public names in document types, in lower case, for documents with many possible first
// elements. Public names differ between versions only in the number at their end.
var documentTypes = []struct{ part, mediaType string }{
	{"//dtd dita ", "application/dita+xml"},
	{"//dtd docbook ", "application/docbook+xml"},
	{"//dtd jats ", "application/jats+xml"},
	{"//dtd wml ", "text/vnd.wap.wml"},
}

// htmlElements are elements at the beginning of fragments and careless pages of HTML. They include "table" or "link",
// which other vocabularies may have too: without namespace and XML declaration HTML is far more likely.
var htmlElements = map[string]bool{
	"head": true, "body": true, "title": true, "meta": true, "link": true, "script": true, "style": true, "base": true,
	"div": true, "p": true, "span": true, "a": true, "img": true, "table": true, "tr": true, "td": true, "ul": true,
	"ol": true, "li": true, "dl": true, "h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "br": true,
	"hr": true, "b": true, "i": true, "u": true, "em": true, "strong": true, "font": true, "center": true, "pre": true,
	"form": true, "input": true, "select": true, "button": true, "iframe": true, "frameset": true, "noscript": true,
	"section": true, "article": true, "header": true, "footer": true, "main": true, "nav": true, "aside": true,
	"blockquote": true, "small": true, "label": true, "fieldset": true, "object": true, "embed": true, "video": true,
	"audio": true, "canvas": true, "basefont": true, "bgsound": true, "marquee": true, "applet": true, "nobr": true,
	"tbody": true, "thead": true, "strike": true, "sub": true, "sup": true, "tt": true, "textarea": true,
	"noframes": true, "noindex": true,
}

// otherHTMLElements are elements of HTML with names that other vocabularies have as well. They count if the document is
// said to be HTML.
var otherHTMLElements = words("" +
	"abbr acronym address area bdi bdo big blink caption cite code col colgroup data datalist dd del details " +
	"dfn dialog dir dt figcaption figure frame hgroup ilayer image ins isindex kbd keygen layer legend " +
	"listing map mark menu meter multicol nextid noembed nolayer optgroup option output param picture " +
	"plaintext progress q rb rp rt rtc ruby s samp search slot source spacer summary template tfoot th time " +
	"track var wbr xmp")
