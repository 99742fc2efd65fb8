import { fitsEndpoint } from './fits-endpoint.ts';
import type { Pins } from './pins.ts';

/** Returns what the pins of models say that cannot be, in words: whether a model was asked, and where, follows from them. */
export function modelPinProblems({ models, transcript_hashes: replayed }: Pins): string[] {
  return Object.entries(models).flatMap(([agent, model]) => {
    const kind = model.endpoint_kind;
    const cassette = kind === 'cassette' ? undefined : Object.keys(replayed).find((file) => isCassetteOf(agent, file));
    return [
      ...(fitsEndpoint(model) ? [] : [`models says ${kind} of ${agent}, which does not fit its name and host`]),
      ...(cassette === undefined
        ? []
        : [`models says ${kind} of ${agent}, and transcript_hashes has its cassette ${cassette}`]),
    ];
  });
}

/** As the name of a cassette ends: with its agent and its iteration. */
function isCassetteOf(agent: string, file: string): boolean {
  const [, name = ''] = /^(.+)\.\d+\.jsonl$/s.exec(file) ?? [];
  return name.endsWith(`.${agent}`);
}
