// Package meaning turns texts into vectors: texts about the same have a small angle between their vectors, whichever
// words they use, and in several languages.
//
//	m, err := meaning.Parse(tensors, tokenizer) // or standard.Model()
//	e := meaning.NewEncoder(m)
//	v := e.Vector("masks in hospitals")
//
// A vector is the sum of the vectors of a text's tokens, which come from a table. So a text costs a look-up for each
// token, and no neural network runs. The table is a file in the layout of Model2Vec: model.safetensors with the tensor
// embeddings, and the tokenizer.json of its tokens. Package standard has the table that Gleaner brings along.
//
// Split divides a long text into passages, since one vector cannot stand for a whole page.
package meaning
