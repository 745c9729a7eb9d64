// Package cdxserver answers replay tools and their users like a CDX server. It lists the captures of a URL, a host or
// a domain, and their positions. It supports two dialects: pywb's at /cdx, and the Wayback Machine's at
// /cdx/search/cdx:
//
//	url         the URL; with a star behind it all that begin so; *.example.org for a domain
//	matchType   exact, prefix, host or domain
//	from, to    4 to 14 digits
//	limit       most lines; negative: the last ones
//	offset      lines that are left out before
//	sort        default, reverse, or closest with closest=14 digits
//	filter      [!][=|~]field:text, several: contains, equals (=) or fits a regular expression (~); at
//	            /cdx/search/cdx all are regular expressions
//	fl, fields  fields of the answer, with commas between them
//	output      text, or json: an object a line; at /cdx/search/cdx one array of arrays
//	collapse    field or field:n: of neighbours with the same (beginning of the) field the first
//	page        of pageSize blocks of 3000 lines, from 0; showNumPages=true says how many there are
//	resumeKey   what showResumeKey=true gives at the end of an answer that the limit ends: the lines behind it
//
// Answers without a limit have all lines. Unknown parameters are refused.
//
// Sources: pywb 2.10's documentation ("CDXJ Server API") and its source, and the README of the Internet Archive's
// wayback-cdx-server.
package cdxserver
