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

// confine takes from this process, a child, all that a handler does not need: files, the network, other programs and
// processes. It returns what keeps it, and why something does not: kernels and containers may have neither.
//
// Landlock has no rule that allows anything, so that no file can be opened and no port be used; files and pipes that
// are open stay so. Seccomp leaves the system calls of Go's runtime. Both hold for all threads, those to come among
// them.
func confine() string {
	runtime.LockOSThread() // what is prepared for a thread is used by it
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

// calls are the system calls that Go's runtime makes while a child works, and C's where threads are begun by it:
// memory, threads, signals, time, and reading and writing what is open.
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
				// Threads, and no processes.
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
			// Its flags are in memory, where no filter looks. C then takes clone.
			{Names: []string{"clone3"}, Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS)},
		},
	}}
	if err := seccomp.LoadFilter(filter); err != nil {
		return err
	}
	// That the kernel could not give it to all threads it tells by a number that the library takes for success: then no
	// thread has it.
	if s, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0); !errors.Is(err, unix.EPERM) {
		return errors.Join(fmt.Errorf("the filter does not work: socket %d, %v", s, err), unix.Close(s))
	}
	return nil
}
