// Package beam is the parent of the Beam transforms over other packages, for graphs of your own. Nothing else in io
// imports Beam. It has no code of its own:
//
//	captureio      captures of archives
//	collectionio   documents, rejects, feeds and captures of collections
//	contentio      queries of collections, and collections of documents
//	odmio          rows of schemas/odm as elements
//
// Of io, this wing imports search, collection, work, archive and storage. Only pipelines import it.
package beam
