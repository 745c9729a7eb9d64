package entity

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
)

// Browsers and servers accept URLs of at least 2,000 characters, and published ones are shorter. Constant maxHandle is
// that of the services with the longest names; tags are words.
const (
	maxLocal  = 64    // of an e-mail address: section 4.5.3.1.1 of RFC 5321
	maxDomain = 253   // section 4.5.3.1.2 of RFC 5321, less the overhead of a host name's encoding
	maxURL    = 2_048 // longer ones are data or session state
	maxHandle = 30
	maxTag    = 100
)

// email finds the mail address whose @ is at i. It searches backwards for the local part and forwards for the domain,
// since only the @ is rare.
func (s *scanner) email(i int) (mention, bool) {
	start := i
	for start > s.last && i-start <= maxLocal && (isLocal(s.text[start-1]) || s.joins(start-1, i)) {
		start--
	}
	// The rest of a local part with signs that are hardly ever in one would be another address: user!host@example.org.
	if start > s.last+1 && strings.IndexByte("!#$?^~}", s.text[start-1]) >= 0 && isLocal(s.text[start-2]) {
		return mention{}, false
	}
	// Characters that may be in a local part but not at its start.
	for start < i && (s.text[start] == '.' || s.text[start] == '\'' || s.text[start] == '-' || s.text[start] == '%') {
		start++ // quotes and the like around it
	}
	end := i + 1
	for end < len(s.text) && end-i <= maxDomain && isHost(s.text[end]) {
		end++
	}
	// A full stop or dash after the mail address.
	for end > i && (s.text[end-1] == '.' || s.text[end-1] == '-') {
		end--
	}
	// A letter of another script beside it makes it part of something else.
	if start == i || wordBefore(s.text, start) || wordAfter(s.text, end) {
		return mention{}, false
	}
	if end < len(s.text) && s.text[end] == ':' && wordAfter(s.text, end+1) { // git@github.com:gleaner-web/gleaner
		return mention{}, false
	}
	id := emailID(s.text[start:end])
	return mention{start: start, end: end, kind: typeEmail, id: id, confidence: 0.95}, id != ""
}

// joins reports whether the byte at i is an ampersand in the local part that ends at end, as in R&D@example.org.
func (s *scanner) joins(i, end int) bool {
	alone := func(c byte) bool { return isLetter(c) || isDigit(c) }
	return s.text[i] == '&' && i > s.last && i+1 < end && alone(s.text[i-1]) && alone(s.text[i+1])
}

// emailID returns the mail address in lower case, or "" if it is invalid.
func emailID(address string) string {
	local, domain, ok := strings.Cut(address, "@")
	// Without quotes, dots may not be adjacent or at the end (section 4.1.2 of RFC 5321).
	if !ok || local == "" || len(local) > maxLocal || strings.Contains(local, "..") || local[len(local)-1] == '.' {
		return ""
	}
	for i := range len(local) {
		if !isLocal(local[i]) && (local[i] != '&' || i == 0 || i == len(local)-1) {
			return ""
		}
	}
	if !isDomain(domain) {
		return ""
	}
	// The local part is case-sensitive by the standard, but on hardly any server.
	return strings.ToLower(address)
}

// isLocal reports whether c may be before the @. RFC 5321 allows more, but that occurs in code, not in mail addresses.
func isLocal(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '.' || c == '_' || c == '-' || c == '+' || c == '%' || c == '\''
}

// isHost reports whether c may be in a host name. Names in other scripts are found only in ASCII form (xn--).
func isHost(c byte) bool { return isLetter(c) || isDigit(c) || c == '.' || c == '-' }

// isDomain reports whether name is a host name below a real top-level domain: image@2x.png and me@localhost have none.
func isDomain(name string) bool {
	// "--." ends a label with a hyphen, which host names do not have.
	if name == "" || len(name) > maxDomain || strings.Contains(name, "..") || strings.Contains(name, "--.") {
		return false
	}
	for i := range len(name) {
		if !isHost(name[i]) || (name[i] == '-' || name[i] == '.') && (i == 0 || i == len(name)-1) {
			return false
		}
	}
	name = strings.ToLower(name)
	// icann is false for suffixes of companies (github.io) and unknown ones (localhost).
	suffix, icann := publicsuffix.PublicSuffix(name)
	// Section 2 of RFC 2606: the one reserved name in running text.
	icann = icann || suffix == "example"
	for !icann && strings.Contains(suffix, ".") { // a private suffix, such as github.io, is below a real one
		_, suffix, _ = strings.Cut(suffix, ".")
		_, icann = publicsuffix.PublicSuffix("a." + suffix)
	}
	// The name must be below its suffix; suffixes that begin with a digit are version numbers.
	return icann && suffix != name && !isDigit(suffix[0])
}

