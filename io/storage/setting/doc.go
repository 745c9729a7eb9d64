// Package setting describes what users can say of commands and servers: a name, help, a default and a pointer to what
// is filled. One table of settings makes flags and their help, keys of configuration files, variables of the
// environment, completions of shells and manual pages.
//
//	var o struct{ Output string; Workers int }
//	settings := []setting.Setting{
//		{Name: "output", Value: &o.Output, Default: "out", Help: "folder to write to", Example: "/data/out"},
//		{Name: "workers", Value: &o.Workers, Help: "units that are done at once", Example: "4"},
//	}
//
// Package cli reads command lines by it. The package itself reads no command line and no file but [ReadFile]'s.
package setting
