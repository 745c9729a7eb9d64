// Package platform knows the platforms of datasets, with a file for each. A platform recognises its landing pages, and
// reads the list of a dataset's files from its API.
//
//	for _, p := range platform.All() {
//		if p.Match(page) {
//			item, err := p.Process(page, ask)
//		}
//	}
//
// It reads API responses leniently, since they change over the years: numbers become texts, fields are missing. Lists
// are bounded, see maxFiles.
package platform

import (
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// Version changes when the same responses give another manifest.
const Version = "3"

// All returns the platforms in the order of trial. The first four are Sandcrawler's, in its order; the generic ones,
// which match pages of any host, come last.
func All() []fileset.Platform {
	return []fileset.Platform{
		dataverse{},
		figshare{},
		zenodo{},
		archiveorg{},
		dryad{},
		osf{},
		mendeley{},
		huggingface{},
		github{},
		ckan{},
		schemaorg{},
	}
}

// address is the landing page's URL, or the request's if that is invalid; never nil.
func address(p *fileset.Page) *url.URL {
	for _, s := range []string{p.URL, p.Request.BaseURL} {
		if u, err := url.Parse(s); err == nil && u.Host != "" {
			return u
		}
	}
	return &url.URL{}
}

// hostOf is a host in lower case, without its port and a leading "www.".
func hostOf(u *url.URL) string { return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.") }

// segments are the unescaped parts of a path, without empty ones.
func segments(u *url.URL) []string {
	return strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' })
}

// escaped escapes a path for a URL.
func escaped(path string) string {
	parts := strings.Split(path, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

// onSite resolves a reference from an API. The URL must stay on the API's host: a response must not send us elsewhere.
func onSite(base, ref string) string {
	if ref == "" {
		return ""
	}
	b, err := url.Parse(base)
	if err != nil {
		return ""
	}
	u, err := b.Parse(ref)
	if err != nil || u.Host != b.Host || u.Scheme != b.Scheme {
		return ""
	}
	return u.String()
}

// digits reports whether s is a number of at most 18 digits.
func digits(s string) bool {
	return s != "" && len(s) <= 18 && strings.Trim(s, "0123456789") == ""
}

// sum is a hash of n hexadecimal digits in lower case, or "". APIs also have "0", "null" and names of algorithms
// there.
func sum(s string, n int) string {
	if s = strings.ToLower(strings.TrimSpace(s)); len(s) != n || strings.Trim(s, "0123456789abcdef") != "" {
		return ""
	}
	return s
}

// Lengths of hashes, in hexadecimal digits.
const (
	md5Digits    = 32
	sha1Digits   = 40
	sha256Digits = 64
)

// setSum sets a hash by the name of its algorithm, unless that is unknown.
func setSum(f *schemas.ManifestFile, algorithm, value string) {
	switch strings.ReplaceAll(strings.ToLower(algorithm), "-", "") {
	case "md5":
		f.MD5 = sum(value, md5Digits)
	case "sha1", "sha":
		f.SHA1 = sum(value, sha1Digits)
	case "sha256":
		f.SHA256 = sum(value, sha256Digits)
	}
}

// ended ends a request at the platform.
func ended(status, message string) error {
	return &fileset.StatusError{Status: status, Message: message}
}

// meta is the metadata of an item without unknown values.
func meta(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, value := pairs[i].(string), pairs[i+1]
		switch v := value.(type) {
		case string:
			if v != "" {
				m[name] = v
			}
		case []string:
			if len(v) > 0 {
				m[name] = v
			}
		}
	}
	return m
}
