// Command cldr writes the words and names of currencies that transforms/cldr embeds. They come from CLDR of Unicode
// (Unicode-3.0), in the npm packages cldr-dates-full and cldr-numbers-full. npm fetches them, and their SHA-256 is
// checked:
//
//	go generate ./transforms/cldr
//
// A line has a word in lower case, its meaning, and its languages. Meanings 1 to 12 are months, and 21 to 27 the days
// of the week from Monday. 100 and more are words of scale: 100 plus the number of zeros.
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

	"github.com/gleaner-web/gleaner/transforms/packed"
)

// version is the version of both packages.
const version = "48.2.0"

// pack is a package with the file to read for each language.
type pack struct {
	name, sum, file string
}

var (
	dates = pack{
		"cldr-dates-full", "0256f1cefeca14f7d515be4872dda48fcdd7e75381430f25aafd0143eae5b430", "ca-gregorian.json",
	}
	numbers = pack{
		"cldr-numbers-full", "2d17a1453c559a62112caeed52e0bcfe3cb8539c99d239ae7b7ed4d0827679d9", "numbers.json",
	}
	money = pack{numbers.name, numbers.sum, "currencies.json"}
)

// languages are those of transforms/langid in CLDR, and those that feeds declare. Indian English adds only words that
// other English does not have.
var languages = strings.Fields("af am ar as ast az be bg bn br bs ca ceb cs cy da de el " +
	"en en-IN eo es es-MX et eu fa " +
	"fi fil fo fr fy ga gd gl gu ha he hi hr hu hy id ig is it ja ka kk km kn ko ky lb lo lt lv mi mk ml mn mr ms mt my " +
	"nb ne nl nn om or pa pl ps pt pt-PT ro ru rw si sk sl sn so sq sr sr-Latn st sv sw ta te tg th ti tk tn tr tt ug " +
	"uk ur uz vi xh yi yo zh zh-Hant zu")

func main() {
	log.SetFlags(0)
	out := flag.String("out", ".", "folder to write words.txt and currencies.tsv.zst into")
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
		for _, p := range []pack{dates, numbers} {
			cmd := exec.Command("npm", "pack", "--silent", p.name+"@"+version)
			cmd.Dir, cmd.Stderr = dir, os.Stderr
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("npm pack: %w", err)
			}
		}
		source = dir
	}
	n, c := names{}, currencies{}
	if err := errors.Join(addPack(dates, source, n.addDates), addPack(numbers, source, n.addScales),
		addPack(money, source, c.add)); err != nil {
		return err
	}
	c.addFurther()
	packed, err := packed.Pack(c.format())
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(out, "words.txt"), n.format(), 0o644),
		os.WriteFile(filepath.Join(out, "currencies.tsv.zst"), packed, 0o644))
}

// names maps a word and its meaning to its languages.
type names map[string]map[int][]string

// addPack reads the files of a package with add, which gets their content and language.
func addPack(p pack, dir string, add func([]byte, string) error) error {
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
		if err := add(file, locale); err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
	}
}

// dayNumbers has the keys of CLDR's days.
var dayNumbers = map[string]int{"mon": 21, "tue": 22, "wed": 23, "thu": 24, "fri": 25, "sat": 26, "sun": 27}

// addDates reads a ca-gregorian.json.
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

// addScales reads a numbers.json with compact forms such as "0 million", "000 Mio'.'", "00万". The word's zeros are
// the digits of the key minus those of the form.
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

// noteScale adds the word of a compact form if it is a single word after the digits.
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

// note adds a name if it has only letters. It removes dots and Catalan prefixes. It skips months of two letters,
// which are too ambiguous.
func (n names) note(name string, number int, locale string) {
	name = strings.ToLower(strings.ReplaceAll(name, ".", ""))
	name = strings.TrimPrefix(strings.TrimPrefix(name, "de "), "d’")
	letters := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) < 0
	// Only the long scales differ in Indian English.
	if locale == "en-IN" && (number < 100 || len(name) < 4) {
		return
	}
	// In few languages a letter is a scale; months and days of one letter would be ambiguous.
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

// format returns the content of the file.
func (n names) format() []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(n)) {
		for _, number := range slices.Sorted(maps.Keys(n[name])) {
			fmt.Fprintf(&b, "%s %d %s\n", name, number, strings.Join(n[name][number], " "))
		}
	}
	return b.Bytes()
}
