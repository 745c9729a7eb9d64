//go:build !unix

package statement

import "os"

// maxMemory returns 0: it is unknown.
func maxMemory(*os.ProcessState) int64 { return 0 }
