package collection

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// maxNote bounds a note of a job, in bytes.
const maxNote = 64 << 10

// NoteJob notes in f, which is open, that a job is about to be submitted whose workers write to it on their own, also
// when this process, and the lock with it, is gone. The note is for callers that open the folder next; Finish removes
// it.
func NoteJob(f folder.Folder, note []byte) error {
	if err := f.Write(holdings.Hidden(jobFile), note); err != nil {
		return fmt.Errorf("collection: note of a job: %w", err)
	}
	return nil
}

// AwaitJob is ErrBusy while the job of a note in f has not ended: what looks like a leftover may be under way. ended
// tells that of a note: see OpenOptions.JobEnded. The note of a job that has ended is removed.
func AwaitJob(f folder.Folder, ended func(note []byte) error) error {
	note, err := folder.ReadFile(f, holdings.Hidden(jobFile), maxNote)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	// Nobody here can ask whether it has ended: to go on could double its work.
	if ended == nil {
		return fmt.Errorf("%w: it was a job of its own: %s", ErrBusy, note)
	}
	if err := ended(note); err != nil {
		return fmt.Errorf("%w: %w (the note of it is %s: remove it, if you know better)", ErrBusy, err,
			f.Path(holdings.Hidden(jobFile)))
	}
	return ForgetJob(f)
}

// ForgetJob removes the note of a job in f, when nothing more is written.
func ForgetJob(f folder.Folder) error {
	if err := f.Remove(holdings.Hidden(jobFile)); err != nil {
		return fmt.Errorf("collection: note of a job: %w", err)
	}
	return nil
}
