package archivetest

import (
	"bytes"

	"github.com/gleaner-web/gleaner/io/archive/dump"
)

// Memory is a [dump.Sink] that keeps its files in memory.
type Memory struct {
	Names []string          // of files, in the order of their first Close
	Files map[string][]byte // by name
}

// Create begins a file.
func (m *Memory) Create(name string) (dump.Output, error) {
	if err := dump.CheckName(name); err != nil {
		return nil, err
	}
	return &memoryFile{m: m, name: name}, nil
}

type memoryFile struct {
	bytes.Buffer
	m    *Memory
	name string
}

// Close hands the file to the sink. As with sinks on disk, only closed files exist.
func (f *memoryFile) Close() error {
	if f.m.Files == nil {
		f.m.Files = map[string][]byte{}
	}
	// A repeated name replaces its file and keeps its position.
	if _, known := f.m.Files[f.name]; !known {
		f.m.Names = append(f.m.Names, f.name)
	}
	f.m.Files[f.name] = f.Bytes()
	return nil
}

// Abort drops the file.
func (f *memoryFile) Abort() {}
