package filesets

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// minNoted is the size of the smallest file that is recorded. Reading 64 MiB again takes less than half a second, while
// a record takes a file in the folder.
const minNoted = 64 << 20

// Ledger records large verified files until the run is finished: a resumed run does not read them again. It is safe for
// concurrent use.
type Ledger struct{ f folder.Folder }

// NewLedger returns the ledger of a folder.
func NewLedger(f folder.Folder) *Ledger { return &Ledger{f} }

// noted is an entry.
type noted struct {
	Identity string           `json:"identity"` // complete: names of files are hashes of it
	Meta     schemas.FileMeta `json:"file_meta"`
}

func noteFile(identity string) string {
	sum := sha256.Sum256([]byte(identity))
	return Hidden("verified-" + hex.EncodeToString(sum[:])[:keyDigits] + ".json")
}

// Seen returns the recorded data of a file. If the record is unreadable, the file is read again.
func (l *Ledger) Seen(identity string) (schemas.FileMeta, bool) {
	var n noted
	if err := folder.ReadJSON(l.f, noteFile(identity), maxFile, &n); err != nil {
		return schemas.FileMeta{}, false
	}
	return n.Meta, n.Identity == identity
}

// Note records a file, if it is large.
func (l *Ledger) Note(identity string, meta schemas.FileMeta) error {
	if meta.Size < minNoted {
		return nil
	}
	data, err := json.Marshal(noted{identity, meta})
	if err != nil {
		return err
	}
	return l.f.Write(noteFile(identity), data)
}
