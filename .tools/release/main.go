// Release packs a program, as go build made it for a platform, into an archive, and for Linux also into a Debian
// package. Both have the manual pages, completions of shells, licence and changes. The same files and the same time
// give the same bytes.
//
//	go run ./.tools/release -version 0.9.0 -time 1764374400 -platform linux/amd64 -extras bin/extras bin/gleaner
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// request says what to pack.
type request struct {
	version, os, arch string
	time              time.Time
	extras            string // folder with man/ and completions/
	program           string // path
	root              string // of the checkout
	out               string // folder
}

func main() {
	var r request
	var seconds int64
	platform := flag.String("platform", "", "operating system and architecture, as linux/amd64")
	flag.StringVar(&r.version, "version", "", "version")
	flag.Int64Var(&seconds, "time", 0, "time of the files, in seconds since 1970")
	flag.StringVar(&r.extras, "extras", "", "folder with man/ and completions/")
	flag.StringVar(&r.root, "root", ".", "folder of the checkout")
	flag.StringVar(&r.out, "out", "dist", "folder for the packages")
	flag.Parse()
	r.program, r.time = flag.Arg(0), time.Unix(seconds, 0).UTC()
	r.os, r.arch, _ = strings.Cut(*platform, "/")
	if err := r.pack(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// pack writes the packages of the platform.
func (r request) pack() error {
	if r.version == "" || r.arch == "" || r.program == "" {
		return errors.New("-version, -platform and a program are needed")
	}
	list, err := r.archived()
	if err != nil {
		return err
	}
	base := filepath.Join(r.out, fmt.Sprintf("gleaner-%s-%s-%s", r.version, r.os, r.arch))
	if r.os == "windows" {
		return write(base+".zip", func(f *os.File) error { return writeZip(f, list, r.time) })
	}
	err = write(base+".tar.gz", func(f *os.File) error { return writeTarGz(f, list, r.time) })
	if err != nil || r.os != "linux" {
		return err
	}
	installed, err := r.installed()
	if err != nil {
		return err
	}
	name := filepath.Join(r.out, fmt.Sprintf("gleaner_%s_%s.deb", r.version, r.arch))
	return write(name, func(f *os.File) error { return r.writeDeb(f, installed) })
}

func write(name string, do func(*os.File) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(do(f), f.Close())
}
