import type { EpisodeEvent } from '../episode/events.ts';

/** Say in words what stood around an episode; what is not there is not told. */
export function surroundingsText(event: Extract<EpisodeEvent, { type: 'surroundings' }>): string {
  const { runtime_version: version, runtime_hash: runtime, manifest_checksum: manifest, off_archive: missed } = event;
  const found = [
    ...(version === null ? [] : [`NAC3 runtime ${version}`]),
    ...(runtime === null ? [] : [`hash of the runtime ${runtime}`]),
    ...(manifest === null ? [] : [`checksum of the manifest ${manifest}`]),
    ...(missed === null ? [] : [`asked ${missed === 1 ? 'once' : `${missed} times`} for what the archive has not`]),
    ...Object.entries(event.violations).map(([name, count]) => `${count} × ${name}`),
  ];
  return found.length === 0 ? 'no NAC3 runtime, and nothing against the rules' : found.join('; ');
}
