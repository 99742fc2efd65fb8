import type { EpisodeEvent } from '../episode/events.ts';
import { faultText } from './fault-text.ts';
import { turnText } from './turn-text.ts';
import { surroundingsText } from './surroundings-text.ts';

/** In one line, which is not yet {@link printable}: pages, agents and strangers may have written parts of it. */
export function eventText(event: EpisodeEvent): string {
  switch (event.type) {
    case 'impossible':
      return `${event.status.replace('_', ' ')}: ${event.why}`;
    case 'replayed':
      return `recorded replies of ${event.model_id}`;
    case 'signed_in':
      return event.setup_ms === null ? 'the agent is to sign in itself' : 'signed in as a role';
    case 'opened':
      return `the surface has opened, which took ${Math.round(event.open_ms)} ms`;
    case 'agent_begun':
      return 'the agent begins';
    case 'acted':
      return `the agent has had ${Math.round(event.wall_ms)} ms`;
    case 'captured':
      return `evidence of the ${event.moment}: ${event.evidence}`;
    case 'judged':
      return `judged at the ${event.moment}${event.unsettled ? ', and the page did not come to rest' : ''}`;
    case 'reset':
      return `the world is ready; opening ${event.start_url}`;
    case 'tools':
      return `tools: ${event.names.length === 0 ? 'none' : event.names.join(', ')}`;
    case 'call':
      return `call ${event.step}: ${event.tool} ${JSON.stringify(event.args)}`;
    case 'result':
      return `result ${event.step}: ${event.ok ? 'ok' : 'error'} (${event.kind}, ${event.bytes} bytes)`;
    case 'turn':
      return `turn ${event.turn}: the model is asked`;
    case 'turn_retried':
      return `turn ${event.turn}: ${event.why}; asked again after ${Math.round(event.wait_ms)} ms`;
    case 'turn_ended':
      return `turn ${event.turn}: ${turnText(event)}`;
    case 'interrupted':
      return `interrupted from outside: ${event.why}`;
    case 'gateway':
    case 'browser_not_ours':
    case 'isolated':
      return surroundedText(event);
    case 'reported_step':
    case 'reported_usage':
      return reportedText(event);
    case 'printed':
      return `printed ${event.bytes} bytes, ending in`;
    case 'fault.armed':
    case 'fault.fired':
    case 'fault.obeyed':
    case 'fault.cleared':
      return `${event.type.replace('.', ' ')}: ${faultText(event)}`;
    case 'surroundings':
      return `in the page: ${surroundingsText(event)}`;
    case 'trace':
      return `trace: ${event.blob ?? `none: ${event.why}`}`;
    case 'picture':
      return `picture after step ${event.step}: ${event.blob}`;
    case 'contract_evaluation':
      return `${event.contract} at the ${event.moment}: ${event.judgement.verdict}`;
    case 'stop':
      return `stop: ${event.stop}${event.detail === null ? '' : ` (${event.detail})`}`;
  }
}

function surroundedText(event: Extract<EpisodeEvent, { type: 'gateway' | 'browser_not_ours' | 'isolated' }>): string {
  if (event.type === 'gateway') return gatewayText(event);
  return event.type === 'isolated'
    ? `isolation: ${event.by}, network ${event.network}`
    : 'in a browser that Touchstone did not launch';
}

function reportedText(event: Extract<EpisodeEvent, { type: 'reported_step' | 'reported_usage' }>): string {
  return event.type === 'reported_step'
    ? `reported step ${event.step}: ${event.tool} ${JSON.stringify(event.args)}, ${event.ok ? 'ok' : 'error'} at ${event.url}`
    : `reported usage: ${event.input_tokens} + ${event.output_tokens} tokens of ${event.model ?? 'a model that it does not name'}`;
}

function gatewayText({ commands, inputs, script_steps: steps }: Extract<EpisodeEvent, { type: 'gateway' }>): string {
  const script = steps.length === 0 ? '' : `; script of the agent in step ${steps.join(', ')}`;
  return `gateway: ${commands} commands, ${inputs} of them input${script}`;
}
