package page

// Tag is the name of an element that has rules.
type Tag uint8

// The names of elements with rules, in alphabetical order after TagOther and TagText. The numbers change between
// versions, so files must not hold them.
const (
	TagOther Tag = iota // an element without rules
	TagText             // a text
	TagA
	TagAbbr
	TagAcronym
	TagAddress
	TagAnnotation
	TagAnnotationXML
	TagApplet
	TagArea
	TagArticle
	TagAside
	TagAudio
	TagB
	TagBase
	TagBasefont
	TagBdi
	TagBdo
	TagBgsound
	TagBig
	TagBlockquote
	TagBody
	TagBr
	TagButton
	TagCanvas
	TagCaption
	TagCenter
	TagCite
	TagCode
	TagCol
	TagColgroup
	TagData
	TagDatalist
	TagDd
	TagDel
	TagDesc
	TagDetails
	TagDfn
	TagDialog
	TagDir
	TagDiv
	TagDl
	TagDt
	TagEm
	TagEmbed
	TagFieldset
	TagFigcaption
	TagFigure
	TagFont
	TagFooter
	TagForeignobject
	TagForm
	TagFrame
	TagFrameset
	TagH1
	TagH2
	TagH3
	TagH4
	TagH5
	TagH6
	TagHead
	TagHeader
	TagHgroup
	TagHr
	TagHTML
	TagI
	TagIframe
	TagImage
	TagImg
	TagInput
	TagIns
	TagKbd
	TagKeygen
	TagLabel
	TagLegend
	TagLi
	TagLink
	TagListing
	TagMain
	TagMap
	TagMark
	TagMarquee
	TagMath
	TagMenu
	TagMeta
	TagMeter
	TagMi
	TagMn
	TagMo
	TagMs
	TagMtext
	TagNav
	TagNobr
	TagNoembed
	TagNoframes
	TagNoscript
	TagObject
	TagOl
	TagOptgroup
	TagOption
	TagOutput
	TagP
	TagParam
	TagPicture
	TagPlaintext
	TagPre
	TagProgress
	TagQ
	TagRb
	TagRp
	TagRt
	TagRtc
	TagRuby
	TagS
	TagSamp
	TagScript
	TagSearch
	TagSection
	TagSelect
	TagSlot
	TagSmall
	TagSource
	TagSpan
	TagStrike
	TagStrong
	TagStyle
	TagSub
	TagSummary
	TagSup
	TagSvg
	TagTable
	TagTbody
	TagTd
	TagTemplate
	TagTextarea
	TagTfoot
	TagTh
	TagThead
	TagTime
	TagTitle
	TagTr
	TagTrack
	TagTt
	TagU
	TagUl
	TagVar
	TagVideo
	TagWbr
	TagXmp
	numTags
)

// trait says how the tree builder and the text treat an element (HTML Living Standard, sections 13.2.4.2 and 13.2.6).
// An element may have several.
type trait uint16

const (
	void       trait = 1 << iota // has no content and no end tag
	block                        // is on lines of its own
	raw                          // its content is not markup
	hidden                       // its content is not text of the page
	closesP                      // its start tag ends an open <p>
	formatting                   // may continue after the end of its parent
	marker                       // end tags inside do not end elements outside
	tablePart                    // means nothing outside a table
	special                      // ends the search for an open <li>, or for a formatting element
	inHead                       // may be in <head>
	finding                      // holds a finding: a title, <meta>, link or script
)

// element is a row of the table of elements. name is in lower case, even for SVG's <foreignObject>.
type element struct {
	name   string
	traits trait
}

