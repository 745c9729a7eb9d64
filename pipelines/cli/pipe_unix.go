//go:build unix

package cli

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// pipes returns a channel for signals about closed pipes and sockets. Without it Go ends the process when it writes
// to a closed standard output or error, as in "query | head", and leaves temporary folders.
func pipes() <-chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGPIPE)
	return c
}

// readerGone reports whether standard output or error is a closed pipe.
func readerGone() bool {
	list := []unix.PollFd{{Fd: 1}, {Fd: 2}}
	for {
		// Errors and hang-ups are reported even without requested events.
		_, err := unix.Poll(list, 0)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		return err == nil && (list[0].Revents|list[1].Revents)&(unix.POLLERR|unix.POLLHUP) != 0
	}
}
