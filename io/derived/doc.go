// Package derived is the wing of what is made from collections and archives. It holds no code of its own:
//
//	conversion  the folder that archives are converted to
//	corpora     corpora for training, step by step
//	linkgraph   graphs of hosts and domains
package derived
