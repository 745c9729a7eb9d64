//go:build !(amd64 || arm64) || purego

package inflate

// fast leaves everything to careful.
func (*tables) fast(*cursor) error { return nil }
