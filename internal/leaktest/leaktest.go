// Package leaktest searches the output of a command for secrets. Its server knows the secrets and, as some do,
// repeats refused requests:
//
//	v := leaktest.NewVault(t, "testdata/archives")
//	// … run a command over v.WithUser("/site.warc.gz") with its output in dir …
//	texts := leaktest.Texts(t, dir)
//	texts["stderr"] = …
//	leaktest.None(t, "user", texts)
package leaktest

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// The secrets contain characters that URLs must escape.
const (
	Password  = "pw-Zx81&ü/%q"
	Signature = "s1g+Nature/9f=="
)

// User is the user and password before the host of a URL, with the @.
var User = url.UserPassword("somebody", Password).String() + "@"

// Vault serves files to clients with the right user, password or signature. It refuses others, and everything below
// /forbidden/, with the request in the reply. It redirects everything below /elsewhere/ to another host.
type Vault struct {
	*httptest.Server
	Read   atomic.Int64 // requests for file contents
	mu     sync.Mutex
	others []http.Header // headers sent to the other host
}

// NewVault starts a vault of the files in a folder. It ends with the test.
func NewVault(t testing.TB, dir string) *Vault {
	t.Helper()
	v := &Vault{}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v.mu.Lock()
		v.others = append(v.others, r.Header.Clone())
		v.mu.Unlock()
		http.NotFound(w, r)
	}))
	t.Cleanup(other.Close)
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1) + "/x?sig=" + url.QueryEscape(Signature)
	files := http.FileServer(http.Dir(dir))
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			v.Read.Add(1)
		}
		switch {
		case strings.HasPrefix(r.URL.Path, "/elsewhere/"):
			http.Redirect(w, r, elsewhere, http.StatusFound)
		case !knows(r), strings.HasPrefix(r.URL.Path, "/forbidden/"):
			_, given, _ := r.BasicAuth()
			w.WriteHeader(http.StatusForbidden)
			_, _ = fmt.Fprintf(w, "no: %s %s %s", r.URL, given, r.Header)
		default:
			files.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(v.Close)
	return v
}

// knows reports whether a request has one of the secrets.
func knows(r *http.Request) bool {
	user, given, _ := r.BasicAuth()
	asked := r.URL.Query()
	return user == "somebody" && given == Password || asked.Get("X-Amz-Signature") == Signature ||
		asked.Get("token") == Signature
}

// WithUser returns the URL of a path with user and password.
func (v *Vault) WithUser(path string) string {
	return strings.Replace(v.URL, "://", "://"+User, 1) + path
}

// Others returns the headers that the other host has received.
func (v *Vault) Others() []http.Header {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.others
}

// forms returns the encodings in which a secret may occur.
func forms(secret string) []string {
	list := []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret), strings.ToLower(url.QueryEscape(secret)),
		hex.EncodeToString([]byte(secret)),
		strings.TrimPrefix(url.UserPassword("", secret).String(), ":"), strings.ReplaceAll(secret, "&", `\u0026`),
	}
	for shift := range 3 { // base64 depends on the position
		b := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + secret + "xxx"))
		part := b[4 : len(secret)*4/3-4]
		list = append(list, part, strings.NewReplacer("+", "-", "/", "_").Replace(part))
	}
	return list
}

// None fails the test for each secret found in texts, which are by name.
func None(t testing.TB, what string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		for _, secret := range []string{Password, Signature} {
			for _, form := range forms(secret) {
				if i := strings.Index(text, form); i >= 0 {
					t.Errorf("%s: %s has %q: …%.160q", what, name, form, text[max(0, i-60):])
				}
			}
		}
	}
}

// Texts returns all files in a folder by name, including hidden ones, with unpacked content. A missing folder has
// none.
func Texts(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		plain, err := unpacked(raw)
		all[path] = path + "\n" + string(raw) + string(plain)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return all
}

// unpacked returns the content of a gzip or zstd file, or nil for other files.
func unpacked(raw []byte) ([]byte, error) {
	var r io.Reader
	var err error
	switch {
	case bytes.HasPrefix(raw, []byte{0x1f, 0x8b}):
		r, err = gzip.NewReader(bytes.NewReader(raw))
	case bytes.HasPrefix(raw, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		r, err = zstd.NewReader(bytes.NewReader(raw))
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
