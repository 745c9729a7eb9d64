//go:build !linux

package statement

import "syscall"

// attributes of a child: none.
func attributes() *syscall.SysProcAttr { return nil }

// restrict sets no limits: other systems cannot set them for another process.
func restrict(int, int64, int64) error { return nil }