// url finds the URL whose scheme ends with the colon at i.
func (s *scanner) url(i int) (mention, bool) {
	if !strings.HasPrefix(s.text[i:], "://") {
		return mention{}, false
	}
	start := -1
	// "https" first: "http" would leave its s to the word before.
	for _, scheme := range []string{"https", "http", "ftp"} {
		// Bytes before s.last belong to the mention before.
		if at := i - len(scheme); at >= s.last && strings.EqualFold(s.text[at:i], scheme) {
			start = at
			break
		}
	}
	if start < 0 || wordBefore(s.text, start) {
		return mention{}, false
	}
	// The scheme is in the text already.
	return s.link(start, i+len("://"), "")
}

// www finds the URL without a scheme that begins at i.
func (s *scanner) www(i int) (mention, bool) {
	// The shortest host with www, compared before the slice is taken.
	if len(s.text)-i < len("www.a.b") || !strings.EqualFold(s.text[i:i+4], "www.") || wordBefore(s.text, i) {
		return mention{}, false
	}
	// Part of a longer host, path or mail address.
	if i > 0 && strings.IndexByte("./@-", s.text[i-1]) >= 0 {
		return mention{}, false
	}
	return s.link(i, i, "http://")
}

// link reads the URL that begins at start, with its host at host. Links to doi.org and orcid.org are identifiers.
// scheme is prepended to the identifier if the text has none.
func (s *scanner) link(start, host int, scheme string) (mention, bool) {
	afterHost := host
	for afterHost < len(s.text) && afterHost-host <= maxDomain && isHost(s.text[afterHost]) {
		afterHost++
	}
	end := trimAddress(s.text, host, endOfAddress(s.text, afterHost))
	afterHost = min(afterHost, end)
	name := strings.TrimRight(s.text[host:afterHost], ".-")
	// IPv4 addresses only with a scheme: without one they are versions and sections.
	if !isDomain(name) && (scheme != "" || !isIPv4(name)) || end-start > maxURL {
		return mention{}, false
	}
	m := mention{start: start, end: end, kind: typeURL, id: "", confidence: 1}
	path := s.text[afterHost:end]
	switch bare := strings.TrimPrefix(strings.ToLower(name), "www."); {
	// The path holds the identifier, so that a link and the bare form are one entity.
	case bare == "doi.org" || bare == "dx.doi.org":
		if id := doiID(strings.TrimPrefix(path, "/")); id != "" {
			m.kind, m.id = typeDOI, id
			return m, true
		}
	case bare == "orcid.org":
		if id := orcidID(strings.TrimPrefix(path, "/")); id != "" {
			m.kind, m.id = typeORCID, id
			return m, true
		}
	}
	// Scheme and host are case-insensitive, the path is not (section 6.2.2.1 of RFC 3986).
	m.id = scheme + strings.ToLower(s.text[start:afterHost]) + path
	return m, true
}

// endOfAddress returns the last possible end of a URL that reaches at least to i. Characters and signs of scripts
// without spaces end it.
func endOfAddress(text string, i int) int {
	for limit := i + maxURL + 1; i < len(text) && i < limit; {
		c := text[i]
		// Characters that RFC 3986 allows nowhere; browsers encode them when copying a URL.
		if c <= ' ' || c == 0x7F || strings.IndexByte("<>\"`{}|\\^", c) >= 0 {
			return i
		}
		if c < utf8.RuneSelf {
			i++
			continue
		}
		// Letters of scripts with spaces may be unencoded in paths, like Wikipedia's in address bars.
		r, n := utf8.DecodeRuneInString(text[i:])
		if !isWord(r) || r == utf8.RuneError {
			return i
		}
		i += n
	}
	return i
}

// trimAddress returns end without trailing punctuation of the sentence. A closing bracket stays if it was opened in
// the URL; surplus ones belong to the sentence: "(see https://a.b/c_(d))".
func trimAddress(text string, start, end int) int {
	open := strings.Count(text[start:end], "(") - strings.Count(text[start:end], ")")
	for end > start {
		switch c := text[end-1]; {
		case strings.IndexByte(".,;:!?'*_]", c) >= 0:
		case c == ')' && open < 0:
			open++
		case c == '(':
			open--
		default:
			return end
		}
		end--
	}
	return end
}

// isIPv4 reports whether name is four numbers of at most 255.
func isIPv4(name string) bool {
	parts := strings.Split(name, ".")
	for _, p := range parts {
		// At most three digits, so value does not overflow.
		if value, end := digits(p, 0, 3); end == 0 || end != len(p) || value > 255 {
			return false
		}
	}
	return len(parts) == 4
}

// notHandles follow an @ in style sheets and source code. Some handles are such words and are lost, or every style
// sheet would be a page of handles.
var notHandles = words("media import charset font-face keyframes supports page namespace layer container property " +
	"include " +
	"extend mixin if else elseif endif foreach for while apply tailwind use forward return param params see since " +
	"throws " +
	"throw author deprecated version override test bean autowired component controller service entity table column id " +
	"type context graph value vocab base language property interface class override functional decorator staticmethod " +
	"prefix classmethod dataclass todo example link code inheritdoc license package ts-ignore csrf section yield extends")

