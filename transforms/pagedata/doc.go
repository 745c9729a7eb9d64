// Package pagedata reads the structured data of a page: JSON-LD, microdata, RDFa, Open Graph, microformats, and
// <meta> of citations and of Dublin Core. All become items with types and properties, and items are rows of one table.
//
//	items, left := pagedata.Extract(pagedata.Input{Page: p, LD: nodes})
//	rows := pagedata.Rows(items, pagedata.Source{URL: p.URL})
//
// It does not fetch contexts or vocabularies, and does not decide which of several items describes the page: package
// pagemeta does. The microformats are the known ones, because style sheets have many other classes such as h-full.
// Of RDFa it leaves out ARIA roles, and statements of <meta> in Open Graph's vocabularies, which are items of their
// own.
//
// Sources: HTML Living Standard, section 5 (microdata); RDFa Core 1.1 and HTML+RDFa 1.1 (W3C Recommendations, 2015);
// microformats2 parsing specification and its classic vocabularies (microformats.org); ogp.me.
package pagedata
