package jobs

import "time"

// State is how far a job is.
type State string

// The states. A job is in the first two for a time, and in one of the others for good.
const (
	// The words are in job.json and in the answers of the REST API: they are not to change.
	Queued    State = "queued"
	Running   State = "running"
	Done      State = "done"
	Losses    State = "losses" // done, and something could not be read: exit code 3
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// IsLive reports whether the job will change.
func (s State) IsLive() bool { return s == Queued || s == Running }

// Request is what a job is asked for.
type Request struct {
	Verb string `json:"verb"`
	// Written by the server from the forms of package form, never taken from a request as they are.
	Args   []string            `json:"args"`             // of the command
	Values map[string][]string `json:"values,omitempty"` // of the form, to fill it again
	Brief  string              `json:"brief"`            // what it is about, for people
	By     string              `json:"by,omitempty"`     // account that asked
	Output string              `json:"output,omitempty"` // file that it makes, "" for a folder
	Result string              `json:"result,omitempty"` // page of what it makes
}

// Job is a job.
// It is what job.json holds, and is copied to callers that ask.
type Job struct {
	Number int64 `json:"number"`
	Request
	State   State     `json:"state"`
	Created time.Time `json:"created"`
	Started time.Time `json:"started,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`
	// The exit code of the command, as package cli has them; 0 until it has ended.
	Code   int    `json:"exit_code"`
	Error  string `json:"error,omitempty"`  // what it failed with
	Cancel string `json:"cancel,omitempty"` // who asked for it to be cancelled; - for nobody's name
	Again  int    `json:"again,omitempty"`  // times that it was run again since the server had ended
	// Number and start of the process, 0 while none runs: what the next server looks for after a kill.
	PID   int    `json:"pid,omitempty"`
	Began uint64 `json:"began,omitempty"` // when the process began, as the system counts, so that no other one is meant
}
