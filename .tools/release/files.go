package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// file is a file of a package.
type file struct {
	name    string
	mode    int64
	content []byte
}

// archived returns the files of the archive, in one folder.
func (r request) archived() ([]file, error) {
	program := "gleaner"
	if r.os == "windows" {
		program += ".exe"
	}
	return r.files(map[string]string{
		program: r.program, "LICENSE": "LICENSE", "README.md": "README.md", "CHANGELOG.md": "CHANGELOG.md",
		"man/": filepath.Join(r.extras, "man"), "completions/": filepath.Join(r.extras, "completions"),
	}, "gleaner-"+r.version+"/")
}

// installed returns the files of the Debian package, by Debian's policy.
func (r request) installed() ([]file, error) {
	const doc = "usr/share/doc/gleaner/"
	list, err := r.files(map[string]string{
		"usr/bin/gleaner": r.program, doc + "copyright": ".tools/release/debian/copyright", doc + "NEWS": "CHANGELOG.md",
		"usr/share/man/man1/":                              filepath.Join(r.extras, "man"),
		"usr/share/bash-completion/completions/gleaner":    filepath.Join(r.extras, "completions/gleaner.bash"),
		"usr/share/zsh/vendor-completions/_gleaner":        filepath.Join(r.extras, "completions/gleaner.zsh"),
		"usr/share/fish/vendor_completions.d/gleaner.fish": filepath.Join(r.extras, "completions/gleaner.fish"),
		"usr/lib/systemd/system/gleaner-serve.service":     ".tools/release/debian/gleaner-serve.service",
		"etc/default/gleaner":                              ".tools/release/debian/default",
		"usr/share/lintian/overrides/gleaner":              ".tools/release/debian/lintian-overrides",
	}, "")
	list = append(list, file{doc + "changelog", 0o644, []byte(r.changelog())})
	for i, f := range list {
		if strings.HasPrefix(f.name, "usr/share/man/") || f.name == doc+"changelog" || f.name == doc+"NEWS" {
			list[i].name += ".gz"
			list[i].content, err = zipped(f.content, err)
		}
	}
	return list, err
}

// files reads files by their names in the package. A name that ends with a slash takes all files of a folder. Relative
// sources are in the checkout.
func (r request) files(sources map[string]string, prefix string) (list []file, err error) {
	add := func(name, source string) {
		content, errRead := os.ReadFile(source)
		mode := int64(0o644)
		if source == r.program {
			mode = 0o755
		}
		list, err = append(list, file{prefix + name, mode, content}), errors.Join(err, errRead)
	}
	for name, source := range sources {
		if source != r.program && !filepath.IsAbs(source) && !strings.HasPrefix(source, r.extras) {
			source = filepath.Join(r.root, source)
		}
		if !strings.HasSuffix(name, "/") {
			add(name, source)
			continue
		}
		entries, errDir := os.ReadDir(source)
		err = errors.Join(err, errDir)
		for _, e := range entries {
			add(name+e.Name(), filepath.Join(source, e.Name()))
		}
	}
	slices.SortFunc(list, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	return list, err
}

// zipped compresses content, unless err is an error.
func zipped(content []byte, err error) ([]byte, error) {
	var b bytes.Buffer
	w, errLevel := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err = errors.Join(err, errLevel); err != nil {
		return nil, err
	}
	_, err = w.Write(content)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

func writeZip(out io.Writer, list []file, t time.Time) error {
	w := zip.NewWriter(out)
	for _, f := range list {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: t}
		h.SetMode(os.FileMode(f.mode))
		entry, err := w.CreateHeader(h)
		if err == nil {
			_, err = entry.Write(f.content)
		}
		if err != nil {
			return err
		}
	}
	return w.Close()
}

func writeTarGz(out io.Writer, list []file, t time.Time) error {
	b, err := tarOf(list, t)
	if b, err = zipped(b, err); err != nil {
		return err
	}
	_, err = out.Write(b)
	return err
}

// tarOf returns files as tar, after the folders that they are in. All belong to root.
func tarOf(list []file, t time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	made := map[string]bool{".": true}
	var folder func(name string) error
	folder = func(name string) error {
		if made[name] {
			return nil
		}
		made[name] = true
		if err := folder(path.Dir(name)); err != nil {
			return err
		}
		return w.WriteHeader(&tar.Header{
			Typeflag: tar.TypeDir, Name: "./" + name + "/", Mode: 0o755, ModTime: t, Uname: "root", Gname: "root",
		})
	}
	for _, f := range list {
		err := folder(path.Dir(f.name))
		if err == nil {
			err = w.WriteHeader(&tar.Header{
				Name: "./" + f.name, Mode: f.mode, Size: int64(len(f.content)), ModTime: t, Uname: "root", Gname: "root",
			})
		}
		if err == nil {
			_, err = w.Write(f.content)
		}
		if err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
