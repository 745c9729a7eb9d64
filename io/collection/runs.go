package collection

import (
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// KeepRun adds a finished run to the list of runs, and gives it the next number. A run that is there already, by its
// time, is replaced: runners may end a run twice.
func (c *Collection) KeepRun(r holdings.KeptRun) error {
	list, err := holdings.ReadRuns(c.f)
	if err != nil {
		return err
	}
	if n := len(list); n > 0 && list[n-1].Started == r.Started {
		list = list[:n-1]
	}
	r.Number = 1
	if n := len(list); n > 0 {
		r.Number = list[n-1].Number + 1
	}
	r.Asked = r.Asked[:min(len(r.Asked), holdings.MaxAskedText)]
	if list = append(list, r); len(list) > holdings.MaxRuns {
		list = list[len(list)-holdings.MaxRuns:]
	}
	data, err := folder.EncodeJSON(list)
	if err == nil {
		err = c.f.Write(holdings.Hidden(holdings.RunsFile), data)
	}
	if err != nil {
		return fmt.Errorf("collection: %s: %w", holdings.RunsFile, err)
	}
	return nil
}
