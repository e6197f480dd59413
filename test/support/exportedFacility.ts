/** A line of the export of facilities. */
type Line = Record<string, unknown>;

/**
 * An exported facility as the feed of changes records it: without its settings and connectivity, which are records of
 * their own, and without how it stands, which is computed from its visits, TDBs and actions.
 */
export function exportedFacility({
  settings: _settings,
  connectivity: _connectivity,
  functionalityStatusMode: _mode,
  state: _state,
  openActions: _openActions,
  ...facility
}: Line): Line {
  return facility;
}
