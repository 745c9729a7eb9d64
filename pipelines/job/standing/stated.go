package standing

import (
	"errors"
	"io/fs"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// OptionsOf returns the options that made a unit, or nil if unknown. Merged and adopted units have them in the manifest.
func (h *Folder) OptionsOf(r ledger.Row) map[string]any {
	if len(h.stated) > 0 {
		if made := h.stated[ledger.UnitOfKey(r.Key)]; made != nil {
			return made
		}
	}
	return h.notedOptions(r.Options)
}

// notedOptions returns the options with this key, or nil if unknown. Without a note, a single command of an earlier
// version wrote the folder, so its manifest speaks for all units.
func (h *Folder) notedOptions(key string) map[string]any {
	if made, ok := h.LastRun.Made[key]; ok || h.Noted {
		return made
	}
	return h.LastRun.Options
}

// Made returns the options that made the units, by the keys of options in their rows.
func (h *Folder) Made() map[string]map[string]any {
	made := map[string]map[string]any{}
	for _, r := range h.Rows {
		options := h.OptionsOf(r)
		// Units without a key may have been made with different options.
		if r.Options == "" {
			options = h.notedOptions("")
		}
		// Options of earlier versions' units are unknown.
		if options != nil {
			made[r.Options] = options
		}
	}
	return made
}

// readStated reads the options in the manifest for units whose options the note lacks. Usually there are none.
func (h *Folder) readStated(f folder.Folder) error {
	known := h.Noted
	for _, r := range h.Rows {
		_, noted := h.LastRun.Made[r.Options]
		known = known && noted && r.Options != ""
	}
	if known {
		return nil
	}
	// A run migrates an older folder first.
	if older, err := ledger.IsOlder(f); err != nil || older {
		return err
	}
	m, err := holdings.ReadManifest(f)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	h.stated = map[string]map[string]any{}
	for _, u := range m.Units {
		if len(u.Shards) > 0 && u.MadeWith != nil {
			h.stated[ledger.UnitOfName(u.Shards[0].Name)] = u.MadeWith
		}
	}
	return err
}
