// Package jsonl writes and reads JSON lines: one JSON value a line, UTF-8, compressed as zstd or gzip or not at all.
//
// A compressed file is a sequence of independent zstd frames or gzip members of about 4 MiB of JSON. Each begins at the
// beginning of a line. Every tool reads that as one stream. Files are recoverable: a damaged frame costs only its own
// lines, and a reader can begin at any frame. The same values written in the same order give the same bytes.
//
// The package does not validate: a reader returns lines, and decoding shows whether they are JSON.
//
//	w, err := jsonl.NewWriter(file, jsonl.Zstd)
//	err = w.Write(document)
//	err = w.Close() // the file remains open
package jsonl

import "fmt"

// Version is the version of the written form.
const Version = "2"

// Compression is the compression of a file of JSON lines.
type Compression string

// The compressions. The zero value is not a valid Compression: see ParseCompression.
const (
	Zstd Compression = "zstd"
	Gzip Compression = "gzip"
	None Compression = "none"
)

// ParseCompression returns the compression called s; "" is Zstd, the default.
func ParseCompression(s string) (Compression, error) {
	switch c := Compression(s); c {
	case "":
		return Zstd, nil
	case Zstd, Gzip, None:
		return c, nil
	}
	return "", fmt.Errorf("jsonl: compression %q is not zstd, gzip or none", s)
}

// Ext returns the file name extension for c: ".jsonl.zst", ".jsonl.gz" or ".jsonl".
func (c Compression) Ext() string {
	switch c {
	case Gzip:
		return ".jsonl.gz"
	case None:
		return ".jsonl"
	}
	return ".jsonl.zst"
}

// MaxLineBytes is the default limit of a line for readers, and the limit for writers.
const MaxLineBytes = 64 << 20
