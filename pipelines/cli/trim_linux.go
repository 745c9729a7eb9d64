package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// trim gives back the pages of the program's file that the process only reads. The system's cache keeps them, and maps
// them again when they are used. Where the list of mappings cannot be read, they stay.
func trim() {
	for _, m := range onlyRead() {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, uintptr(m.from), uintptr(m.to-m.from), syscall.MADV_DONTNEED)
	}
}

// onlyRead returns the mappings that trim gives back. They stay the same, and the list takes long to read when much
// memory is in use.
var onlyRead = sync.OnceValue(func() (own []mapping) {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return nil
	}
	defer f.Close()
	here := uint64(reflect.ValueOf(parseMapping).Pointer())
	var m mapping
	file := ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if begin, ok := parseMapping(lines.Bytes()); ok {
			if m = begin; m.from <= here && here < m.to {
				file = m.file
			}
		}
		// Pages of its own, as relocations leave in a PIE, would be lost.
		size, ok := bytes.CutPrefix(lines.Bytes(), []byte("Anonymous:"))
		if ok && bytes.HasPrefix(bytes.TrimSpace(size), []byte("0 ")) {
			own = append(own, m)
		}
	}
	return slices.DeleteFunc(own, func(m mapping) bool { return m.file != file || strings.Contains(m.perms, "w") })
})

// A mapping is a line of proc_pid_maps(5). file is its device and inode.
type mapping struct {
	from, to    uint64
	perms, file string
}

func parseMapping(line []byte) (m mapping, ok bool) {
	// Most lines are values of a mapping, and begin with their names.
	if len(line) == 0 || line[0] >= 'A' && line[0] <= 'Z' {
		return m, false
	}
	var offset, device, inode string
	n, _ := fmt.Sscanf(string(line), "%x-%x %s %s %s %s", &m.from, &m.to, &m.perms, &offset, &device, &inode)
	m.file = device + " " + inode
	return m, n == 6
}
