// Package derived holds the packages for data made from collections and archives. It has no code of its own:
//
//	captureindex  an index over many archives, which grows by merging
//	conversion    the folder that archives are converted to
//	corpora       corpora for training, step by step
//	linkgraph     graphs of hosts and domains
//
// Of io, this wing imports collection, archive, storage and stream. Only pipelines import it.
package derived
