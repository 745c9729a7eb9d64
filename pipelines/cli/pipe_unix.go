//go:build unix

package cli

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// pipes returns where it is told of writes to pipes and sockets that nobody reads any longer. Without it Go ends the
// process at such a write to standard output or error, as in "query | head", and what is in temporary folders stays
// there.
func pipes() <-chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGPIPE)
	return c
}

// readerGone reports whether standard output or error is a pipe that nobody reads any longer.
func readerGone() bool {
	list := []unix.PollFd{{Fd: 1}, {Fd: 2}}
	for {
		// Asks for nothing and waits for nothing: errors and hang-ups are told in any case.
		_, err := unix.Poll(list, 0)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		return err == nil && (list[0].Revents|list[1].Revents)&(unix.POLLERR|unix.POLLHUP) != 0
	}
}
