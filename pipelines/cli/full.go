//go:build !local

package cli

// LeftOut says what this program was built without, for messages about what it lacks; "" where it was built whole.
const LeftOut = ""
