package statement

import (
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// Notes returns what the command said about the answer. Call it after Read has returned io.EOF.
func (a *Answer) Notes() []string { return notes(string(a.child.stderr)) }

// maxNotes is the most notes of an answer.
const maxNotes = 20

func notes(stderr string) (list []string) {
	for line := range strings.Lines(stderr) {
		_, note, _ := strings.Cut(line, ": "+cli.AboutAnswer)
		if note = strings.TrimSpace(note); note != "" && len(list) < maxNotes {
			list = append(list, cut(note))
		}
	}
	return list
}
