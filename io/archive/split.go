package archive

import (
	"io"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/stream/member"
)

// Starts returns the starts of ranges of about every bytes: 0 first, then increasing offsets. An unsplit reader
// provably reaches each start too, so the ranges' captures, in order, are the file's. A file with a single member has
// only the start 0.
//
// If every is at most 0, the file is not split.
//
// In compressed files the proof is the chain rule of [member.FindStart]. An uncompressed file is walked from head to
// head, without reading blocks. An uncompressed file of lines is split after a line, and a compressed one is not split.
// Where a file goes on in another compression than it begins with, it is split no more, or only after that.
func Starts(src io.ReaderAt, size, every int64, f Format) ([]int64, error) {
	switch known := f.row(); {
	case known.lines != nil:
		return dump.LineStarts(src, size, every, known.lines)
	case known.whole != nil:
		return []int64{0}, nil
	case known.packed:
		return packedStarts(src, size, every)
	}
	if f.Compression == member.Plain {
		return plainStarts(src, size, every, f)
	}
	starts := []int64{0}
	for from := every; every > 0 && from < size; {
		// Strict: a wrong start would give captures that an unsplit reader does not see.
		q, err := member.FindStart(src, f.Compression, from, size, isHead(f.grammar(), true))
		if err != nil {
			return nil, err
		}
		if q >= size {
			break
		}
		starts = append(starts, q)
		// The next range is at least half as long as asked for, also where this start was found late.
		from = max(from+every, q+(every+1)/2)
	}
	return starts, nil
}

// plainStarts walks the records and takes the first start after each multiple of every.
func plainStarts(src io.ReaderAt, size, every int64, f Format) ([]int64, error) {
	starts := []int64{0}
	if every <= 0 || size <= every {
		return starts, nil
	}
	r, err := record.NewReader(src, member.Range{End: size, Size: size}, member.Plain, f.grammar(),
		record.Options{HeadsOnly: true, Others: otherGrammars(f)})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for from := every; ; {
		rec, err := r.Next()
		if err == io.EOF {
			return starts, nil
		}
		if err != nil {
			return nil, err
		}
		if r.Kind() != member.Plain || r.Grammar() != f.grammar() { // a range begins as its file does; see record.Reader
			return starts, nil
		}
		if rec.Offset >= from {
			starts = append(starts, rec.Offset)
			from = max(from+every, rec.Offset+(every+1)/2)
		}
	}
}