// handle finds the @name at i, with its server if there is one.
func (s *scanner) handle(i int) (mention, bool) {
	// These precede an @ in mail addresses, paths and code.
	if wordBefore(s.text, i) || i > 0 && strings.IndexByte("./@&=-+", s.text[i-1]) >= 0 {
		return mention{}, false
	}
	// Letters, digits and underscores, as all services allow. Some allow dots, but these more often end a sentence.
	end, letters := i+1, 0
	for end < len(s.text) && (isLetter(s.text[end]) || isDigit(s.text[end]) || s.text[end] == '_') {
		if isLetter(s.text[end]) {
			letters++
		}
		end++
	}
	name := s.text[i+1 : end]
	// With fewer than two letters it is a version (@2x) or a price.
	if letters < 2 || len(name) > maxHandle || notHandles[strings.ToLower(name)] {
		return mention{}, false
	}
	if end < len(s.text) && s.text[end] == '@' { // @user@server, as in the Fediverse
		server := end + 1
		for server < len(s.text) && server-end <= maxDomain && isHost(s.text[server]) {
			server++
		}
		// Without a real domain the server is something else, and the test below drops the whole.
		if host := strings.TrimRight(s.text[end+1:server], ".-"); isDomain(host) {
			end += 1 + len(host)
		}
	}
	if wordAfter(s.text, end) || isCode(s.text, end) || isDecorator(s.text, i, end) || end < len(s.text) &&
		s.text[end] == '@' {
		return mention{}, false
	}
	return mention{start: i, end: end, kind: typeHandle, id: strings.ToLower(s.text[i:end]), confidence: 0.7}, true
}

// isDecorator reports whether the name from start to end is a line of its own above a line of a program.
func isDecorator(text string, start, end int) bool {
	rest, ok := strings.CutPrefix(text[end:], "\n")
	// The rest of its line must be empty, and the line begin with it.
	if !ok || start > 0 && text[start-1] != '\n' {
		return false
	}
	// A hundred bytes suffice; trimming must not walk through a file of spaces.
	rest = strings.TrimLeft(rest[:min(len(rest), 100)], " \t")
	for _, next := range [...]string{
		"def ", "async ", "class ", "public ", "private ", "protected ", "static ", "@",
		".",
	} {
		if strings.HasPrefix(rest, next) {
			return true
		}
	}
	return false
}

// notHashtags follow a # in source code.
var notHashtags = words("include define ifdef ifndef endif undef pragma elif else if error region endregion import usr")

func (s *scanner) hashtag(i int) (mention, bool) {
	// Fragments of URLs, entities (&#39;), quotes of code, headings of Markdown.
	if wordBefore(s.text, i) || i > 0 && strings.IndexByte("#&/=?\"'.:-", s.text[i-1]) >= 0 {
		return mention{}, false
	}
	end, letters, limit := i+1, 0, min(len(s.text), i+1+maxTag)
	for end < limit {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		if unicode.IsLetter(r) {
			letters++
		} else if isJoiner(r) && end > i+1 && startsWithLetter(s.text[end+n:]) {
			// It is within a word.
		} else if !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '_' {
			break
		}
		end += n
	}
	tag := s.text[i+1 : end]
	// At the limit the tag was not read to its end.
	if letters < 2 || end >= limit && end < len(s.text) || isColour(tag) || notHashtags[strings.ToLower(tag)] {
		return mention{}, false
	}
	// #a#b and #name@… are not tags.
	if isCode(s.text, end) || end < len(s.text) && strings.IndexByte("#@", s.text[end]) >= 0 {
		return mention{}, false
	}
	// All services compare tags without regard to case.
	return mention{start: i, end: end, kind: typeHashtag, id: "#" + strings.ToLower(tag), confidence: 0.7}, true
}

// isJoiner reports whether r joins letters to a word. Persian and Indic scripts have joiners, and Catalan has a middle
// dot (section 2.3 of UAX #31, and its profile for hashtags).
func isJoiner(r rune) bool { return r == '\u200C' || r == '\u200D' || r == '\u00B7' }

func startsWithLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}

// isCode reports whether the text at i makes the name before it code: a decorator's arguments, a rule's braces, a
// member's dot.
func isCode(text string, i int) bool {
	rest := text[i:]
	// At the end of the text there is no sign of code.
	if rest == "" || strings.IndexByte("({=/-\\&", rest[0]) >= 0 {
		return rest != ""
	}
	for _, next := range [...]string{" {", " =", " ( ", " )", " *", " +", " -", "::", "\n="} {
		if strings.HasPrefix(rest, next) {
			return true
		}
	}
	// name.member: a dot with a letter after it.
	return rest[0] == '.' && wordAfter(rest, 1)
}

// isColour reports whether tag is a colour of a style sheet; a few words look the same.
func isColour(tag string) bool {
	// The lengths of #rgb, #rgba, #rrggbb and #rrggbbaa.
	if len(tag) != 3 && len(tag) != 4 && len(tag) != 6 && len(tag) != 8 {
		return false
	}
	return strings.Trim(strings.ToLower(tag), "0123456789abcdef") == ""
}

func words(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