// elements is the table of all tags. It has old elements (<acronym>, <bgsound>, <xmp>), because archives hold pages
// with them. Trait block is about display and special about parsing, so some elements have only one of them.
var elements = [numTags]element{
	TagA:             {"a", formatting | finding},
	TagAbbr:          {"abbr", 0},
	TagAcronym:       {"acronym", 0},
	TagAddress:       {"address", block | closesP | special},
	TagAnnotation:    {"annotation", 0},
	TagAnnotationXML: {"annotation-xml", 0},
	TagApplet:        {"applet", marker | special},
	TagArea:          {"area", void | special | finding},
	TagArticle:       {"article", block | closesP | special},
	TagAside:         {"aside", block | closesP | special},
	TagAudio:         {"audio", block | hidden},
	TagB:             {"b", formatting},
	TagBase:          {"base", void | special | inHead | finding},
	TagBasefont:      {"basefont", void | special | inHead},
	TagBdi:           {"bdi", 0},
	TagBdo:           {"bdo", 0},
	TagBgsound:       {"bgsound", void | special | inHead},
	TagBig:           {"big", formatting},
	TagBlockquote:    {"blockquote", block | closesP | special},
	TagBody:          {"body", block | special},
	TagBr:            {"br", void | special},
	TagButton:        {"button", block | special},
	TagCanvas:        {"canvas", hidden},
	TagCaption:       {"caption", block | marker | tablePart | special},
	TagCenter:        {"center", block | closesP | special},
	TagCite:          {"cite", 0},
	TagCode:          {"code", formatting},
	TagCol:           {"col", void | block | tablePart | special},
	TagColgroup:      {"colgroup", block | tablePart | special},
	TagData:          {"data", 0},
	TagDatalist:      {"datalist", hidden},
	TagDd:            {"dd", block | special},
	TagDel:           {"del", hidden},
	TagDesc:          {"desc", 0},
	TagDetails:       {"details", block | closesP | special},
	TagDfn:           {"dfn", 0},
	TagDialog:        {"dialog", block | closesP},
	TagDir:           {"dir", block | closesP | special},
	TagDiv:           {"div", block | closesP | special},
	TagDl:            {"dl", block | closesP | special},
	TagDt:            {"dt", block | special},
	TagEm:            {"em", formatting},
	TagEmbed:         {"embed", void | special},
	TagFieldset:      {"fieldset", block | closesP | special},
	TagFigcaption:    {"figcaption", block | closesP | special},
	TagFigure:        {"figure", block | closesP | special},
	TagFont:          {"font", formatting},
	TagFooter:        {"footer", block | closesP | special},
	TagForeignobject: {"foreignobject", 0},
	TagForm:          {"form", block | closesP | special},
	TagFrame:         {"frame", void | special | finding},
	TagFrameset:      {"frameset", block | hidden | special},
	TagH1:            {"h1", block | closesP | special},
	TagH2:            {"h2", block | closesP | special},
	TagH3:            {"h3", block | closesP | special},
	TagH4:            {"h4", block | closesP | special},
	TagH5:            {"h5", block | closesP | special},
	TagH6:            {"h6", block | closesP | special},
	TagHead:          {"head", block | hidden | special},
	TagHeader:        {"header", block | closesP | special},
	TagHgroup:        {"hgroup", block | closesP | special},
	TagHr:            {"hr", void | block | closesP | special},
	TagHTML:          {"html", block | special},
	TagI:             {"i", formatting},
	TagIframe:        {"iframe", block | raw | hidden | special},
	TagImage:         {"image", void | special},
	TagImg:           {"img", void | special},
	TagInput:         {"input", void | special},
	TagIns:           {"ins", 0},
	TagKbd:           {"kbd", 0},
	TagKeygen:        {"keygen", void | special},
	TagLabel:         {"label", 0},
	TagLegend:        {"legend", block},
	TagLi:            {"li", block | special},
	TagLink:          {"link", void | special | inHead | finding},
	TagListing:       {"listing", block | closesP | special},
	TagMain:          {"main", block | closesP | special},
	TagMap:           {"map", 0},
	TagMark:          {"mark", 0},
	TagMarquee:       {"marquee", marker | special},
	TagMath:          {"math", hidden},
	TagMenu:          {"menu", block | closesP | special},
	TagMeta:          {"meta", void | special | inHead | finding},
	TagMeter:         {"meter", 0},
	TagMi:            {"mi", 0},
	TagMn:            {"mn", 0},
	TagMo:            {"mo", 0},
	TagMs:            {"ms", 0},
	TagMtext:         {"mtext", 0},
	TagNav:           {"nav", block | closesP | special},
	TagNobr:          {"nobr", formatting},
	TagNoembed:       {"noembed", raw | hidden | special},
	TagNoframes:      {"noframes", raw | hidden | special | inHead},
	TagNoscript:      {"noscript", block | raw | hidden | special | inHead},
	TagObject:        {"object", block | hidden | marker | special},
	TagOl:            {"ol", block | closesP | special},
	TagOptgroup:      {"optgroup", block | hidden},
	TagOption:        {"option", block | hidden},
	TagOutput:        {"output", 0},
	TagP:             {"p", block | closesP | special},
	TagParam:         {"param", void | special},
	TagPicture:       {"picture", 0},
	TagPlaintext:     {"plaintext", block | raw | closesP | special},
	TagPre:           {"pre", block | closesP | special},
	TagProgress:      {"progress", 0},
	TagQ:             {"q", 0},
	TagRb:            {"rb", 0},
	TagRp:            {"rp", 0},
	TagRt:            {"rt", 0},
	TagRtc:           {"rtc", 0},
	TagRuby:          {"ruby", 0},
	TagS:             {"s", formatting},
	TagSamp:          {"samp", 0},
	TagScript:        {"script", raw | hidden | special | inHead | finding},
	TagSearch:        {"search", block | closesP | special},
	TagSection:       {"section", block | closesP | special},
	TagSelect:        {"select", block | hidden | special},
	TagSlot:          {"slot", 0},
	TagSmall:         {"small", formatting},
	TagSource:        {"source", void | special},
	TagSpan:          {"span", 0},
	TagStrike:        {"strike", formatting},
	TagStrong:        {"strong", formatting},
	TagStyle:         {"style", raw | hidden | special | inHead},
	TagSub:           {"sub", 0},
	TagSummary:       {"summary", block | closesP | special},
	TagSup:           {"sup", 0},
	TagSvg:           {"svg", hidden},
	TagTable:         {"table", block | closesP | special},
	TagTbody:         {"tbody", block | tablePart | special},
	TagTd:            {"td", block | marker | tablePart | special},
	TagTemplate:      {"template", block | hidden | marker | special | inHead},
	TagTextarea:      {"textarea", block | raw | hidden | special},
	TagTfoot:         {"tfoot", block | tablePart | special},
	TagTh:            {"th", block | marker | tablePart | special},
	TagThead:         {"thead", block | tablePart | special},
	TagTime:          {"time", 0},
	TagTitle:         {"title", block | raw | hidden | special | inHead | finding},
	TagTr:            {"tr", block | tablePart | special},
	TagTrack:         {"track", void | special},
	TagTt:            {"tt", formatting},
	TagU:             {"u", formatting},
	TagUl:            {"ul", block | closesP | special},
	TagVar:           {"var", 0},
	TagVideo:         {"video", block | hidden},
	TagWbr:           {"wbr", void | special},
	TagXmp:           {"xmp", block | raw | closesP | special},
}
