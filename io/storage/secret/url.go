package secret

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Hide returns the name of a URL, and stores its hidden parts. A text that is not a URL is its own name, and so is a
// name. A name has no fragment, which is not sent to servers and may hold tokens. Names of objects in buckets lose the
// part before an @, but keep the query, which is a part of the object's name.
func Hide(url string) string {
	p, ok := split(url)
	if !ok || p.user == "" && !p.asks && (p.fragment == "" || hashed().MatchString(url)) {
		return url
	}
	p.note()
	name := p.scheme + "://" + p.host + p.path
	if id := p.identity(); id != "" {
		name += "#q=" + hashOf(id)
	}
	kept.Lock()
	defer kept.Unlock()
	kept.urls[name] = url
	return name
}

// Reveal returns the URL of a name, which is the name itself if nothing is hidden.
func Reveal(name string) string {
	kept.RLock()
	defer kept.RUnlock()
	if url, ok := kept.urls[name]; ok {
		return url
	}
	return name
}

// Hides reports whether a name refers to a URL with hidden parts.
func Hides(name string) bool { return Reveal(name) != name }

// IsUnknown reports whether a name refers to a URL that this process does not know: it was copied from an output.
func IsUnknown(name string) bool { return hashed().MatchString(name) && !Hides(name) }

var hashed = pattern.Lazy(`#q=[0-9a-f]{16}$`)

// Below returns the name of a path below the URL called base, with base's user and query. Tokens for whole containers
// and folders need them.
func Below(base, path string) string {
	p, ok := split(Reveal(base))
	if !ok {
		return strings.TrimSuffix(base, "/") + "/" + path
	}
	url := p.scheme + "://" + p.login() + p.host + strings.TrimSuffix(p.path, "/") + "/" + path
	if p.asks {
		url += "?" + p.query
	}
	return Hide(url)
}

// Folder returns the URL, not the name, of the folder of a name. It keeps the user, and drops the query, which belongs
// to one file.
func Folder(name string) string {
	p, ok := split(Reveal(name))
	if !ok {
		return name[:strings.LastIndexByte(name, '/')]
	}
	path, _, _ := cutLast(p.path, "/")
	return p.scheme + "://" + p.login() + p.host + path
}

// parts are the parts of a URL, each as it is written.
type parts struct {
	scheme, user, host, path, query, fragment string

	asks bool // there is a query, which may be empty
}

// split splits a URL, and also texts that package url would refuse, which must not be shown either.
func split(s string) (p parts, ok bool) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || !schemes().MatchString(scheme) {
		return p, false
	}
	p.scheme = scheme
	web := !strings.EqualFold(scheme, "s3") && !strings.EqualFold(scheme, "gs")
	end := strings.IndexAny(rest, "/?#")
	if !web || end < 0 {
		end = len(rest)
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			end = i
		}
	}
	p.user, p.host, _ = cutLast(rest[:end], "@")
	p.path = rest[end:]
	if port := portOf(p.host); strings.Trim(port, "0123456789,:") != "" {
		// No port: a password with an unescaped slash or similar.
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			p.user, rest = rest[:at], rest[at+1:]
			if end = strings.IndexAny(rest, "/?#"); end < 0 {
				end = len(rest)
			}
			p.host, p.path = rest[:end], rest[end:]
		}
	}
	if web {
		p.path, p.fragment, _ = strings.Cut(p.path, "#")
		p.path, p.query, p.asks = strings.Cut(p.path, "?")
	}
	return p, true
}

var schemes = pattern.Lazy(`^[A-Za-z][A-Za-z0-9+.-]*$`)

// portOf returns the part after the first colon of a host, outside brackets.
func portOf(host string) string {
	if _, behind, ok := strings.Cut(host, "]"); ok {
		host = behind
	}
	_, port, _ := strings.Cut(host, ":")
	return port
}

// cutLast cuts s at the last sep. If there is none, before is empty.
func cutLast(s, sep string) (before, behind string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

func (p parts) login() string {
	if p.user == "" {
		return ""
	}
	return p.user + "@"
}

// identity returns the hidden parts that identify the file: the user and the query without passwords and signatures,
// which change daily.
func (p parts) identity() string {
	user, _, _ := strings.Cut(p.user, ":")
	var list []string
	signed, azure := p.has("signature"), p.has("sig")
	for field := range strings.SplitSeq(p.query, "&") {
		key, _, _ := strings.Cut(strings.ToLower(field), "=")
		switch {
		case field == "", strings.HasPrefix(key, "x-amz-"), strings.HasPrefix(key, "x-goog-"):
		case signed && slices.Contains(signing, key), azure && slices.Contains(signingAzure, key):
		default:
			list = append(list, field)
		}
	}
	if user == "" && len(list) == 0 {
		return ""
	}
	slices.Sort(list)
	return user + "\n" + strings.Join(list, "&")
}

// has reports whether the query has a field.
func (p parts) has(key string) bool {
	for field := range strings.SplitSeq(strings.ToLower(p.query), "&") {
		if k, _, _ := strings.Cut(field, "="); k == key {
			return true
		}
	}
	return false
}

// The fields of signatures of Amazon and Google before version 4, of CloudFront, and of Azure's shared access
// signatures. They count only together with the signature itself.
var (
	signing = []string{
		"signature", "expires", "awsaccesskeyid", "googleaccessid", "key-pair-id", "policy",
		"hash-algorithm",
	}
	signingAzure = []string{
		"sig", "sv", "se", "st", "sr", "sp", "spr", "sip", "si", "ss", "srt", "skoid", "sktid", "skt", "ske", "sks", "skv",
		"sdd", "saoid", "suoid",
		"scid", "ses",
	}
)
