package cli

import (
	"fmt"
	"os"
)

// Merge runs a command that joins the folders of parts, such as `convert merge`. The arguments name the folders, and
// join returns how many units they have.
func (f *Flags) Merge(args []string, join func(parts []string) (units int, err error)) (int, error) {
	if err := f.Parse(args); err != nil {
		return ExitUsage, err
	}
	parts := f.Args()
	if len(parts) == 0 {
		return ExitUsage, Usagef("name the folders of the parts")
	}
	units, err := join(parts)
	if err != nil {
		return ExitFailed, err
	}
	return ExitDone, Answer(os.Stdout, AnswerSummary, struct {
		Parts int `json:"parts"`
		Units int `json:"units"`
	}{len(parts), units}, fmt.Sprintf("Joined       %s units of %s parts: run the same command without --shard\n",
		FormatCount(int64(units)), FormatCount(int64(len(parts)))))
}
