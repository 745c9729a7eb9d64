package view

// JobsRequest is a request for the list of jobs.
type JobsRequest struct {
	State string `json:"state,omitempty" query:"state" enum:"queued,running,done,losses,failed,cancelled" doc:"only those"`
}

// Jobs are the jobs, newest first, and the commands that can be started. Took is in milliseconds, as in Answer. Answer
// itself is not used, since it belongs to a collection.
type Jobs struct {
	Took  float64  `json:"took_ms"`
	Jobs  []JobRow `json:"jobs"`
	Forms []Choice `json:"forms" doc:"what can be started: ingest, query, sources"`
	// Live means that a job is queued or running, so the list changes.
	Live bool `json:"live"`
}

// JobRow is the list entry of a job.
type JobRow struct {
	Number int64  `json:"number"`
	Verb   string `json:"verb" doc:"ingest, query or sources"`
	Title  string `json:"title" doc:"for people: Ingest archives"`
	// The words are those of jobs.State.
	State    string  `json:"state" doc:"queued, running, done, losses, failed or cancelled"`
	Brief    string  `json:"brief" doc:"what it is about: its archives, or its query"`
	By       string  `json:"by,omitempty" doc:"who started it"`
	Created  string  `json:"created"`
	Started  string  `json:"started,omitempty"`
	Ended    string  `json:"ended,omitempty"`
	Seconds  float64 `json:"seconds,omitempty"`
	Progress string  `json:"progress,omitempty" doc:"last line of its progress: 3 of 7 units · 9.5 MiB read"`
	Share    float64 `json:"share" doc:"that is done, 0 to 1; -1 where not known"`
	Error    string  `json:"error,omitempty" doc:"what it failed with, and what to do"`
	Code     int     `json:"exit_code"`
	// It is quoted so that people can repeat it; the server does not read it back.
	Command string `json:"command" doc:"the same for a POSIX shell"`
	Link    string `json:"link"`
	Result  string `json:"result,omitempty" doc:"page of what it made"`
	// Cancel and Repeat are the paths of forms, or "" if the action is not possible.
	Cancel string `json:"cancel,omitempty"`
	Repeat string `json:"repeat,omitempty" doc:"form with the same values"`
}

// JobRequest is a request for one job.
type JobRequest struct {
	Number int64 `json:"number" path:"number" minimum:"1" doc:"of the job"`
}

// JobOne is a job with its log.
type JobOne struct {
	// It is embedded, so that its fields are beside the log in JSON.
	Took float64 `json:"took_ms"`
	JobRow
	Log    string `json:"log" doc:"the last 64 KiB of what it said"`
	LogCut bool   `json:"log_cut,omitempty"`
}

// FormRequest is a request for the form of a new job.
type FormRequest struct {
	Verb string `json:"verb,omitempty" query:"verb" enum:"ingest,query,sources" doc:"the command to start; ingest without it"`
	From int64  `json:"from,omitempty" query:"from" minimum:"0" doc:"job whose values it begins with"`
}

// Form is the form of a job, made of the command's own flags. Pages and programs can draw it: it has everything that a
// field needs.
type Form struct {
	Took    float64  `json:"took_ms"`
	Verb    string   `json:"verb"`
	Title   string   `json:"title"`
	Verbs   []Choice `json:"verbs"`
	Inputs  []Input  `json:"inputs"`
	Command string   `json:"command" doc:"the same for a POSIX shell"`
	Action  string   `json:"action" doc:"where it is posted to"`
	Root    string   `json:"root,omitempty" doc:"the folder that archives are named below; \"\" where none is asked for, or open to jobs"`
	Plans   bool     `json:"plans" doc:"POST /api/v1/jobs/form says what the command would do"`
	Plan    string   `json:"plan,omitempty" doc:"what the command would do, where that was asked for"`
	Error   string   `json:"error,omitempty"`
}

// Input is a field of a form.
type Input struct {
	Name  string `json:"name" doc:"of the flag; archives for the arguments"`
	Label string `json:"label"`
	Help  string `json:"help"`
	Kind  string `json:"kind" doc:"text, lines, number, size, choice, choices or switch"`
	// These are for choices only: all values, and the chosen ones.
	Choices []Choice `json:"choices,omitempty"`
	Value   string   `json:"value"`
	Example string   `json:"example,omitempty"`
	More    bool     `json:"more" doc:"shown under More options"`
	Error   string   `json:"error,omitempty"`
	Line    int      `json:"line,omitempty" doc:"of the value that is wrong, from 1"`
}
