package standing

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// Report says what becomes of rows whose archives were not found, of all classes.
type Report struct {
	Outcome
	other   int            // rows that stay, made with other options
	lacking map[string]int // of these, rows without a format of the folder, by format
}

// Add adds the outcome of a class.
func (r *Report) Add(o Outcome) {
	r.Stay = append(r.Stay, o.Stay...)
	r.Pruned = append(r.Pruned, o.Pruned...)
	r.Redone, r.Removed = r.Redone+o.Redone, r.Removed+o.Removed
	r.Gone, r.Unnamed = r.Gone+o.Gone, r.Unnamed+o.Unnamed
	if r.Waiting = append(r.Waiting, o.Waiting...); o.Waits != "" {
		slices.Sort(r.Waiting)
		r.Waits = min(cmp.Or(r.Waits, o.Waits), o.Waits)
	}
}

// Compare counts the rows that stay with other options, and the formats that these lack.
func (r *Report) Compare(options string, formats []string) {
	r.other, r.lacking = 0, map[string]int{}
	for _, row := range r.Stay {
		if row.Options == options {
			continue
		}
		r.other++
		for _, f := range formats {
			// The index covers all units, whatever their formats.
			if f != holdings.FormatCDXJ && !slices.Contains(holdings.FormatsOf(row.Shards), f) {
				r.lacking[f]++
			}
		}
	}
}

// Lines are a sentence each, for the log and the summary; none if every archive was found.
func (r *Report) Lines() (list []string) {
	if r.Gone > 0 {
		list = append(list, subject(r.Gone, "unit", " of archives that are no longer there stay", "; --prune removes them"))
	}
	if r.Unnamed > 0 {
		list = append(list, subject(r.Unnamed, "unit", " of archives that this command does not name stay", ""))
	}
	if r.other > 0 {
		list = append(list, cli.FormatCount(int64(r.other))+" of these with the options that made them, which "+
			"manifest.json names")
	}
	for _, format := range slices.Sorted(maps.Keys(r.lacking)) {
		list = append(list, fmt.Sprintf("%s of these without %s", cli.FormatCount(int64(r.lacking[format])), format))
	}
	if len(r.Pruned)+r.Redone > 0 {
		list = append(list, r.prunes())
	}
	if n := len(r.Waiting); n > 0 {
		list = append(list, subject(n, "unit", " of a run that was interrupted wait", ", of archives such as "+
			schemas.Printable(r.Waits)+": --add with these takes them in, and --prune removes those whose archives are gone"))
	}
	return list
}

// subject makes a sentence about n things. Its verb is the last word of the argument what.
func subject(n int, noun, what, more string) string {
	if n == 1 {
		what += "s"
	}
	return cli.Plural(n, noun) + what + more
}

// prunes describes what --prune removes, in documents, because these are what users would miss.
func (r *Report) prunes() string {
	documents := r.Removed
	for _, row := range r.Pruned {
		documents += documentsOf(row)
	}
	text := fmt.Sprintf("--prune removes %s of archives that are no longer there",
		cli.Plural(int(documents), "document"))
	if r.Redone > 0 {
		text += fmt.Sprintf(", and does %s again for the others in them", cli.Plural(r.Redone, "unit"))
	}
	return text
}

// documentsOf returns how many documents a row has; an index alone has none, and counts its captures.
func documentsOf(r ledger.Row) int64 { return cmp.Or(r.Documents, r.Captures) }
