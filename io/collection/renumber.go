package collection

// renumber gives shards the names of this plan. Units may take each other's names, so all shards step aside first, to
// names made of their keys, then the rows say the new names, then the shards take them. While a shard is aside it is
// found there whatever its row says, so that a crash between any two steps loses nothing: the next run finds the
// units done, and in the wrong place.
func (c *Collection) renumber(moves []move) error {
	for _, step := range []func(move) error{c.stepAside, c.rewrite, c.takePlace} {
		for _, m := range moves {
			if err := step(m); err != nil {
				return err
			}
		}
		// The next step relies on this one: both folders must be on disk before it begins.
		if err := c.syncBoth(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Collection) stepAside(m move) error {
	for _, s := range m.from.Shards {
		n, _ := parseShard(s.Name) // the row was checked when it was read
		held := hidden(heldName(m.from.Key, n.part))
		at := c.locate(m.from.Key, s.Name)
		if at == held {
			continue
		}
		if err := c.f.Rename(at, held); err != nil {
			return err
		}
	}
	return nil
}

func (c *Collection) rewrite(m move) error { return c.saveRow(m.to) }

func (c *Collection) takePlace(m move) error {
	for _, s := range m.to.Shards {
		n, _ := parseShard(s.Name) // made from a row that was checked
		if err := c.f.Rename(hidden(heldName(m.to.Key, n.part)), s.Name); err != nil {
			return err
		}
	}
	return nil
}

func (c *Collection) syncBoth() error {
	if err := c.f.Sync(hiddenDir); err != nil {
		return err
	}
	return c.f.Sync("")
}
