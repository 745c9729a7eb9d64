package view

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/form"
	"github.com/gleaner-web/gleaner/pipelines/server/jobs"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// maxLog is how much of a job's log is shown, in bytes. The end is shown, since the last lines contain the result; the
// file has everything.
const maxLog = 64 << 10

// queue returns the jobs of the server to users with a role.
func (v *Views) queue(ctx context.Context, r Role) (*jobs.Queue, error) {
	if err := Need(ctx, r); err != nil {
		return nil, err
	}
	// Jobs read everything, and so does their output.
	if err := v.NeedWhole(ctx); err != nil {
		return nil, err
	}
	// The command always has a queue, but a program that uses the views need not have one.
	if v.o.Jobs == nil {
		return nil, &Error{
			Kind: NotFound, Title: "This server runs no jobs", Detail: "It was started without a folder for its state.",
			Remedy: "Start it with --state=FOLDER.",
		}
	}
	return v.o.Jobs, nil
}

// Jobs lists the jobs.
func (v *Views) Jobs(ctx context.Context, r JobsRequest) (*Jobs, error) {
	start := v.o.Now()
	q, err := v.queue(ctx, Viewer)
	if err != nil {
		return nil, err
	}
	// It is not nil: an empty list in JSON is [] and not null.
	list := &Jobs{Jobs: []JobRow{}, Forms: []Choice{}}
	for _, j := range q.List() {
		// Live includes all jobs, not only the listed ones: the page reloads while anything changes.
		list.Live = list.Live || j.State.IsLive()
		if r.State == "" || r.State == string(j.State) {
			list.Jobs = append(list.Jobs, v.jobRow(ctx, q, j))
		}
	}
	for _, f := range v.o.Forms {
		list.Forms = append(list.Forms, Choice{Value: f.Verb, Label: f.Title, Link: jobForm(f.Verb)})
	}
	list.Took = v.since(start)
	return list, nil
}

// Job describes one job, with the end of its log.
func (v *Views) Job(ctx context.Context, r JobRequest) (*JobOne, error) {
	start := v.o.Now()
	q, err := v.queue(ctx, Viewer)
	if err != nil {
		return nil, err
	}
	// This is a copy: the job may change while the answer is made.
	j, err := q.Get(r.Number)
	if err != nil {
		return nil, jobError(err)
	}
	one := &JobOne{JobRow: v.jobRow(ctx, q, j)}
	// A waiting job has no log yet; the text is empty, without an error.
	if one.Log, one.LogCut, err = q.Log(r.Number, maxLog); err != nil {
		return nil, err
	}
	one.Took = v.since(start)
	return one, nil
}

// jobError converts an error of the queue for the user.
func jobError(err error) error {
	switch {
	case errors.Is(err, jobs.ErrNone):
		return notFound("No such job", "GET /api/v1/jobs lists them.")
	case errors.Is(err, jobs.ErrOver):
		return &Error{Kind: Conflict, Title: "The job has ended", Detail: "There is nothing to cancel."}
	case errors.Is(err, jobs.ErrFull):
		return &Error{Kind: TooMany, Title: "Too many jobs are waiting", Remedy: "Wait, or cancel some.", Retry: 60}
	}
	return err
}

// share finds the completed share of the work in a line of progress. Commands write "(42%)" in such lines: see package
// cli.
var share = pattern.Lazy(`\(([0-9]{1,3})%\)`)

func (v *Views) jobRow(ctx context.Context, q *jobs.Queue, j jobs.Job) JobRow {
	// A verb of an earlier version may have no form any more; its title is empty then.
	f, _ := v.o.Forms.Find(j.Verb)
	row := JobRow{
		Number: j.Number, Verb: j.Verb, Title: f.Title, State: string(j.State), Brief: j.Brief, By: j.By,
		Created: rfc3339(j.Created), Started: rfc3339(j.Started), Ended: rfc3339(j.Ended), Error: j.Error, Code: j.Code,
		Command: commandOf(j.Verb, j.Args), Link: "/jobs/" + number(j.Number), Share: -1,
	}
	switch {
	// The progress is in the file. Reading its end is cheap, and only one job runs.
	case j.State == jobs.Running:
		row.Seconds = v.o.Now().Sub(j.Started).Seconds()
		row.Progress, row.Share = progressOf(q, j.Number)
	case !j.Ended.IsZero() && !j.Started.IsZero():
		row.Seconds = j.Ended.Sub(j.Started).Seconds()
	}
	// Damaged input also has a result, with the same page.
	if j.State == jobs.Done || j.State == jobs.Losses {
		row.Share, row.Result = 1, j.Result
	}
	// Viewers get no buttons; Start and Cancel check the role again.
	if ActorOf(ctx).Role >= Editor {
		row.Repeat = "/jobs/new?from=" + number(j.Number)
		if j.State.IsLive() {
			row.Cancel = "/jobs/" + number(j.Number) + "/cancel"
		}
	}
	return row
}

