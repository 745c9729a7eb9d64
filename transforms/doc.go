// Package transforms is the parent of the packages that compute something from pages, documents and texts. It has no
// code of its own. docs/packages.md lists them.
//
// Transforms are functions of their input, without Beam, files, network and clock:
//
//	may import        schemas, other transforms, io/stream/inflate
//	must not import   os, net/http, other packages of io, pipelines
//	importers         io and pipelines
package transforms
