package sandbox

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

// confine blocks files, the network, and other programs and processes, which handlers do not need. It runs in a child.
// It reports for each mechanism whether it works, and if not, why: kernels and containers may have neither.
//
// Landlock gets no rule that allows anything, so no file can be opened and no port used. Open files and pipes stay
// open. Seccomp allows only the system calls of Go's runtime. Both apply to all threads, also later ones.
func confine() string {
	runtime.LockOSThread() // the steps of each mechanism must run in one thread
	defer runtime.UnlockOSThread()
	return fmt.Sprintf("landlock: %s, seccomp: %s", said(restrictFiles()), said(restrictCalls()))
}

func said(err error) string {
	if err != nil {
		return "no (" + strings.ReplaceAll(err.Error(), "\n", " ") + ")"
	}
	return "yes"
}

func restrictFiles() error {
	if abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0,
		unix.LANDLOCK_CREATE_RULESET_VERSION); errno != 0 || abi == 0 {
		return fmt.Errorf("not in this kernel: %w", errno)
	}
	return landlock.V6.BestEffort().Restrict()
}

// calls are the system calls of Go's runtime while a child works, and those of C's library, which may start the
// threads. They concern memory, threads, signals, time, and open files.
var calls = []string{
	"read", "write", "readv", "writev", "pread64", "close", "fcntl", "lseek", "fstat",
	"mmap", "munmap", "mprotect", "madvise", "mremap", "brk",
	"futex", "set_robust_list", "rseq", "sched_yield", "sched_getaffinity", "membarrier", "gettid", "getpid", "exit",
	"exit_group",
	"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall",
	"nanosleep", "clock_nanosleep", "clock_gettime", "clock_getres", "gettimeofday",
	"epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "eventfd2", "pipe2", "getrandom",
}

func restrictCalls() error {
	info, err := arch.GetInfo("")
	if err != nil {
		return err
	}
	known := slices.DeleteFunc(slices.Clone(calls), func(name string) bool {
		_,
			ok := info.SyscallNames[name]
		return !ok
	})
	own := seccomp.Condition{Argument: 0, Operation: seccomp.Equal, Value: uint64(os.Getpid())}
	filter := seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: seccomp.Policy{
		DefaultAction: seccomp.ActionErrno, // EPERM
		Syscalls: []seccomp.SyscallGroup{
			{Names: known, Action: seccomp.ActionAllow},
			{Action: seccomp.ActionAllow, NamesWithCondtions: []seccomp.NameWithConditions{
				// For threads, not for processes.
				{Name: "clone", Conditions: seccomp.ArgumentConditions{{
					Argument: 0, Operation: seccomp.BitsSet,
					Value: unix.CLONE_THREAD,
				}}},
				// The runtime interrupts its own threads.
				{Name: "tgkill", Conditions: seccomp.ArgumentConditions{own}},
				// The runtime and C name their memory.
				{Name: "prctl", Conditions: seccomp.ArgumentConditions{{
					Argument: 0, Operation: seccomp.Equal,
					Value: unix.PR_SET_VMA,
				}}},
			}},
			// Filters cannot read its flags, which are in memory. After ENOSYS, C's library uses clone.
			{Names: []string{"clone3"}, Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS)},
		},
	}}
	if err := seccomp.LoadFilter(filter); err != nil {
		return err
	}
	// If the kernel cannot filter all threads, it returns a number that the library takes for success, and no thread is
	// filtered. So a forbidden call shows whether the filter works.
	if s, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0); !errors.Is(err, unix.EPERM) {
		return errors.Join(fmt.Errorf("the filter does not work: socket %d, %v", s, err), unix.Close(s))
	}
	return nil
}
