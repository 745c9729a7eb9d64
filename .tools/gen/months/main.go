// Command months writes the names of the months that transforms/entity embeds, from the npm package cldr-dates-full of
// Unicode's CLDR (Unicode-3.0), which npm fetches and whose SHA-256 is checked:
//
//	go generate ./transforms/entity
//
// Each line of the file is a name in lower case, its month and, for a name that is another month elsewhere, the
// languages in which it is this one.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

const (
	tarball    = "cldr-dates-full-48.2.0.tgz"
	tarballSum = "0256f1cefeca14f7d515be4872dda48fcdd7e75381430f25aafd0143eae5b430"
)

// languages are those of transforms/langid that CLDR has. Persian and Amharic are left out: where they are spoken,
// months of other calendars are in use.
var languages = strings.Fields("af ar az be bg bn bs ca cs cy da de el en eo es et eu fi fr ga gu he hi hr hu hy id " +
	"is it ja ka " +
	"kk ko lt lv mk mn mr ms nb nl nn pa pl pt ro ru sk sl so sq sr sr-Latn sv sw ta te th tl tr uk ur vi zh zu")

func main() {
	log.SetFlags(0)
	out := flag.String("out", "months.txt", "file to write")
	source := flag.String("source", "", "the package; fetched by default")
	flag.Parse()
	if err := run(*out, *source); err != nil {
		log.Fatal("months: ", err)
	}
}

func run(out, source string) (err error) {
	if source == "" {
		dir, err := os.MkdirTemp("", "months")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		cmd := exec.Command("npm", "pack", "--silent", "cldr-dates-full@48.2.0")
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("npm pack: %w", err)
		}
		source = filepath.Join(dir, tarball)
	}
	data, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != tarballSum {
		return fmt.Errorf("%s has the SHA-256 %s, not %s", source, got, tarballSum)
	}
	names, err := read(data)
	if err != nil {
		return err
	}
	return os.WriteFile(out, names.format(), 0o644)
}

// names are the languages in which a name is a month, by name and month.
type names map[string]map[int][]string

// read collects the names of the months of all languages.
func read(data []byte) (names, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	found := names{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, err
		}
		locale := path.Base(path.Dir(h.Name))
		if path.Base(h.Name) != "ca-gregorian.json" || !slices.Contains(languages, locale) {
			continue
		}
		if err := found.add(r, locale); err != nil {
			return nil, fmt.Errorf("%s: %w", h.Name, err)
		}
	}
}

// add reads one ca-gregorian.json.
func (n names) add(r io.Reader, locale string) error {
	var file struct {
		Main map[string]struct {
			Dates struct {
				Calendars struct {
					Gregorian struct {
						Months map[string]map[string]map[string]string
					}
				}
			}
		}
	}
	if err := json.NewDecoder(r).Decode(&file); err != nil {
		return err
	}
	language, _, _ := strings.Cut(locale, "-")
	for _, widths := range file.Main[locale].Dates.Calendars.Gregorian.Months {
		for _, width := range []string{"wide", "abbreviated"} {
			for number, name := range widths[width] {
				month, err := strconv.Atoi(number)
				if err != nil {
					return err
				}
				n.note(name, month, language)
			}
		}
	}
	return nil
}

// note adds one name, if it is of letters alone.
func (n names) note(name string, month int, language string) {
	name = strings.ToLower(strings.TrimRight(name, "."))
	letters := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) < 0
	if !letters || len(name) < 3 {
		return
	}
	if n[name] == nil {
		n[name] = map[int][]string{}
	}
	if !slices.Contains(n[name][month], language) {
		n[name][month] = append(n[name][month], language)
		slices.Sort(n[name][month])
	}
}

// format writes the file.
func (n names) format() []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(n)) {
		months := n[name]
		for _, month := range slices.Sorted(maps.Keys(months)) {
			fmt.Fprintf(&b, "%s %d", name, month)
			if len(months) > 1 {
				fmt.Fprintf(&b, " %s", strings.Join(months[month], " "))
			}
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}
