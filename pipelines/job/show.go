package job

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/pipelines/sheet"
	"github.com/gleaner-web/gleaner/schemas"
)

// planRecord is a plan as JSON.
type planRecord struct {
	Units      []planUnit `json:"units"`
	Bytes      int64      `json:"bytes"`
	Others     int        `json:"not_archives"` // files
	Unreadable int        `json:"unreadable"`   // files
	Captures   int64      `json:"captures"`     // from here on, estimates
	CPUSeconds float64    `json:"cpu_seconds"`
	Workers    int        `json:"workers,omitempty"` // 0 if the service chooses
	Output     int64      `json:"output_bytes,omitempty"`
	Sampled    int64      `json:"sampled_bytes"` // size of the sample; 0 without one
	Dataflow   []string   `json:"dataflow,omitempty"`
	Kept       []string   `json:"kept,omitempty"`    // what becomes of units of earlier runs
	Refused    string     `json:"refused,omitempty"` // why a run would be refused
}

type planUnit struct {
	Unit     int             `json:"unit"`
	Bytes    int64           `json:"bytes"`
	Messages int64           `json:"messages,omitempty"` // of a topic
	Inputs   []schemas.Range `json:"inputs"`
}

// Print writes the units and an estimate.
func Print(ctx context.Context, p *plan.Plan, w io.Writer) error {
	c, own := p.Request, p.Own()
	// Units that stay cost nothing, so they are not listed.
	text, err := unitTable(own)
	if err != nil {
		return err
	}
	e, err := makeEstimate(ctx, p)
	if err != nil {
		// The units are right even if the sample fails.
		_, _ = io.WriteString(w, text)
		return fmt.Errorf("the units are as above; a sample of them could not be read: %w", err)
	}
	r := planRecord{
		Units: []planUnit{}, Bytes: p.Bytes, Others: len(p.Others), Unreadable: len(p.Unread), Captures: e.captures,
		CPUSeconds: e.cpu, Output: e.output, Sampled: e.sampled, Kept: p.Kept(), Refused: p.Refusal,
	}
	for _, u := range own {
		r.Units = append(r.Units, planUnit{u.ID, u.Bytes(), u.Messages(), u.Inputs})
	}
	workers := ""
	if c.Runner != run.Dataflow {
		r.Workers = c.Workers
		workers = fmt.Sprintf("workers %d; ", r.Workers)
	}
	text += fmt.Sprintf("\nunits %d, archives %s, files that are no archives %d, unreadable %d, %s%s\n",
		len(own), cli.FormatBytes(p.Bytes), r.Others, r.Unreadable, workers, e.line(c))
	if c.Runner == run.Dataflow {
		fleet := dataflowText(c.Prices, load{len(own), e.cpu, e.output})
		text, r.Dataflow = text+fleet, strings.Split(strings.TrimSpace(fleet), "\n")
	}
	text += p.KeptText()
	if p.Refusal != "" {
		text += "\nA run would be refused: " + p.Refusal + "\n"
	}
	return cli.Answer(w, cli.AnswerPlan, r, text)
}

func unitTable(units []schemas.Unit) (string, error) {
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "UNIT\tBYTES\tINPUTS")
	for _, u := range units {
		in := u.Inputs[0]
		// Groups in one folder differ by their first files.
		more := ""
		if in.Group != nil {
			more = fmt.Sprintf(", %d files from %s on", in.Group.Files, schemas.Printable(in.Group.First))
		}
		if n := len(u.Inputs); n > 1 {
			more += fmt.Sprintf(" and %d more", n-1)
		}
		file := schemas.Printable(in.File)
		fmt.Fprintf(t, "%05d\t%s\t%s [%d, %d)%s\n", u.ID, sizeOf(u), file, in.Start, in.End, more)
	}
	err := t.Flush()
	return b.String(), err
}

// sizeOf describes the size of a unit: messages for a topic, whose bytes are unknown before reading, or else bytes.
func sizeOf(u schemas.Unit) string {
	if n := u.Messages(); n > 0 {
		return cli.Plural(int(n), "message")
	}
	return cli.FormatBytes(u.Bytes())
}

// SavePage writes a page about the collection and the last run beside the manifest. It reads what Run wrote, so the
// page does not depend on the process that did the work.
func SavePage(ctx context.Context, p *plan.Plan) (err error) {
	f := p.Request.OpenFolder(ctx, "")
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := sheet.Save(ctx, f); err != nil {
		return cli.OutputError(err)
	}
	return nil
}
