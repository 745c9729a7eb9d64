//go:build race

package pdf_test

func init() { mostCPU *= 8 }
