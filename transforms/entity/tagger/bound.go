package tagger

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// institutions are words for an institution of a place: University of Hull. The place after them is part of the name.
var institutions = words("university universities college institute bank museum ministry academy school faculty " +
	"department archdiocese diocese conservatory church observatory parliament")

// legalForms end names of firms. Their period would end a sentence.
var legalForms = strings.Fields("Ltd. Ltd LTD. LTD Inc. Inc INC. INC LLC L.L.C. PLC plc Corp. Corp CORP. GmbH Pvt. " +
	"PVT. Pty. " +
	"Co. S.A. B.V. N.V. Limited Incorporated")

// titlesOf are titles before the names of people.
var titlesOf = strings.Fields("Mr Mr. Mrs Mrs. Ms Ms. Miss Dr Dr. Prof Prof. Professor President Senator Sen. Rep. " +
	"Gov. " +
	"Governor Judge Justice Chancellor Capt. Captain Col. Colonel Gen. General Lt. Sgt. Sir Rev. Reverend")

// ofInstitution is the start, not before last, of the name of an institution whose place starts at start, or start.
func ofInstitution(text string, last, start int) int {
	before := text[last:start]
	rest, ok := strings.CutSuffix(before, " of ")
	if !ok {
		if rest, ok = strings.CutSuffix(before, " of the "); !ok {
			return start
		}
	}
	word := rest[strings.LastIndexAny(rest, " \t\n(\"'/,;:")+1:]
	if r, _ := utf8.DecodeRuneInString(word); !unicode.IsUpper(r) || !institutions[strings.ToLower(word)] {
		return start
	}
	return last + len(rest) - len(word)
}

// withLegalForm is the end, at most next, of a firm's name at end including its legal form.
func withLegalForm(text string, end, next int) int {
	for range 2 { // Pvt. Ltd.
		rest, dot := strings.CutPrefix(text[end:next], ".")
		word := text[strings.LastIndexByte(text[:end], ' ')+1 : end]
		if dot && !slices.Contains(legalForms, word+".") {
			break // the end of a sentence
		}
		rest, ok := strings.CutPrefix(strings.TrimPrefix(rest, ","), " ")
		if !ok {
			break
		}
		word = rest
		if i := strings.IndexAny(rest, " \t\n,;:()"); i >= 0 {
			word = rest[:i]
		}
		if !slices.Contains(legalForms, word) {
			break
		}
		end = next - len(rest) + len(word)
	}
	return end
}

// shortestName is the fewest bytes of a name after a title: Mr. T. is one.
const shortestName = 3

// withoutTitle is the start of a person's name after a title.
func withoutTitle(text string, start, end int) int {
	title, rest, ok := strings.Cut(text[start:end], " ")
	if r, _ := utf8.DecodeRuneInString(rest); ok && unicode.IsUpper(r) && len(rest) >= shortestName &&
		slices.Contains(titlesOf, title) {
		return end - len(rest)
	}
	return start
}
