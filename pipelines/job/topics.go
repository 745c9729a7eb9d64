package job

import (
	"context"
	"maps"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// addTopics plans to read topics, up to what is in them now.
// What arrives later is for the next run, so that a run ends and the same command continues after it.
func (p *Plan) addTopics(ctx context.Context, _ *blob.Store, c Request) error {
	var all []schemas.Unit
	found := map[string]string{}
	for _, url := range c.Inputs {
		if !isTopic(url) {
			continue
		}
		// The numbers that Plan gives do not matter: the units are numbered below.
		units, stamps, err := planTopic(ctx, url, c)
		if err != nil {
			return inputError(ctx, err)
		}
		all = append(all, units...)
		maps.Copy(found, stamps)
	}
	// What stays of earlier runs is taken out of the units, of
	// which some may vanish: so they are numbered afterwards.
	all, err := p.keeper.topics(ctx, all, found)
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
