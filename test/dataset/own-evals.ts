const asks = (content: string) => [{ type: 'message', role: 'user', content }];
const light = (level: unknown) => [{ functionName: 'light', arguments: { level } }];
const move = { functionName: 'move', arguments: { item: { $contains: 'lamp' }, room: 'hall' } };
const TOOLS = [
  { name: 'move', description: 'Moves <b>one</b> item.', inputSchema: { type: 'object' }, outputSchema: null },
  { name: 'light', description: 'Sets the level of the light.', inputSchema: null },
];

const FILES: Record<string, unknown> = {
  'house/schema.json': { tools: TOOLS },
  'house/evals.json': [
    { name: 'Move and light', messages: asks('Move the lamp, then light it.'), expectedCall: [move, ...light(3)] },
    { name: 'Chat', messages: [...asks('Hello'), ...asks('Light it')], expectedCall: light(3) },
    { name: 'Nothing', messages: asks('Sing'), expectedCall: null },
    { name: 'Tomorrow', messages: asks('Light it tomorrow'), expectedCall: light('2026-01-20') },
    { name: 'Bright', messages: asks('Light it brightly'), expectedCall: light({ $gte: 8 }) },
    { name: 'Empty', messages: asks(' '), expectedCall: light(3) },
  ],
  'live/evals.json': [{ name: 'Live', messages: asks('Light it'), expectedCall: light(3) }],
};

/** A checkout in the form of webmcp-tools, with evals of our own. */
export const OWN_EVALS = Object.fromEntries(
  Object.entries(FILES).map(([file, value]) => [`webmcp-evals/examples/${file}`, JSON.stringify(value)]),
);
