import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import type { Pins } from './pins.ts';
import { isThisMachine } from '../contract/this-machine.ts';
import type { ModelFacts } from '../agent/agent-choice.ts';

/** Returns what the pins of models say that cannot be, in words: whether a model was asked, and where, follows from them. */
export function modelPinProblems({ models, transcript_hashes: replayed }: Pins): Fact[] {
  return Object.entries(models).flatMap(([agent, model]) => {
    const kind = model.endpoint_kind;
    const cassette = kind === 'cassette' ? undefined : Object.keys(replayed).find((file) => isCassetteOf(agent, file));
    return [
      ...(fitsEndpoint(model) ? [] : [fact('model_not_of_endpoint', { kind, agent })]),
      ...(cassette === undefined ? [] : [fact('model_has_cassette', { kind, agent, cassette })]),
    ];
  });
}

/** As the name of a cassette ends: with its agent and its iteration. */
function isCassetteOf(agent: string, file: string): boolean {
  const [, name = ''] = /^(.+)\.\d+\.jsonl$/s.exec(file) ?? [];
  return name.endsWith(`.${agent}`);
}

/** Whether a model's name, its host and the kind of its endpoint can be of one endpoint: a model that is asked has no others. */
function fitsEndpoint({
  model_id: id,
  model_endpoint: host,
  endpoint_kind: kind,
}: Pick<ModelFacts, 'model_id' | 'model_endpoint' | 'endpoint_kind'>): boolean {
  if (kind === 'cassette') return host === null;
  if (host === null || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  if (isThisMachine(hostname) !== (kind === 'mock')) return false;
  return kind === 'provider' ? !id.startsWith('custom:') : id.startsWith('custom:') && id.endsWith(`@${hostname}`);
}
