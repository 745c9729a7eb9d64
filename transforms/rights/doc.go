// Package rights collects a site's machine-readable statements about the use of its pages. They are opt-outs of
// training, reservations of text and data mining, and directives for indexes and archives. The package reads no natural
// language and gives no legal advice. It returns each statement as it was made, with the place where it stands.
//
//	statement                         basis                specification
//	noindex, noai, max-snippet …      x-robots-tag, meta   directives of search engines; noai and noimageai of DeviantArt
//	tdm-reservation, tdm-policy       header, meta,        TDM Reservation Protocol, W3C community group, 2024
//	                                  metadata, tdmrep.json
//	train-ai, ai-use, search …        header, robots.txt   Content-Usage: draft-ietf-aipref-attach and -vocab
//	ai-train, ai-input, search        header, robots.txt   Content-Signal of contentsignals.org
//	allow, disallow                   robots.txt, ai.txt   RFC 9309 for crawlers of AI companies; ai.txt of Spawning
//	llms.txt                          llms.txt             llmstxt.org
//	c2pa                              c2pa, header, link   C2PA 2: a manifest is present
//
// Statements in a file of the host are about other pages. Hosts finds those that concern a page, and Respect those that
// refuse its use for training.
package rights

// Version changes if the same capture gives other statements.
const Version = "5"
