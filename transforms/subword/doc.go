// Package subword counts the tokens of texts as language models see them. Vocabulary and rules are in a file:
// tokenizer.json of Hugging Face's tokenizers, or a .tiktoken file of OpenAI's tiktoken.
//
//	t, err := subword.Parse("tokenizer.json", data)
//	n, err := t.Count("How many tokens are these?")
//
// Counts are those of tokenizers' encode with add_special_tokens=False, without truncation and padding, and of
// tiktoken's encode_ordinary. A file with a part that this package does not know is refused, so that no count is a
// guess.
package subword
