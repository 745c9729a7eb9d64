// Package beam is the wing of Beam transforms over the other wings, for graphs of your own; nothing else in io imports
// Beam. It holds no code of its own:
//
//	captureio      captures of archives
//	collectionio   documents, rejects, feeds and captures of collections
//	contentio      collections asked, and made of documents
package beam
