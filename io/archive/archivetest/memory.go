package archivetest

import (
	"bytes"

	"github.com/gleaner-web/gleaner/io/archive/dump"
)

// Memory is a [dump.Sink] that keeps its files in memory.
type Memory struct {
	Names []string          // of files, in the order in which they were first finished
	Files map[string][]byte // by name
}

// Create begins a file.
func (m *Memory) Create(name string) (dump.Output, error) {
	if err := dump.CheckName(name); err != nil {
		return nil, err
	}
	return &memoryFile{m: m, name: name}, nil
}

// memoryFile is a file in the making.
type memoryFile struct {
	bytes.Buffer
	m    *Memory
	name string
}

// Close gives the file to the sink.
// Only a file that was closed is there, as with sinks on disk, which rename it at its end.
func (f *memoryFile) Close() error {
	if f.m.Files == nil {
		f.m.Files = map[string][]byte{}
	}
	// A name that is used again replaces its file, and keeps its place.
	if _, known := f.m.Files[f.name]; !known {
		f.m.Names = append(f.m.Names, f.name)
	}
	f.m.Files[f.name] = f.Bytes()
	return nil
}

// Abort forgets the file.
// Nothing was given to the sink yet, so there is nothing to take back.
func (f *memoryFile) Abort() {}
