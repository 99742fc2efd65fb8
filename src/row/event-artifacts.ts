import type { EpisodeEvent } from '../episode/events.ts';

/**
 * Returns the blobs that an event names, by the names that rows have for them.
 * @param lists how many lists of tools there were, this one among them
 */
export function artifactsOf(event: EpisodeEvent, lists: number): Record<string, string> {
  const named = namesIn(event, lists);
  return Object.fromEntries(
    named.flatMap(([name, blob]) => (blob === null || blob === undefined ? [] : [[name, blob]])),
  );
}

function namesIn(event: EpisodeEvent, lists: number): [name: string, blob: string | null | undefined][] {
  const { type } = event;
  if (type === 'tools') return [[lists === 1 ? 'tools' : `tools_${lists}`, event.tools_blob]];
  if (type === 'call') return [[`args_${event.step}`, event.args_blob]];
  if (type === 'turn') return [[`turn_${event.turn}_request`, event.request_blob]];
  if (type === 'turn_ended') return [[`turn_${event.turn}_reply`, event.reply_blob]];
  if (type === 'picture') return [[`film_${event.step}`, event.blob]];
  if (type === 'trace') return [['trace', event.blob]];
  if (type === 'result') {
    const { step, text_blob: text, image_blob: picture } = event;
    return [
      [`reply_${step}`, text],
      [`picture_${step}`, picture],
    ];
  }
  if (type !== 'captured') return [];
  const { moment, evidence, screenshot } = event;
  return [
    [`evidence_${moment}`, evidence],
    [`screenshot_${moment}`, screenshot],
  ];
}
