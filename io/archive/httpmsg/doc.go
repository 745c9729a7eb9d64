// Package httpmsg reads HTTP responses from web archives. It parses the header in a record's block, and removes the
// transfer and content codings of the body. Archives have errors of servers and of crawlers, so both parts are lenient:
// [Parse] and [Decode] never fail, and report anomalies.
//
// It does not speak HTTP (no connections, no requests, no caching rules), does not look into the decoded body and does
// not compare digests. The grammars are RFC 9112 (message syntax) and RFC 9110 section 8.4 (content codings). The
// codings are RFC 8878 and 9659 (zstd), RFC 7932 (br) and RFC 1950 to 1952 (deflate, gzip).
//
//	m := httpmsg.Parse(block, httpmsg.Options{})
//	if !m.HasHead {
//		return // no HTTP message: m.Body is the block
//	}
//	d := httpmsg.Decode(m.Header, m.Body, httpmsg.Limits{})
//	fmt.Println(m.Status, d.Codings, len(d.Body), d.Flags)
//
// The Quirk constants list the tolerated anomalies. Errors of a body that users should know are flags:
// [schemas.FlagBody], [schemas.FlagRatio], [schemas.FlagChunked] or [schemas.FlagEncoding].
package httpmsg

// The quirks of Parse and Decode: anomalies that leave a message complete.
const (
	QuirkLeadingBlank = "leading_blank"  // blank lines are before the head
	QuirkStatusLine   = "status_line"    // the status line is not "HTTP/d.d ddd reason"
	QuirkNoStatusLine = "no_status_line" // the block begins with a header field (as ACHE writes it)
	QuirkLFLine       = "lf_line"        // a line of the head ends in LF without CR
	QuirkFoldedLine   = "folded_line"    // a field goes on in the next line (RFC 9112 section 5.2)
	QuirkHeaderLine   = "header_line"    // a line of the head has no colon; it is skipped
	QuirkHeaderBytes  = "header_latin1"  // a line of the head is not UTF-8 and was read as ISO 8859-1
	QuirkHeaderCut    = "header_cut"     // the head is over a limit; what follows is not among the fields
	QuirkNoBlankLine  = "no_blank_line"  // no blank line ends the head: the block's end or the body's begin does
	QuirkInterim      = "interim"        // other responses are before this one: 100, 103, a proxy's, 401
	QuirkBlankLine    = "blank_line"     // a blank line too many is before the body

	QuirkNotChunked    = "not_chunked"    // declared chunked, but stored with the chunks already joined
	QuirkChunkTail     = "chunk_tail"     // bytes follow the last chunk; they are left out
	QuirkDecodedBody   = "decoded_body"   // declared in a content coding, but stored decoded
	QuirkOtherCoding   = "other_coding"   // in another content coding than the declared one, as its magic tells
	QuirkNoCoding      = "no_coding"      // declared in something that is not content coding, such as a charset
	QuirkTrailingBytes = "trailing_bytes" // bytes follow the end of the compressed stream; they are left out
)
