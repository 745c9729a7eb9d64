// Package derived holds the packages for data made from collections and archives. It has no code of its own:
//
//	conversion  the folder that archives are converted to
//	corpora     corpora for training, step by step
//	linkgraph   graphs of hosts and domains
package derived
