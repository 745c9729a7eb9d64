package filter

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// MaxRecipeBytes bounds a recipe, which is written by hand, without the files of its lists.
const MaxRecipeBytes = 1 << 20

// Parse reads a recipe: a list of filters, each a name, or a name with its constants and lists.
//
//   - language: {allow: [fr, en], min_score: 0.65}
//   - urls: {block: "@blocked-domains.txt"}
//   - gopher_repetition
//   - gopher_quality: {min_words: 30}
//   - where: {filter: 'page_type = "article"'}
//
// A list may be a single value, or "@" and the name of a file with a value on each line, which read returns. Parse
// does not check whether the filters exist; Chain does.
func Parse(data []byte, read func(name string) ([]byte, error)) (Recipe, error) {
	if len(data) > MaxRecipeBytes {
		return nil, fmt.Errorf("it has more than %d bytes", MaxRecipeBytes)
	}
	var list []yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&list); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var recipe Recipe
	for _, node := range list {
		step, err := parseStep(node, read)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", node.Line, err)
		}
		recipe = append(recipe, step)
	}
	return recipe, nil
}

func parseStep(node yaml.Node, read func(string) ([]byte, error)) (Step, error) {
	var step Step
	if node.Kind == yaml.ScalarNode {
		return step, node.Decode(&step.Name)
	}
	var entry map[string]map[string]yaml.Node
	if err := node.Decode(&entry); err != nil || len(entry) != 1 {
		return step, errors.New("name a filter, or one with its settings: gopher_quality: {min_words: 30}")
	}
	step.Settings = Settings{Numbers: map[string]float64{}, Lists: map[string][]string{}}
	for name, settings := range entry {
		step.Name = name
		for key, value := range settings {
			var number float64
			if value.Tag != "!!str" && value.Decode(&number) == nil {
				step.Settings.Numbers[key] = number
				continue
			}
			list, err := parseList(value, read)
			if err != nil {
				return step, fmt.Errorf("%s: %s: %w", name, key, err)
			}
			step.Settings.Lists[key] = list
		}
	}
	return step, nil
}

// parseList reads a list: its values, a single value, or the lines of a file.
func parseList(node yaml.Node, read func(string) ([]byte, error)) (list []string, err error) {
	if node.Kind == yaml.SequenceNode {
		return list, node.Decode(&list)
	}
	var one string
	if err := node.Decode(&one); err != nil {
		return nil, err
	}
	name, isFile := strings.CutPrefix(one, "@")
	if !isFile {
		return []string{one}, nil
	}
	data, err := read(name)
	if err != nil {
		return nil, err
	}
	// Editors of Windows begin a file with a byte order mark, and end lines with CR.
	text := strings.TrimPrefix(string(data), "\ufeff")
	for line := range strings.SplitSeq(strings.TrimRight(text, "\r\n"), "\n") {
		list = append(list, strings.TrimSpace(line))
	}
	return list, nil
}
