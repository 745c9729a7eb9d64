package view

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// fault is what could not be read of a file.
type fault struct {
	count, lost int64
	worst       schemas.Reject // the one with most bytes lost, the first of equal ones
}

func (f *fault) add(r schemas.Reject) {
	if f.count == 0 || r.Lost > f.worst.Lost {
		f.worst = r
	}
	f.count++
	f.lost += r.Lost
}

// These are advice for several kinds of damage.
const (
	fetchAgain   = "Compare its checksum with that of the original, and fetch it again."
	joinSegments = "Read the archive with the other segments in the same run."
	otherCopy    = "Compare these captures with another copy: the bytes changed, or the writer stated a wrong digest."
)

// faultTexts name the damage and the next step. The offset and the loss follow.
var faultTexts = map[schemas.Kind][2]string{
	schemas.KindGarbage: {
		"bytes outside any record", "Look at the bytes: a program may have written over or into the file.",
	},
	schemas.KindInflate:    {"damaged compressed data", fetchAgain},
	schemas.KindMixed:      {"several compressions in one file", "Nothing is lost. Other tools may stop there."},
	schemas.KindTruncated:  {"truncated", "Compare its size with that of the original, and fetch it again."},
	schemas.KindMissing:    {"a file that it names is missing", "Put the missing file beside it, and run ingest again."},
	schemas.KindUnreadable: {"not readable", "Check the disk and the permissions, and run ingest again."},
	schemas.KindSegment:    {"segments of records are missing", joinSegments},
	schemas.KindLeftOut:    {"left out", "Nothing is lost: it was not asked for."},
	schemas.KindUnsupported: {
		"no capture of a known format", "Leave it out if it is not an archive. Otherwise compare it with the original.",
	},
	schemas.KindDamaged:   {"damaged", fetchAgain},
	schemas.KindEncrypted: {"encrypted", "Decrypt it, and run ingest again."},
}

type advised struct {
	flag   schemas.Flag
	advice string
}

// flagAdvice is what to do about flags of captures, the worst first.
var flagAdvice = []advised{
	{schemas.FlagPartial, "Fetch the file again if the original is longer."},
	{schemas.FlagInflate, fetchAgain},
	{schemas.FlagChecksum, fetchAgain},
	{schemas.FlagUnverified, fetchAgain},
	{schemas.FlagPayload, otherCopy},
	{schemas.FlagBlock, otherCopy},
	{schemas.FlagSegment, joinSegments},
}

func flagLabel(name string) string { return cmp.Or(flagTexts[schemas.Flag(name)], name) }

// judge sets the state, the verdict and the advice. The fault is nil if all records were read.
func (a *ArchiveRow) judge(f *fault) {
	for _, v := range a.Flags {
		if isDoubtful(v.Value) {
			a.flagged += v.Count
		}
	}
	switch {
	case f != nil && isOther(f.worst) && a.Captures == 0:
		a.State, a.Verdict, a.Advice = "bad", "Not an archive of a known format.", "Leave it out, or look at what it is."
		if isIndex(a.File) {
			a.Verdict, a.Advice = "An index, not an archive.", "Read the records that it names: ingest --cdx="+a.File
		}
		return
	case f != nil:
		a.State = "bad"
		text, known := faultTexts[f.worst.Kind]
		if !known {
			text = [2]string{f.worst.Message, ""}
		}
		// If a capture could not be enriched, the archive has lost nothing.
		if f.lost == 0 && f.worst.Stage != "read" {
			a.State = "warn"
		}
		a.Verdict = fmt.Sprintf("%s at offset %s; %s lost; %s.", upper(text[0]), cli.FormatCount(f.worst.Offset),
			cli.FormatBytes(f.lost), cli.Plural(f.count, "reject"))
		a.Advice = text[1]
		return
	case a.flagged > 0:
		a.State = "warn"
		a.doubt()
		return
	}
	a.State, a.Verdict = "good", "Whole: all records were read."
	if a.Captures == 0 {
		a.Verdict = "All records were read; none is a capture."
	}
}

// doubt describes the flags of captures.
func (a *ArchiveRow) doubt() {
	for _, x := range flagAdvice {
		for _, v := range a.Flags {
			if v.Value == string(x.flag) {
				a.Verdict, a.Advice = cli.Plural(v.Count, "capture")+": "+v.Label+".", x.advice
				return
			}
		}
	}
	for _, v := range a.Flags {
		if isDoubtful(v.Value) {
			a.Verdict = cli.Plural(v.Count, "capture") + ": " + v.Label + "."
			return
		}
	}
}

// isDoubtful reports whether captures with a flag may be wrong or incomplete.
func isDoubtful(flag string) bool {
	return schemas.Flag(flag).Damages() ||
		slices.ContainsFunc(flagAdvice, func(a advised) bool { return string(a.flag) == flag })
}

func upper(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}
