package sources

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// neededBy are the extractors that a verdict needs: without titles, texts and hashes all pages look the same.
const neededBy = "feeds,metadata,neardup,quality"

// checkExtracted returns an error if the extractors that made the documents of a collection are too few for verdicts.
func checkExtracted(name string, extract []string) error {
	var missing []string
	for _, x := range strings.Split(neededBy, ",") {
		// Words are counted in the text as well, less exactly.
		if !slices.Contains(extract, x) && (x != "quality" || !slices.Contains(extract, "text")) {
			missing = append(missing, x)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return cli.Usagef("%s was made without the extractors %s, which verdicts need: ingest its archives with all that is "+
		"extracted by default, or with --extract=%s", name, strings.Join(missing, ", "), neededBy)
}

// extractOf are the extractors that made a unit, or none and false if its collection does not tell.
func extractOf(m schemas.Manifest, u schemas.UnitResult) (extract []string, known bool) {
	options := m.Options
	if u.MadeWith != nil {
		options = u.MadeWith
	}
	text, err := json.Marshal(options["extract"])
	return extract, err == nil && json.Unmarshal(text, &extract) == nil && extract != nil
}

// lacking returns the number of units with documents that were made without feeds.
func lacking(m schemas.Manifest) (n int) {
	for _, u := range m.Units {
		if extract, known := extractOf(m, u); known && u.Documents > 0 && !slices.Contains(extract, "feeds") {
			n++
		}
	}
	return n
}
