import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineRealApp } from 'touchstone';

/** Node-RED with its editor, on the flows of a small workshop. What is deployed stands in flows.json. */
export default defineRealApp({
  file: import.meta.url,
  package: 'node-red',
  command: ({ installed, data }, port) => ({
    script: path.join(installed, 'node_modules/node-red/red.js'),
    args: ['--userDir', data, '--settings', path.join(data, 'settings.cjs'), '--port', String(port)],
  }),
  ready: '/',
  webSockets: true,
  state: ({ data }) => {
    const nodes: { id: string }[] = JSON.parse(readFileSync(path.join(data, 'flows.json'), 'utf8'));
    // By id: the order in which the editor writes them says nothing.
    return { flows: Object.fromEntries(nodes.map(({ id, ...node }) => [id, node])) };
  },
});
