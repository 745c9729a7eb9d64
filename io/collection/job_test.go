package collection

import (
	"errors"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
)

// TestOpen_jobThatGoesOn: what looks like a leftover of a killed run is swept only when the job that it is of has
// ended.
func TestOpen_jobThatGoesOn(t *testing.T) {
	dir := t.TempDir()
	shut(t, open(t, dir, OpenOptions{}))
	if err := claim.NoteJob(local(dir), []byte("job 7")); err != nil {
		t.Fatal(err)
	}
	temp := ledger.TempName(holdings.ManifestFile, "1-0123456789abcdef-1")
	write(t, dir+"/"+temp, "half of it")
	active := errors.New("it has not ended")
	for _, o := range []OpenOptions{
		{JobEnded: func([]byte) error { return active }},
		{JobEnded: func([]byte) error { return active }, Fresh: true},
		{},
	} {
		_, err := Open(local(dir), o)
		if !errors.Is(err, claim.ErrBusy) || o.JobEnded != nil &&
			(!errors.Is(err, active) || !strings.Contains(err.Error(), "job.json")) {
			t.Errorf("Open = %v, want %v, why, and where the note is", err, claim.ErrBusy)
		}
		if _, err := local(dir).Size(temp); err != nil {
			t.Fatalf("the folder was swept: %v", err)
		}
	}
	var asked string
	shut(t, open(t, dir, OpenOptions{JobEnded: func(note []byte) error { asked = string(note); return nil }}))
	if _, err := local(dir).Size(temp); asked != "job 7" || err == nil {
		t.Errorf("asked about %q, want job 7; and then the folder is swept (%v)", asked, err)
	}
	shut(t, open(t, dir, OpenOptions{})) // the note is gone
}

// TestFinish_forgetsTheJob: a finished folder has no note of a job, so it can be opened at once.
func TestFinish_forgetsTheJob(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir, OpenOptions{})
	if err := claim.NoteJob(local(dir), []byte("job 7")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Finish(nil, Run{}); err != nil {
		t.Fatal(err)
	}
	shut(t, c)
	shut(t, open(t, dir, OpenOptions{}))
}
