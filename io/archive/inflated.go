package archive

import (
	"errors"
	"fmt"
	"os"

	"github.com/gleaner-web/gleaner/io/archive/wacz"
	"github.com/gleaner-web/gleaner/schemas"
)

// A WACZ file that another one deflates cannot be read in place, since its directory is at its end. It is inflated
// into a temporary file, and read as a WACZ file there. To others it is one member of the outer file: all its captures
// begin where it does, and are told apart by their sequence.

// isNested reports whether a part is such a file.
func (r *packedReader) isNested(p *wacz.Part) bool {
	return p.Packed && r.depth < maxInflated && r.pack.IsPackage(p)
}

// maxInflated bounds how many such files may be in each other: each takes the space of those in it once more.
const maxInflated = 3

// inflatedReader reads one.
type inflatedReader struct {
	*packedReader
	part     wacz.Part
	file     *os.File
	named    bool // the system keeps the name of a file that is open
	sequence int
	lost     int64 // bytes of the outer file, as far as they were told
}

// inflate begins to read a deflated WACZ file.
func (r *packedReader) inflate(p wacz.Part) error {
	file, err := os.CreateTemp("", "gleaner-wacz-*")
	if err != nil {
		return fmt.Errorf("a place for %.200q, which is deflated: %w", p.Name, err)
	}
	x := &inflatedReader{part: p, file: file}
	// Without a name it is gone when it is closed, also after a crash.
	x.named = os.Remove(file.Name()) != nil
	// If its data is damaged, the part before is read as a truncated file; Check has reported it.
	size, err := r.pack.Inflate(&p, file)
	bad := (*wacz.InflateError)(nil)
	// Any other error says nothing of the data: the disk may be full, for one.
	if err != nil && !errors.As(err, &bad) {
		x.remove()
		return err
	}
	// By its directory, which its name does not tell: any ZIP file may stand among the files of a package.
	is, err := wacz.Is(file, size)
	if !is || err != nil {
		x.remove()
		lost := noArchive(p, p.Offset, p.Offset+p.Size)
		// Damaged data may be an archive that is not recognised any more, so it counts as lost.
		if bad != nil {
			lost.Unsupported, lost.Message = false, fmt.Sprintf("%.200q: %v", p.Name, bad)
		}
		// Other files of a package need not be archives, and are not a fault then.
		if err == nil && (bad != nil || p.Role == wacz.RoleArchive) {
			r.problems = append(r.problems, lost)
		}
		return err
	}
	o := r.o
	o.Suspects = nil // of places in the outer file
	if x.packedReader, err = newPackedReader(file, Input{Name: r.in.Name, Size: size, End: size}, o); err != nil {
		x.remove()
		return err
	}
	x.depth = r.depth + 1
	r.now = x
	return nil
}

// Next is that of Reader, with places in the outer file.
func (r *inflatedReader) Next() (Item, error) {
	item, err := r.packedReader.Next()
	if c := item.Capture; c != nil {
		// Length 0 is unknown: the capture has no bytes of its own in the outer file.
		c.Origin.Offset, c.Origin.Length, c.Origin.Sequence = r.part.Offset, 0, r.sequence
		r.sequence++
	}
	if j := item.Reject; j != nil {
		// No more than all of it can be lost.
		j.Lost = min(j.Lost, r.part.Size-r.lost)
		r.lost += j.Lost
		j.Offset, j.Length = r.part.Offset, r.part.Size
	}
	return item, err
}

// Counts are those of Reader.
func (r *inflatedReader) Counts() schemas.Counts {
	c := r.packedReader.Counts()
	// Bytes of the outer file, as for all other inputs.
	c.BytesRead, c.BytesLost = r.part.Size, r.lost
	return c
}

// Close closes the temporary file, too.
func (r *inflatedReader) Close() {
	r.packedReader.Close()
	r.remove()
}

func (r *inflatedReader) remove() {
	_ = r.file.Close() // nothing that was written is needed any more
	if r.named {
		_ = os.Remove(r.file.Name()) // in a folder for such files, which is cleaned
	}
}
