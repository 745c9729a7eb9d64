package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/look"
)

// assets are the files that pages need. htmx.min.js is the unchanged file of npm's htmx.org 4.0.1, under the
// Zero-Clause BSD licence in the same folder. TestAssets_htmxIsAsPublished has its checksum.
//
//	//go:embed assets
//
//go:embed assets
var assets embed.FS

// files returns the assets by name, with a version for each.
var files = sync.OnceValue(func() map[string]file {
	// The style sheet is generated and not embedded directly: package look removes its comments and blanks.
	list := map[string]file{"style.css": newFile([]byte(look.Style()))}
	for _, name := range []string{"keys.js", "brush.js", "graph.js", "htmx.min.js", "icon.svg"} {
		b, err := assets.ReadFile("assets/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		list[name] = newFile(b)
	}
	return list
})

type file struct {
	data    []byte
	version string
}

func newFile(data []byte) file {
	sum := sha256.Sum256(data)
	// 48 bits are enough to distinguish a handful of versions of one file, and a forged one gains nothing.
	return file{data, hex.EncodeToString(sum[:6])}
}

// AssetPath is the beginning of the paths of assets.
const AssetPath = "/static/"

// asset returns the path of an asset. It changes with the file's content, so browsers can keep the file forever.
func asset(name string) string { return AssetPath + files()[name].version + "/" + name }

// Assets serves the files below AssetPath.
func Assets() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		version, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, AssetPath), "/")
		// A file is found under any version: an open page of an older server gets the newest file.
		f, known := files()[name]
		if !known {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", types[path.Ext(name)])
		h.Set("X-Content-Type-Options", "nosniff")
		// Only the address of this exact version may be kept forever. Under any other version, the file will change
		// some day.
		if version == f.version {
			h.Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		// There is no modification time, since the version is in the address.
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.data))
	})
}

// types are the media types of the files. The system's own table is not used, since it differs between machines.
var types = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}
