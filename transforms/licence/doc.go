// Package licence finds the licences that a page states, with what each covers: the page, a picture on it, or a quoted
// part. It reads Link fields, rel=license, JSON-LD, microdata and Dublin Core. It also reads links to licences and
// notices, by where they are on the page. Names are SPDX identifiers.
//
// A page about licences names many of them. So a link or a name alone counts only in a footer, beside a picture, or in
// a sentence that grants the licence.
package licence

// Version changes if the same page has other licences.
const Version = "5"
