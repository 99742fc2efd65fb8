import { present } from '../../src/contract/evidence.ts';
import { Task } from '../../src/task/schema.ts';
import { element, evidence, page } from '../contract/evidence-sample.ts';

export const TASK = Task.parse({
  id: 'send',
  title: 'Send a message',
  startUrl: 'http://shop.localhost/',
  goal: 'Send it',
  success: {
    kind: 'and',
    children: [
      { kind: 'url', pattern: '/sent$' },
      { kind: 'not', child: { kind: 'dom_text', contains: 'Error' } },
    ],
  },
  guards: { kind: 'unchanged', except: ['/messages'] },
});

export const START = evidence({ app_state: present({ start: { messages: 0 }, now: { messages: 0 } }) });
export const SENT = evidence({
  pages: [page({ url: 'http://shop.localhost/sent', body: [element('h1', 'Sent')] })],
  app_state: present({ start: { messages: 0 }, now: { messages: 1 } }),
});

export const PASSED = {
  status: 'passed',
  stop: 'done',
  goal_verdict: 'pass',
  guard_verdict: 'pass',
  failed_contract: null,
} as const;
