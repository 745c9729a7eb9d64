// Command gen makes the files in testdata: the pages of two made-up sites and the archives that hold them.
//
// Its output depends on nothing but its own source: it asks neither the clock nor the network, and record ids and
// dates are derived from names. It has its own small writers for WARC, ARC, PDF and legacy character sets and shares
// no code with the packages that the files are there to test. The exception is wget.warc.gz, which GNU wget wrote
// while gen served the site; see capture.sh.
//
//	go run ./testdata/gen                        # rewrite testdata/site, archives, damaged and the others
//	go run ./testdata/gen -out /some/where       # the same, elsewhere
//	go run ./testdata/gen -serve 127.0.0.1:8080  # serve the first site, until interrupted
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	out := flag.String("out", "testdata", "`folder` to write site/, archives/, damaged/ and the others to")
	addr := flag.String("serve", "", "serve the first site on this `address` instead of writing")
	flag.Parse()
	if err := run(*out, *addr); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(out, addr string) error {
	if addr != "" {
		return serve(addr)
	}
	files, err := generate()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := write(filepath.Join(out, filepath.FromSlash(name)), files[name]); err != nil {
			return err
		}
	}
	return nil
}

func write(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// generate returns every file by its path below the output folder.
func generate() (map[string][]byte, error) {
	s, err := newSite()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, p := range s.pages {
		files["site/"+p.host+p.file()] = p.body
	}
	for _, group := range []struct {
		folder string
		builds []func(*site) (archive, error)
	}{
		{"archives/", []func(*site) (archive, error){mainWARC, zstdWARC, oldWARC, oldARC, portARC}},
		{"damaged/", []func(*site) (archive, error){cutWARC, flippedWARC, garbageWARC}},
	} {
		for _, build := range group.builds {
			a, err := build(s)
			if err != nil {
				return nil, err
			}
			files[group.folder+a.name] = a.data
		}
	}
	for _, group := range []struct {
		folder string
		build  func(*site) ([]archive, error)
	}{{"segmented/", segmentedWARCs}, {"templated/", templatedWARCs}, {"datasets/", datasets}} {
		list, err := group.build(s)
		if err != nil {
			return nil, err
		}
		for _, a := range list {
			files[group.folder+a.name] = a.data
		}
	}
	return files, nil
}

// archive is one finished archive file.
type archive struct {
	name string
	data []byte
}
