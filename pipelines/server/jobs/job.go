package jobs

import "time"

// State is the state of a job.
type State string

// These are the states. A job is in the first two temporarily, and stays in any of the others.
const (
	// These words are in job.json and in the answers of the REST API: do not change them.
	Queued    State = "queued"
	Running   State = "running"
	Done      State = "done"
	Losses    State = "losses" // done, but something could not be read: exit code 3
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// IsLive reports whether the job will still change.
func (s State) IsLive() bool { return s == Queued || s == Running }

// Request is a request for a job.
type Request struct {
	Verb string `json:"verb"`
	// The server makes these from the forms of package form, and never copies them from a request.
	Args   []string            `json:"args"`             // of the command
	Values map[string][]string `json:"values,omitempty"` // of the form, to fill it in again
	Brief  string              `json:"brief"`            // subject, for people
	By     string              `json:"by,omitempty"`     // account that asked
	Output string              `json:"output,omitempty"` // file that it makes, "" for a folder
	Result string              `json:"result,omitempty"` // page of the result
}

// Job is a job, as stored in job.json. Callers get a copy.
type Job struct {
	Number int64 `json:"number"`
	Request
	State   State     `json:"state"`
	Created time.Time `json:"created"`
	Started time.Time `json:"started,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`
	// This is the exit code of the command, as defined in package cli; it is 0 until the command has ended.
	Code   int    `json:"exit_code"`
	Error  string `json:"error,omitempty"`  // cause of the failure
	Cancel string `json:"cancel,omitempty"` // name of the user who cancelled it; "-" for a user without a name
	Again  int    `json:"again,omitempty"`  // how many times it was run again after the server had ended
	// These are the number and start of the process, and 0 while none runs. After a kill, the next server looks for
	// this process.
	PID   int    `json:"pid,omitempty"`
	Began uint64 `json:"began,omitempty"` // start of the process, so that no other one is confused with it
}
