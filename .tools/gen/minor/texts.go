package main

import (
	"archive/zip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A corpus holds the messages of a language.
type corpus struct{ learnt, kept []string }

// everywhere is the number of languages that have the same message if nobody has translated it.
const everywhere = 3

// readAll returns the messages of all languages. Each is there once, in lists in the order of their letters.
func readAll(folder string) (map[string]*corpus, error) {
	learnt, kept := map[string]map[string]bool{}, map[string]map[string]bool{}
	for _, list := range languages {
		for _, l := range list {
			learnt[l.code], kept[l.code] = map[string]bool{}, map[string]bool{}
			if err := l.read(folder, learnt[l.code], kept[l.code]); err != nil {
				return nil, fmt.Errorf("%s: %w", l.code, err)
			}
		}
	}
	in := map[string]int{}
	for _, messages := range learnt {
		for m := range messages {
			in[m]++
		}
	}
	texts := map[string]*corpus{}
	for code := range learnt {
		c := new(corpus)
		for _, m := range slices.Sorted(maps.Keys(learnt[code])) {
			if in[m] < everywhere {
				c.learnt = append(c.learnt, m)
			}
		}
		for _, m := range slices.Sorted(maps.Keys(kept[code])) {
			if in[m] < everywhere && !learnt[code][m] {
				c.kept = append(c.kept, m)
			}
		}
		texts[code] = c
	}
	return texts, nil
}

// read adds the messages of the language's files.
func (l *source) read(folder string, learnt, kept map[string]bool) error {
	add := func(to map[string]bool) func(string) {
		return func(message string) {
			if m := clean(message); m != "" {
				to[m] = true
			}
		}
	}
	var errs []error
	if l.wiki != "" {
		errs = append(errs, walk(filepath.Join(folder, "usr/share/mediawiki"), l.wiki+".json", func(name string) error {
			if isKept(name) {
				return readJSON(name, add(kept))
			}
			return readJSON(name, add(learnt))
		}))
	}
	if l.firefox != "" {
		errs = append(errs, readLangpack(filepath.Join(folder, "usr/lib/firefox-esr/browser/extensions",
			"langpack-"+l.firefox+"@firefox-esr.mozilla.org.xpi"), add(learnt)))
	}
	for _, at := range []string{
		filepath.Join("usr/lib/libreoffice/program/resource", l.office),
		filepath.Join("usr/share/locale", l.vlc),
	} {
		if strings.HasSuffix(at, "resource") || strings.HasSuffix(at, "locale") {
			continue
		}
		errs = append(errs, walk(filepath.Join(folder, at), ".mo", func(name string) error {
			return readMO(name, add(learnt))
		}))
	}
	return errors.Join(errs...)
}

// isKept reports whether the messages of a file of MediaWiki are not learnt from. These are the messages of its
// installer, of its interfaces for programs, and of every fifth extension.
func isKept(name string) bool {
	if strings.Contains(filepath.ToSlash(name), "/includes/") {
		return true
	}
	_, after, ok := strings.Cut(filepath.ToSlash(name), "/extensions-core/")
	if !ok {
		return false
	}
	extension, _, _ := strings.Cut(after, "/")
	h := fnv.New32a()
	_, _ = h.Write([]byte(extension)) // a hash has no errors
	return h.Sum32()%5 == 0
}

// walk calls visit with the files in a folder whose name is, or ends in, suffix.
func walk(folder, suffix string, visit func(name string) error) error {
	n := 0
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() != suffix && (suffix[0] != '.' || !strings.HasSuffix(name, suffix)) {
			return err
		}
		n++
		return visit(name)
	})
	if err == nil && n == 0 {
		return fmt.Errorf("%s: no file %s", folder, suffix)
	}
	return err
}

// readJSON reads messages of MediaWiki.
func readJSON(name string, add func(string)) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var messages map[string]any
	if err := json.Unmarshal(data, &messages); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for key, value := range messages {
		if message, ok := value.(string); ok && !strings.HasPrefix(key, "@") {
			add(message)
		}
	}
	return nil
}

// readLangpack reads the Fluent messages and properties of a language pack of Firefox. A line has a name, an equals
// sign and a text. Further lines of the text may follow.
func readLangpack(name string, add func(string)) (err error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, z.Close()) }()
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, ".ftl") && !strings.HasSuffix(f.Name, ".properties") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return err
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(data)) {
			if key, text, ok := strings.Cut(line, "="); ok && !strings.HasPrefix(line, "#") &&
				!strings.Contains(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(key), ".")), " ") {
				add(text)
			} else if strings.HasPrefix(line, " ") {
				add(line)
			}
		}
	}
	return nil
}

// readMO reads the translations of a catalogue of gettext. Its header has the number of messages and the positions of
// two tables with the length and position of each message and each translation.
func readMO(name string, add func(string)) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	number := func(at uint32) uint32 {
		if uint64(at)+4 > uint64(len(data)) {
			return 0
		}
		return binary.LittleEndian.Uint32(data[at:])
	}
	if number(0) != 0x950412de {
		return fmt.Errorf("%s: not a catalogue of messages", name)
	}
	text := func(at uint32) string {
		size, start := uint64(number(at)), uint64(number(at+4))
		if start+size > uint64(len(data)) {
			return ""
		}
		return string(data[start : start+size])
	}
	for i := range number(8) {
		from, to := text(number(12)+8*i), text(number(16)+8*i)
		if from == "" { // its translation is the header
			continue
		}
		for form := range strings.SplitSeq(to, "\x00") {
			if form != from {
				add(form)
			}
		}
	}
	return nil
}

// marks are placeholders, markup and addresses.
var marks = regexp.MustCompile(`<[^>]*>|\{\{[A-Za-z#:]*[:|]?|\[?(?:https?:|//)\S*|\$\w+|%[0-9$]*\w|&\w+;|\{[^}|]*\}|` +
	`\\[a-z0-9]+|\b[A-Z]{2,}\w*\b|\S*[@/_.]\w\S*|~`)

// clean returns the words of a message, or "" if there are less than two.
func clean(message string) string {
	fields := strings.Fields(marks.ReplaceAllString(message, " "))
	if len(fields) < 2 {
		return ""
	}
	return strings.Join(fields, " ")
}