// progressOf returns the last line of a job's log, and the share in it.
func progressOf(q *jobs.Queue, n int64) (line string, done float64) {
	// 4 KiB hold many lines of progress, and only the last one is needed.
	log, _, err := q.Log(n, 4<<10)
	if err != nil {
		return "", -1 // the log itself is shown with its error
	}
	// In a log, commands write one line after the other, and do not overwrite the last one.
	lines := strings.Split(strings.TrimSpace(log), "\n")
	line = strings.TrimSpace(lines[len(lines)-1])
	return line, shareIn(line)
}

// shareIn returns the share in a line of progress, or -1: a line without one is shown too, for example while archives
// are being listed.
func shareIn(line string) float64 {
	m := share().FindStringSubmatch(line)
	if m == nil {
		return -1
	}
	percent, _ := strconv.Atoi(m[1]) // it consists of digits
	// Input that grows while it is read may exceed its size at the beginning.
	return min(1, float64(percent)/100)
}

// commandOf returns a command line for a shell.
func commandOf(verb string, args []string) string {
	var b strings.Builder
	b.WriteString(verb)
	// Arguments are quoted for a shell, though the server itself starts programs without one.
	for _, a := range args {
		b.WriteString(" " + schemas.ShellWord(a))
	}
	return b.String()
}

// places returns the folders that jobs may name.
func (v *Views) places(exports string) form.Places {
	// Collections are given by name: forms never contain a path that somebody could change.
	p := form.Places{Inputs: v.o.Inputs, Collections: map[string]string{}, Exports: exports}
	for _, c := range v.shelf.Collections() {
		p.Names = append(p.Names, c.Name())
		p.Collections[c.Name()] = c.Path()
	}
	if v.o.Sources != nil {
		p.Sources, p.SourceIndex = v.o.Sources.Path(), v.o.Sources.File()
	}
	return p
}

// StartRequest is a request for a new job.
type StartRequest struct {
	Verb   string              `json:"verb" enum:"ingest,query,sources" doc:"the command"`
	Values map[string][]string `json:"values" doc:"of the fields of GET /api/v1/jobs/form, by their names; of lines and choices several"`
}

// Start starts a job. If values are wrong, it returns an *Error about the first of them; Form shows all.
func (v *Views) Start(ctx context.Context, r StartRequest) (*JobOne, error) {
	q, err := v.queue(ctx, Editor)
	if err != nil {
		return nil, err
	}
	line, err := v.line(r)
	if err != nil {
		return nil, err
	}
	// The name is stored with the job; the audit log has it with the address.
	request := jobs.Request{
		Verb: r.Verb, Args: line.Args, Values: r.Values, Brief: line.Brief, By: ActorOf(ctx).Name, Output: line.Output,
	}
	// Users are sent to this page when the job is done.
	switch {
	case line.Output != "":
		request.Result = "/datasets"
	case r.Verb == "sources":
		request.Result = "/sources"
	default:
		request.Result = page(line.Collection, "", nil)
	}
	// The mode is 0700: exports may contain data for accounts of this server only.
	if line.Output != "" { // other programs may not read it
		if err := os.MkdirAll(filepath.Dir(line.Output), 0o700); err != nil {
			return nil, err
		}
	}
	// Jobs run one after the other, as each may use the whole machine.
	j, err := q.Start(request)
	if err != nil {
		return nil, jobError(err)
	}
	// The answer has the current state: the job may have started already.
	return v.Job(ctx, JobRequest{Number: j.Number})
}

