import type { OwnModel } from '../agent/model/setup.ts';
import type { Pins } from './pins.ts';

/** How the command line names a model of somebody's own: `openai-compatible:qwen2.5:7b`. */
const PREFIX = 'openai-compatible';

/** The model that a name of that kind names; null for any other name. */
export function ownModelIn(name: string): OwnModel | null {
  const model = name.startsWith(`${PREFIX}:`) ? name.slice(PREFIX.length + 1) : '';
  const plain = model.replaceAll(/[^A-Za-z0-9.]+|\.{2,}/g, '-').replaceAll(/[-.]*-[-.]*/g, '-');
  const trimmed = plain.replaceAll(/^[-.]+|[-.]+$/g, '');
  return trimmed === '' ? null : { name, agent: `${PREFIX}-${trimmed}`, model };
}

/** The models of a campaign, as its command line could name them. */
export function modelNames(models: Pins['models']): string[] {
  return Object.entries(models).map(([agent, { model_id: pinned }]) => {
    // As an endpoint that is no provider's has it, and as a cassette that was recorded there.
    const name = `${PREFIX}:${pinned.replace(/^custom:(.+)@[^@]*$/, '$1')}`;
    return ownModelIn(name)?.agent === agent ? name : agent;
  });
}
