//go:build !unix

package cli

import "os"

// pipes returns nil, since this system has no such signal.
func pipes() <-chan os.Signal { return nil }

func readerGone() bool { return false }
