// Command cldr writes the words that transforms/cldr embeds, from the npm packages cldr-dates-full and
// cldr-numbers-full of Unicode's CLDR (Unicode-3.0), which npm fetches and whose SHA-256 is checked:
//
//	go generate ./transforms/cldr
//
// Each line of the file is a word in lower case, what it means, and the languages in which it means that: 1 to 12 are
// months, 21 to 27 the days of the week from Monday on, and 100 and more are words of scale (100 and the number of
// zeros).
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
	"unicode/utf8"
)

// version is that of both packages.
const version = "48.2.0"

// A pack is a package and the file of each language in it that is read.
type pack struct {
	name, sum, file string
	read            func(names, []byte, string) error
}

var packs = []pack{
	{
		"cldr-dates-full", "0256f1cefeca14f7d515be4872dda48fcdd7e75381430f25aafd0143eae5b430", "ca-gregorian.json",
		names.addDates,
	},
	{
		"cldr-numbers-full", "2d17a1453c559a62112caeed52e0bcfe3cb8539c99d239ae7b7ed4d0827679d9", "numbers.json",
		names.addScales,
	},
}

// languages are those of transforms/langid that CLDR has, and those that feeds declare. Of the English of India only
// the words count that other English has not.
var languages = strings.Fields("af am ar as ast az be bg bn br bs ca ceb cs cy da de el " +
	"en en-IN eo es es-MX et eu fa " +
	"fi fil fo fr fy ga gd gl gu ha he hi hr hu hy id ig is it ja ka kk km kn ko ky lb lo lt lv mi mk ml mn mr ms mt my " +
	"nb ne nl nn om or pa pl ps pt pt-PT ro ru rw si sk sl sn so sq sr sr-Latn st sv sw ta te tg th ti tk tn tr tt ug " +
	"uk ur uz vi xh yi yo zh zh-Hant zu")

func main() {
	log.SetFlags(0)
	out := flag.String("out", "words.txt", "file to write")
	source := flag.String("source", "", "folder with the packages; fetched by default")
	flag.Parse()
	if err := run(*out, *source); err != nil {
		log.Fatal("cldr: ", err)
	}
}

func run(out, source string) (err error) {
	if source == "" {
		dir, err := os.MkdirTemp("", "cldr")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		for _, p := range packs {
			cmd := exec.Command("npm", "pack", "--silent", p.name+"@"+version)
			cmd.Dir, cmd.Stderr = dir, os.Stderr
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("npm pack: %w", err)
			}
		}
		source = dir
	}
	n := names{}
	for _, p := range packs {
		if err := n.addPack(p, source); err != nil {
			return err
		}
	}
	return os.WriteFile(out, n.format(), 0o644)
}

// names are the languages in which a word means something, by word and meaning.
type names map[string]map[int][]string

// addPack reads the files of one package.
func (n names) addPack(p pack, dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, p.name+"-"+version+".tgz"))
	if err != nil {
		return err
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != p.sum {
		return fmt.Errorf("%s has the SHA-256 %s, not %s", p.name, got, p.sum)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		locale := path.Base(path.Dir(h.Name))
		if path.Base(h.Name) != p.file || !slices.Contains(languages, locale) {
			continue
		}
		file, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if err := p.read(n, file, locale); err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
	}
}

// dayNumbers are the keys of CLDR's days.
var dayNumbers = map[string]int{"mon": 21, "tue": 22, "wed": 23, "thu": 24, "fri": 25, "sat": 26, "sun": 27}

// addDates reads one ca-gregorian.json.
func (n names) addDates(file []byte, locale string) error {
	var data struct {
		Main map[string]struct {
			Dates struct {
				Calendars struct {
					Gregorian struct {
						Months, Days map[string]map[string]map[string]string
					}
				}
			}
		}
	}
	if err := json.Unmarshal(file, &data); err != nil {
		return err
	}
	calendar := data.Main[locale].Dates.Calendars.Gregorian
	for _, widths := range calendar.Months {
		for _, width := range []string{"wide", "abbreviated"} {
			for number, name := range widths[width] {
				month, err := strconv.Atoi(number)
				if err != nil {
					return err
				}
				n.note(name, month, locale)
			}
		}
	}
	for _, widths := range calendar.Days {
		for _, width := range []string{"wide", "abbreviated", "short"} {
			for day, name := range widths[width] {
				n.note(name, dayNumbers[day], locale)
			}
		}
	}
	return nil
}

// addScales reads one numbers.json: its compact forms are "0 million", "000 Mio'.'", "00万". The digits of the key less
// those of the form are the zeros of the word.
func (n names) addScales(file []byte, locale string) error {
	var data struct {
		Main map[string]struct{ Numbers map[string]json.RawMessage }
	}
	if err := json.Unmarshal(file, &data); err != nil {
		return err
	}
	for key, raw := range data.Main[locale].Numbers {
		if !strings.HasPrefix(key, "decimalFormats-") {
			continue
		}
		var forms map[string]json.RawMessage
		if err := json.Unmarshal(raw, &forms); err != nil {
			return err
		}
		for _, width := range []string{"long", "short"} {
			var form struct{ DecimalFormat map[string]string }
			if err := json.Unmarshal(forms[width], &form); err != nil {
				return err
			}
			for number, pattern := range form.DecimalFormat {
				n.noteScale(number, pattern, locale)
			}
		}
	}
	return nil
}

// noteScale adds the word of one compact form, if it is one word after the digits.
func (n names) noteScale(number, pattern, locale string) {
	digits, _, _ := strings.Cut(number, "-")
	word := strings.TrimLeft(pattern, "0")
	zeros := len(digits) - (len(pattern) - len(word))
	word = strings.TrimSpace(strings.NewReplacer("'", "", "\u200f", "", "\u200e", "").Replace(word))
	word = strings.TrimPrefix(word, "de ")
	if len(pattern) > 0 && pattern[0] == '0' && zeros > 0 {
		n.note(word, 100+zeros, locale)
	}
}

// note adds one name, if it is of letters alone; dots within and after it, and what Catalan puts before it, are left
// out. Months of two letters mean too much else.
func (n names) note(name string, number int, locale string) {
	name = strings.ToLower(strings.ReplaceAll(name, ".", ""))
	name = strings.TrimPrefix(strings.TrimPrefix(name, "de "), "d’")
	letters := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) < 0
	// Of India's English the long scales alone are other words.
	if locale == "en-IN" && (number < 100 || len(name) < 4) {
		return
	}
	// One letter is a scale in few languages, and a month or day of the week in none that could be distinguished from it.
	if !letters || name == "" || number < 100 && utf8.RuneCountInString(name) < 2 || number <= 12 && len(name) < 3 {
		return
	}
	language, _, _ := strings.Cut(locale, "-")
	if n[name] == nil {
		n[name] = map[int][]string{}
	}
	if !slices.Contains(n[name][number], language) {
		n[name][number] = append(n[name][number], language)
		slices.Sort(n[name][number])
	}
}

// format writes the file.
func (n names) format() []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(n)) {
		for _, number := range slices.Sorted(maps.Keys(n[name])) {
			fmt.Fprintf(&b, "%s %d %s\n", name, number, strings.Join(n[name][number], " "))
		}
	}
	return b.Bytes()
}
