//go:build !linux

package jobs

import (
	"context"
	"os"
	"os/exec"
)

// On these systems a child is not told that the server was killed. It ends by itself, and until then the folder's lock
// keeps others out.

func own(*exec.Cmd) {}

// Windows cannot send an interrupt; there kill follows after patience.
func ask(cmd *exec.Cmd) { _ = cmd.Process.Signal(os.Interrupt) } // the process may have ended

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // the process may have ended

// 0 means that a process cannot be recognised, so await has nothing to wait for.
func began(int) uint64 { return 0 }

func await(context.Context, int, uint64) {}