// Plan returns the form with a preview of the command's work. Nothing is started or changed.
func (v *Views) Plan(ctx context.Context, r StartRequest) (*Form, error) {
	q, err := v.queue(ctx, Editor)
	if err != nil {
		return nil, err
	}
	line, err := v.line(r)
	if err != nil {
		return nil, err
	}
	f, err := v.form(r)
	if err != nil {
		return nil, err
	}
	if !f.Plans {
		return nil, invalid("verb", r.Verb, "This command makes no plan: it writes one file, and changes nothing else.")
	}
	// The flag comes before the archives, since flags end there.
	f.Plan, err = q.Plan(ctx, r.Verb, append([]string{"--plan"}, line.Args...))
	switch bad := jobs.PlanError(""); {
	case errors.As(err, &bad):
		return nil, &Error{Kind: Invalid, Title: "The command refuses this", Detail: string(bad)}
	case errors.Is(err, context.DeadlineExceeded):
		return nil, &Error{
			Kind: NotReady, Title: "The plan takes too long", Detail: "Listing the archives takes more than a minute.",
			Remedy: "Start the job: its page shows the progress.", Retry: 60,
		}
	}
	return f, err
}

// line returns the command line of a request.
func (v *Views) line(r StartRequest) (form.Line, error) {
	if err := v.knownFields(r); err != nil {
		return form.Line{}, err
	}
	// This is a copy, since the original request is stored with the job.
	values := url.Values{}
	// The form and the API send the same values in different shapes.
	for name, list := range r.Values {
		values[name] = list
		if name == "archives" { // lines of a form, or a list of the API
			values[name] = []string{strings.Join(list, "\n")}
		}
	}
	line, err := v.o.Forms.Command(r.Verb, values, v.places(v.exportDir()))
	// There may be many mistakes, but an API answer names one parameter: the first in the form's order.
	if wrong := form.Mistakes(nil); errors.As(err, &wrong) {
		for _, name := range v.fieldNames(r.Verb) {
			if m, is := wrong[name]; is {
				e := invalid(name, "", m.Text+".")
				e.Title = "The job cannot be started"
				e.Line = m.Line
				return line, e
			}
		}
		return line, invalid("verb", r.Verb, wrong.Error()+".")
	}
	return line, err
}

// knownFields refuses values for unknown fields: otherwise a misspelt filter would have no effect.
func (v *Views) knownFields(r StartRequest) error {
	names := v.fieldNames(r.Verb)
	for _, name := range slices.Sorted(maps.Keys(r.Values)) {
		if len(names) > 0 && !slices.Contains(names, name) {
			return &Error{
				Kind: Unknown, Title: "The job cannot be started", Param: "values." + name[:min(len(name), 100)],
				Detail: "There is no such field; there are " + strings.Join(names, ", ") + ".",
			}
		}
	}
	return nil
}

// exportDir returns the name of a new folder for an export, so that no export replaces another's file.
func (v *Views) exportDir() string {
	if v.o.Exports == "" {
		return ""
	}
	// It has microseconds, so that two exports of the same second have separate folders.
	return v.o.Exports + "/" + v.o.Now().UTC().Format("20060102-150405.000000")
}

// fieldNames returns the names of a form's fields, in order.
func (v *Views) fieldNames(verb string) (names []string) {
	f, _ := v.o.Forms.Find(verb)
	// Unknown verbs have no fields, and so no names.
	for _, field := range f.Fields {
		names = append(names, field.Name)
	}
	return names
}

// Cancel ends a job.
func (v *Views) Cancel(ctx context.Context, r JobRequest) (*JobOne, error) {
	q, err := v.queue(ctx, Editor)
	if err != nil {
		return nil, err
	}
	if err := q.Cancel(r.Number, ActorOf(ctx).Name); err != nil {
		return nil, jobError(err)
	}
	// The state may still be running: the command cleans up first.
	return v.Job(ctx, JobRequest(r))
}

// Form returns the form of a new job, with the values of an earlier one if requested.
func (v *Views) Form(ctx context.Context, r FormRequest) (*Form, error) {
	q, err := v.queue(ctx, Editor)
	if err != nil {
		return nil, err
	}
	s := v.started(r)
	if r.From > 0 {
		j, err := q.Get(r.From)
		if err != nil {
			return nil, jobError(err)
		}
		// The values are copied, not the command line: the form may have changed since.
		s.Verb, s.Values = j.Verb, j.Values
	}
	return v.form(s)
}

// started returns the values that a new form begins with.
func (v *Views) started(r FormRequest) StartRequest {
	// Most people begin with ingest.
	s := StartRequest{Verb: cmp.Or(r.Verb, "ingest"), Values: map[string][]string{}}
	if s.Verb == "ingest" && v.filled() {
		// Without it, other archives are refused. Users who want that remove the tick.
		s.Values["add"] = []string{"true"}
	}
	return s
}

