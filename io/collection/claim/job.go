package claim

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// jobFile is the note's name in the hidden folder.
const jobFile = "job.json"

// maxNote limits the note of a job, in bytes.
const maxNote = 64 << 10

// NoteJob notes in f, an open folder, that a job is about to be submitted. Its workers write to f even after this
// process and its lock are gone. The next process to open the folder reads the note; Finish removes it.
func NoteJob(f folder.Folder, note []byte) error {
	if err := f.Write(holdings.Hidden(jobFile), note); err != nil {
		return fmt.Errorf("note of a job: %w", err)
	}
	return nil
}

// AwaitJob returns ErrBusy while the job noted in f has not ended, because its files look like leftovers. ended is
// OpenOptions.JobEnded. After the job has ended, AwaitJob removes the note.
func AwaitJob(f folder.Folder, ended func(note []byte) error) error {
	note, err := folder.ReadFile(f, holdings.Hidden(jobFile), maxNote)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	// Without a way to ask, continuing could repeat the job's work.
	if ended == nil {
		return fmt.Errorf("%w: it was a job of its own: %s", ErrBusy, note)
	}
	if err := ended(note); err != nil {
		return fmt.Errorf("%w: %w (the note of it is %s: remove it, if you know better)", ErrBusy, err,
			f.Path(holdings.Hidden(jobFile)))
	}
	return ForgetJob(f)
}

// ForgetJob removes the note of a job in f.
func ForgetJob(f folder.Folder) error {
	if err := f.Remove(holdings.Hidden(jobFile)); err != nil {
		return fmt.Errorf("note of a job: %w", err)
	}
	return nil
}

// ErrBusy means that another run is writing to the folder.
var ErrBusy = errors.New("another run is writing to this folder; wait for it, or name another folder")
