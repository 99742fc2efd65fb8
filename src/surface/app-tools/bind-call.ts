import type { Binding, SurfaceIntent } from '../../task/intent.ts';

/** A step of a solution by an app's own tools: the call that it names. What is done on pages cannot be done with them. */
export function bindCall(intent: SurfaceIntent): Binding {
  if (intent.do === 'call') return { kind: 'call', call: { tool: intent.tool, args: intent.args } };
  return {
    kind: 'impossible',
    why: 'an app’s own tools show no page; write a solution "for: tools" with steps "do: call"',
  };
}
