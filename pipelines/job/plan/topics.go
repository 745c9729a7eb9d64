package plan

import (
	"context"
	"maps"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/schemas"
)

// addTopics plans to read topics up to their present end, so that a run ends and the next one continues there.
func (p *Plan) addTopics(ctx context.Context, _ *blob.Store, c Request) error {
	var all []schemas.Unit
	found := map[string]string{}
	for _, url := range c.Inputs {
		if !standing.IsTopic(url) {
			continue
		}
		// The units are numbered below.
		units, stamps, err := planTopic(ctx, url, c.Sinks.KafkaProperties())
		if err != nil {
			return inputError(ctx, err)
		}
		all = append(all, units...)
		maps.Copy(found, stamps)
	}
	// Ranges of earlier runs are removed, and units with them: so numbering comes afterwards.
	all, err := p.keeper.topics(all, found)
	if err != nil {
		return err
	}
	maps.Copy(p.Stamps, found)
	for _, u := range all {
		u.ID = len(p.Units)
		p.Bytes += u.Bytes()
		p.Units = append(p.Units, u)
	}
	return nil
}