// filled reports whether a collection of this server has documents.
func (v *Views) filled() bool {
	return slices.ContainsFunc(v.shelf.Collections(), func(c *shelf.Collection) bool {
		now, release, ok := c.Hold()
		if ok {
			defer release()
		}
		return ok && len(now.Manifest.Units) > 0
	})
}

// Filled returns the form with the user's values and the mistakes in them.
func (v *Views) Filled(ctx context.Context, s StartRequest, wrong error) (*Form, error) {
	if err := Need(ctx, Editor); err != nil {
		return nil, err
	}
	// The form is shown again with all values, so that nothing has to be typed twice.
	f, err := v.form(s)
	if err != nil {
		return nil, err
	}
	// Other errors do not belong to a field.
	e := (*Error)(nil)
	if !errors.As(wrong, &e) {
		return f, nil
	}
	if f.Error = e.Title; e.Param == "" && e.Detail != "" {
		// It belongs to no field, so it is shown at the top.
		f.Error += ": " + e.Detail
	}
	// The mistake is shown beside its field.
	for i := range f.Inputs {
		if f.Inputs[i].Name == e.Param {
			f.Inputs[i].Error, f.Inputs[i].Line = e.Detail, e.Line
		}
	}
	return f, nil
}

// form makes the form of a command with values.
func (v *Views) form(s StartRequest) (*Form, error) {
	start := v.o.Now()
	known, ok := v.o.Forms.Find(s.Verb)
	if !ok {
		return nil, notFound("There is no such form", "GET /api/v1/jobs lists them.")
	}
	f := &Form{
		Verb: s.Verb, Title: known.Title, Inputs: []Input{}, Action: jobForm(s.Verb), Plans: known.Plans,
	}
	for _, other := range v.o.Forms {
		f.Verbs = append(f.Verbs, Choice{other.Verb, other.Title, jobForm(other.Verb), other.Verb == s.Verb})
	}
	for _, field := range known.Fields {
		f.Inputs = append(f.Inputs, v.input(field, s.Values[field.Name]))
		// If archives can be named, it shows people the folder that the names are relative to.
		if field.Kind == form.Lines {
			f.Root = v.o.Inputs
		}
	}
	// Without mistakes, the form shows the command that it would start.
	if line, err := v.line(s); err == nil {
		f.Command = commandOf(s.Verb, line.Args)
	}
	f.Took = v.since(start)
	return f, nil
}

// input makes a field of a form with its value.
func (v *Views) input(f form.Field, values []string) Input {
	// Values are kept as they were typed, right or wrong; the template escapes them.
	in := Input{
		Name: f.Name, Label: f.Label, Help: f.Help, Kind: string(f.Kind), Example: f.Example, More: f.More,
		// Several values of lines are one text in a text area.
		Value: strings.Join(values, "\n"),
	}
	// This is a set: several may be chosen, and a form may send one twice.
	chosen := map[string]bool{}
	for _, one := range values {
		chosen[one] = true
	}
	// A form that nobody has filled in yet shows the command's own defaults.
	if len(values) == 0 {
		for one := range strings.SplitSeq(f.Default, ",") {
			chosen[one] = true
		}
	}
	options := f.Values
	if f.Name == "collection" {
		for _, c := range v.shelf.Collections() {
			// The capacity is cut, so that append cannot write into the table of the form.
			options = append(options[:len(options):len(options)], c.Name())
		}
		// A shelf is never empty, so the first collection exists.
		if len(values) == 0 {
			chosen[options[0]] = true
		}
	}
	// Other kinds have no list, though their flags may have values in the help.
	if f.Kind == form.Choice || f.Kind == form.Choices {
		for _, o := range options {
			in.Choices = append(in.Choices, Choice{Value: o, Label: o, Selected: chosen[o]})
		}
	}
	return in
}

// Datasets lists the files that jobs have exported, if they still exist.
func (v *Views) Datasets(ctx context.Context, _ DatasetsRequest) (*Datasets, error) {
	start := v.o.Now()
	q, err := v.queue(ctx, Viewer)
	if err != nil {
		return nil, err
	}
	list := &Datasets{Datasets: []Dataset{}}
	// The newest job comes first, and so the newest file.
	for _, j := range q.List() {
		if d, ok := datasetOf(j); ok {
			list.Datasets = append(list.Datasets, d)
		}
	}
	list.Took = v.since(start)
	return list, nil
}
