// Package subtitle reads the text of subtitles without their times. The formats are WebVTT
// (https://www.w3.org/TR/webvtt1/) and SubRip (SRT).
//
//	d := subtitle.Read(body, doctext.Options{})
package subtitle

import (
	"bytes"
	"html"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

var (
	// tag matches tags of WebVTT, with names and times, and of SubRip, which has some of HTML. Variable reading matches
	// the readings of characters, override codes of SSA, and ending line ends, also of files that were converted twice.
	tag      = pattern.Lazy(`</?[A-Za-z0-9][^<>]*>`)
	reading  = pattern.Lazy(`<rt(?:[.\s][^<>]*)?>[^<]*</rt>`)
	override = pattern.Lazy(`\{\\[^{}]*\}`)
	ending   = pattern.Lazy(`\r+\n?`)
	digits   = pattern.Lazy(`^[0-9]+$`)
)

// arrow is between the times of a cue.
const arrow = "-->"

// Read returns the text of subtitles, one line for each. Lines repeated in captions that roll up come once.
func Read(body []byte, o doctext.Options) *doctext.Document {
	o = o.WithDefaults()
	d := &doctext.Document{}
	text, _, err := charset.Decode(body, charset.Detect(body, "", charset.Options{}).Name)
	if err != nil {
		// Bytes that cannot be decoded are read unchanged.
		text = body
	}
	r := reader{doc: d, limit: o.MaxText}
	// One file may have all three line ends.
	text = ending().ReplaceAllFunc(text, func(end []byte) []byte {
		if end[len(end)-1] == '\n' {
			return []byte("\n")
		}
		return bytes.Repeat([]byte("\n"), len(end)) // of old Macs
	})
	number := "" // a block of its own, as in files with an empty line after each line
	for block := range blocks(text) {
		next := ""
		if len(block) == 1 && digits().MatchString(block[0]) {
			next, block = block[0], nil
		}
		if number != "" && (next != "" || !strings.Contains(block[0], arrow)) {
			block = slices.Insert(block, 0, number)
		}
		if number = next; len(block) == 0 {
			continue
		}
		if !r.block(block) {
			d.Add(doctext.KindLimit, "the text is longer than what is read")
			break
		}
	}
	if number != "" && !r.block([]string{number}) {
		d.Add(doctext.KindLimit, "the text is longer than what is read")
	}
	d.Text = r.out.String()
	return d
}

// blocks yields the groups of lines between empty lines.
func blocks(text []byte) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		var block []string
		for line := range bytes.Lines(text) {
			if line = bytes.TrimSpace(line); len(line) > 0 {
				block = append(block, string(line))
				continue
			}
			if len(block) > 0 && !yield(block) {
				return
			}
			// The slice is used again, since no reader keeps it.
			block = block[:0]
		}
		if len(block) > 0 {
			yield(block)
		}
	}
}

// reader collects the lines of cues. Field last holds those of the cue before.
type reader struct {
	doc   *doctext.Document
	out   strings.Builder
	limit int
	last  []string
	begun bool // a cue was there, so a block without times is its text after an empty line
}

// block adds the text of a cue, and reports whether there is room for more. Blocks without times before the first cue
// are the file's head, a style sheet or a note.
func (r *reader) block(lines []string) bool {
	var kept []string
	start := 0
	for i, line := range lines {
		if strings.Contains(line, arrow) {
			// The number or name of a cue is before its times. If an empty line is missing, text of the cue before is
			// there too, and only a number is known.
			if i > start && !r.begun {
				kept = kept[:0]
			} else if n := len(kept) - 1; n >= 0 && (i == 1 || digits().MatchString(kept[n])) {
				kept = kept[:n]
			}
			start, r.begun = i+1, true
			continue
		}
		kept = append(kept, line)
	}
	// Nothing before the first cue is text, and notes may be between cues.
	if !r.begun || start == 0 && isNote(lines[0]) {
		return true
	}
	now := make([]string, 0, len(kept))
	for _, line := range kept {
		line = clean(line)
		if line == "" {
			continue
		}
		now = append(now, line)
		// Captions that roll up show a line again in the next cue.
		if contains(r.last, line) {
			continue
		}
		if r.out.Len()+len(line)+1 > r.limit {
			return false
		}
		if r.out.Len() > 0 {
			r.out.WriteByte('\n')
		}
		r.out.WriteString(line)
	}
	// This includes the repeated lines, since the next cue may show them again.
	r.last = now
	return true
}

// isNote reports whether a block without times is a note, a style sheet or a region.
func isNote(line string) bool {
	for _, word := range []string{"NOTE", "STYLE", "REGION"} {
		// The text of a note may begin on the same line.
		if line == word || strings.HasPrefix(line, word+" ") {
			return true
		}
	}
	return false
}

// clean returns the text of a line.
func clean(line string) string {
	// Tags come before references: &lt;i&gt; is text and not a tag. \N is the line break of SSA.
	line = override().ReplaceAllString(tag().ReplaceAllString(reading().ReplaceAllString(line, ""), ""), "")
	return strings.Join(strings.Fields(strings.ReplaceAll(html.UnescapeString(line), `\N`, " ")), " ")
}

// contains reports whether one of the last lines equals line. A cue has only a few lines.
func contains(lines []string, line string) bool {
	const few = 4
	for _, l := range lines[max(0, len(lines)-few):] {
		if l == line {
			return true
		}
	}
	return false
}
