//go:build lingua

package langid

import second "github.com/gleaner-web/gleaner/transforms/langid/lingua"

func init() { lingua = second.Ask }
