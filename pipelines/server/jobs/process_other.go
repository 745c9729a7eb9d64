//go:build !linux

package jobs

import (
	"context"
	"os"
	"os/exec"
)

// Elsewhere a child is not told that the server was killed: it ends by itself, and the folder's lock keeps another one
// out until then.

func own(*exec.Cmd) {}

// Windows cannot send it; kill follows then, after patience.
func ask(cmd *exec.Cmd) { _ = cmd.Process.Signal(os.Interrupt) } // it may have ended

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // likewise

// 0 means that a process cannot be recognised, so await has nothing to wait for.
func began(int) uint64 { return 0 }

func await(context.Context, int, uint64) {}
