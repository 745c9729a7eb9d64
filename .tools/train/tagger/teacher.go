package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// Of a page the first part is read, since pages differ more than what one of them says first and later.
const pageBytes = 1500

// readPages reads the main text of pages in English. Those of the list of judged names are left out: on them it is
// measured how good the model is.
func readPages(dir, judged string) (pages []string, err error) {
	list, err := os.ReadFile(judged)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "ground-truth/*.json"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	for _, f := range files {
		if id := strings.TrimSuffix(filepath.Base(f), ".json"); strings.Contains(string(list), "\n"+id+"\t") {
			continue
		}
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		var page struct {
			Truth struct {
				Content string `json:"main_content"`
			} `json:"ground_truth"`
		}
		if err := json.Unmarshal(data, &page); err != nil {
			return nil, err
		}
		if text := beginning(page.Truth.Content, pageBytes); isEnglish(text) {
			pages = append(pages, text)
		}
	}
	return pages, nil
}

// beginning returns at most limit bytes of text: whole lines if that is half of it, or whole words.
func beginning(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = text[:limit]
	if i := strings.LastIndexByte(text, '\n'); i > limit/2 {
		return text[:i]
	}
	if i := strings.LastIndexByte(text, ' '); i > 0 {
		text = text[:i]
	}
	return strings.ToValidUTF8(text, "")
}

// isEnglish tells whether two of a hundred words are those that any English text has.
func isEnglish(text string) bool {
	words, usual := 0, 0
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		words++
		switch w {
		case "the", "and", "of", "to", "a":
			usual++
		}
	}
	return words > 0 && usual*50 >= words
}

var errSilver = errors.New("the teacher's labels are not of these pages")

// readSilver reads what the teacher says of the runs of pages, 13 numbers for each token, and returns those that it
// has labelled.
func readSilver(lex *model.Lexicon, pages []string, dir string) ([]example, error) {
	data, err := os.ReadFile(filepath.Join(dir, "pages"))
	if err != nil {
		return nil, err
	}
	var examples []example
	for _, p := range pages {
		for _, e := range model.Examples(lex, p, nil) {
			size := len(e.Rows) * model.Labels * 4
			if size > len(data) {
				return nil, errSilver
			}
			soft := readRows(data[:size])
			if !slices.ContainsFunc(soft, func(r row) bool { return r[0] < 0 }) {
				examples = append(examples, example{Example: e, domain: web, soft: logs(soft)})
			}
			data = data[size:]
		}
	}
	if len(data) > 0 {
		return nil, errSilver
	}
	return examples, nil
}

func readRows(data []byte) []row {
	rows := make([]row, len(data)/4/model.Labels)
	for i := range rows {
		for y := range rows[i] {
			rows[i][y] = math.Float32frombits(binary.LittleEndian.Uint32(data[(i*model.Labels+y)*4:]))
		}
	}
	return rows
}

// logs makes scores of probabilities, in place. The least keeps a label that the teacher rules out from being
// impossible, where no other path is left.
func logs(rows []row) []row {
	for i := range rows {
		for y, p := range rows[i] {
			rows[i][y] = float32(math.Log(float64(max(p, 1e-5))))
		}
	}
	return rows
}
