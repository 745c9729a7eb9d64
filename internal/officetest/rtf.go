package officetest

// RTF is a document in Rich Text Format. It has a case of each thing that a reader must handle. These include fonts
// with other code pages, numeric characters with substitutes, and groups to skip. There are also binary data with
// braces, fields, notes, shapes and tables.
const RTF = `{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\froman\fcharset204{\*\falt x}` +
	`Times;}{\f2\fcharset2 Symbol;}{\f3\fcharset128 Mincho;}}
{\colortbl;\red0\green0\blue0;}{\stylesheet{\s0 Normal;}}
{\*\generator Quaywriter 3.1;}
{\info{\title Tide tables \u8211 ?x}{\author Ada Quay;Ben Pier}{\keywords tide, moon}{\doccomm High & low water}{\` +
	`company Wrenmouth Port}{\creatim\yr2021\mo3\dy4\hr5\min6}{\revtim\yr2022\mo3\dy4}}
{\header Wrenmouth\par}{\headerl Wrenmouth\par}{\footer of the port}
\pard High water\tab at noon caf\'e9 \u8364 ?100 {\uc2\u-10179 ??\u-8704 ??} \{x\}\line next\~line\par
{\f1\'cf\'f0\'e8\'eb\'e8\'e2} {\f2 a} {\f3\'92\'aa} \ldblquote q\rdblquote \emdash\par
{\field{\*\fldinst{HYPERLINK "http://x.example/"}}{\fldrslt a link}}{\footnote A footnote} kept{\deleted  deleted}` +
	`{\*\unknown lost}\par
{\pict\pngblip\bin4 }}}{89504e47}{\*\annotation A remark}\par
{\shp{\*\shpinst{\sp{\sn a}{\sv b}}{\shptxt In a box\par}}{\shprslt In a box}}\pard
{\upr{lost}{\*\ud{kept too}}}\par
\trowd\cellx1\cellx2\intbl Day\cell\cell Time\par (local)\cell\row
\trowd\intbl 1 May\cell x\cell\row
\pard Behind\par}`

// RTFText is the text of RTF.
const RTFText = "Wrenmouth\n\nHigh water\tat noon café €100 😀 {x}\nnext\u00a0line\n\nПрилив α 潮 “q”—\n\na link " +
	"kept\n\nIn a box\n\nkept too\n\n" +
	"Day\t\tTime (local)\n1 May\tx\n\nBehind\n\nA footnote\n\nA remark\n\nof the port"
