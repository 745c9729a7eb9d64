//go:build !purego

package inflate

// eachLoop calls f with each fast loop that the processor can run.
func eachLoop(f func()) {
	has := hasBMI2
	defer func() { hasBMI2 = has }()
	hasBMI2 = false
	f()
	if hasBMI2 = has; has {
		f()
	}
}
