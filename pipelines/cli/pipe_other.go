//go:build !unix

package cli

import "os"

// pipes: there is no such signal.
func pipes() <-chan os.Signal { return nil }

func readerGone() bool { return false }
