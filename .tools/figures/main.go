// Command figures measures the structure of this module and compares it with its budgets: how long lines, functions and
// files are, how much of the code is comment, how the wings of io hang together, and how the files of large packages
// do. It ends with 1 when a budget is exceeded.
//
//	go run ./.tools/figures
//
// Generated files and folders whose name begins with a dot are not counted. Tests have lines of their own.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
)

func main() {
	if err := figures(os.Stdout, "."); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// figure is one line of the table.
type figure struct {
	name   string
	value  int
	budget int // at most, or at least where least is set; 0 for no budget, zero for 0
	least  bool
	note   string
}

// zero is the budget of what must not be.
const zero = -1

// exceeded reports whether the value is not within its budget.
func (f figure) exceeded() bool {
	switch {
	case f.budget == zero:
		return f.value > 0
	case f.least:
		return f.value < f.budget
	}
	return f.budget > 0 && f.value > f.budget
}

// limit is the budget as the table shows it.
func (f figure) limit() string {
	switch {
	case f.budget == 0:
		return ""
	case f.budget == zero:
		return "<= 0"
	case f.least:
		return fmt.Sprintf(">= %d", f.budget)
	}
	return fmt.Sprintf("<= %d", f.budget)
}

var errExceeded = errors.New("a budget is exceeded")

// figures measures the module in dir and prints the table.
func figures(w io.Writer, dir string) error {
	code, err := readCode(dir)
	if err != nil {
		return err
	}
	house, err := readWings(dir)
	if err != nil {
		return err
	}
	rooms, err := roomFigures(dir)
	if err != nil {
		return err
	}
	tests, err := testFigures(dir)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range slices.Concat(code.figures(), tests, house.figures(), rooms) {
		mark := ""
		if f.exceeded() {
			mark, err = "EXCEEDED", errExceeded
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\n", f.name, f.value, f.limit(), mark, f.note)
	}
	return errors.Join(t.Flush(), err)
}
