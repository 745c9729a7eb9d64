package collection

import (
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
)

// sweepAttempts removes temporary shards and spills of attempts that were killed during the run, which may be
// gigabytes. By now all units have results. A duplicate attempt that is still under way fails, but nobody needs it.
// Small leftovers are left to the next Open.
func (c *Collection) sweepAttempts() error {
	if err := c.sweepTemps(); err != nil {
		return err
	}
	names, err := c.f.Names(holdings.HiddenDir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !ledger.IsSpill(name) {
			continue
		}
		if err := c.f.RemoveAll(holdings.Hidden(name)); err != nil {
			return err
		}
	}
	return nil
}

// leftover reports whether name, in the hidden folder, is a leftover.
func leftover(name string) bool {
	return ledger.IsSpill(name) || ledger.IsPending(name) || ledger.IsHiddenTemp(name)
}

// sweepTemps removes the temporary files beside the shards.
func (c *Collection) sweepTemps() error {
	names, err := c.f.Names("")
	if err != nil {
		return err
	}
	for _, name := range names {
		if !ledger.IsTemp(name) {
			continue
		}
		if err := c.f.Remove(name); err != nil {
			return err
		}
	}
	return nil
}
