// Package leaktest looks for secrets in what a command writes and prints. It has a server that knows the secrets and
// repeats what it is asked where it refuses, as some do:
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

// The secrets, with what URLs have to escape.
const (
	Password  = "pw-Zx81&ü/%q"
	Signature = "s1g+Nature/9f=="
)

// User is user and password as a URL has them before its host, with the @.
var User = url.UserPassword("somebody", Password).String() + "@"

// Vault serves files to callers that know user, password or signature, and repeats what it was asked where it refuses:
// other questions, and all below /forbidden/. It declares everything below /elsewhere/ to be on another host.
type Vault struct {
	*httptest.Server
	Read   atomic.Int64 // requests for the content of files
	mu     sync.Mutex
	others []http.Header // what the other host was told
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

// WithUser is the URL of a path, with user and password.
func (v *Vault) WithUser(path string) string {
	return strings.Replace(v.URL, "://", "://"+User, 1) + path
}

// Others are the headers that the other host was sent.
func (v *Vault) Others() []http.Header {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.others
}

// forms are those in which a secret may be in a text.
func forms(secret string) []string {
	list := []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret), strings.ToLower(url.QueryEscape(secret)),
		hex.EncodeToString([]byte(secret)),
		strings.TrimPrefix(url.UserPassword("", secret).String(), ":"), strings.ReplaceAll(secret, "&", `\u0026`),
	}
	for shift := range 3 { // wherever in the encoded bytes it begins
		b := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + secret + "xxx"))
		part := b[4 : len(secret)*4/3-4]
		list = append(list, part, strings.NewReplacer("+", "-", "/", "_").Replace(part))
	}
	return list
}

// None looks for the secrets in texts by name, and fails the test where it finds one.
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

// Texts is all that lies in a folder, names and hidden files too, unpacked where it is packed. A folder that is not
// there has none.
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

// unpacked are the bytes in a gzip or zstd file, nothing for other files.
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
