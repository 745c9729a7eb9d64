package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/look"
)

// assets are the files that pages need. htmx.min.js is that of npm's htmx.org 4.0.1 as it is, under the Zero-Clause BSD
// licence beside it; TestAssets_htmxIsAsPublished has its checksum.
//
//go:embed assets
var assets embed.FS

// files are the assets by name, with what tells one version of them from another.
var files = func() map[string]file {
	// The sheet is made and not embedded as it is: package look takes its comments and blanks out.
	list := map[string]file{"style.css": newFile([]byte(look.Style()))}
	for _, name := range []string{"keys.js", "htmx.min.js", "icon.svg"} {
		b, err := assets.ReadFile("assets/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		list[name] = newFile(b)
	}
	return list
}()

type file struct {
	data    []byte
	version string
}

func newFile(data []byte) file {
	sum := sha256.Sum256(data)
	// 48 bits: it has to tell a handful of versions of one file apart, nobody gains by forging it.
	return file{data, hex.EncodeToString(sum[:6])}
}

// AssetPath is what the paths of assets begin with.
const AssetPath = "/static/"

// asset is the path of an asset, which changes with what the file holds: so it can be kept by browsers for ever.
func asset(name string) string { return AssetPath + files[name].version + "/" + name }

// Assets serves the files below AssetPath.
func Assets() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		version, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, AssetPath), "/")
		// A file is found whatever the version: a page of an older server that is still open gets the
		// newest one.
		f, known := files[name]
		if !known {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", types[path.Ext(name)])
		h.Set("X-Content-Type-Options", "nosniff")
		// Only the address of this very version may be kept for ever. Under any other the file will be
		// another one day.
		if version == f.version {
			h.Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		// Without a time of change: the version is in the address.
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.data))
	})
}

// types are their media types. The system's own table is not asked: it differs from machine to machine.
var types = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}
