//go:build unix

package plug

import (
	"os/exec"
	"syscall"
)

// own gives the process a group of its own, so that an interrupt of the terminal does not end it before its answer.
func own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killAll(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // it may have ended already
