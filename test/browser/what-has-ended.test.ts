import { expect, test } from 'vitest';
import { FakeBrowser } from './fake-browser.ts';

const MANY = [1, 2, 3, 4, 5];

function attached(sessionId: string, browserContextId: string): object {
  const targetInfo = { targetId: sessionId, type: 'page', title: '', url: '', attached: true, browserContextId };
  return { method: 'Target.attachedToTarget', params: { sessionId, targetInfo, waitingForDebugger: false } };
}

function detached(sessionId: string): object {
  return { method: 'Target.detachedFromTarget', params: { sessionId } };
}

async function withGuest() {
  const browser = new FakeBrowser({ sessions: 10, pending: 3 });
  await browser.observed();
  const told: string[] = [];
  const guest = await browser.switchboard.admit({
    onMessage: (message) => told.push(message.toString()),
    onEnd: () => {},
    onRoom: () => {},
  });
  return { browser, guest, told };
}

test('no caller waits for a command to an ended session', async () => {
  const { browser, guest, told } = await withGuest();
  for (const id of MANY) {
    browser.say({ ...attached(`PAGE${id}`, 'C'), sessionId: 'GUEST1' });
    guest.send({ id, method: 'Page.enable', params: '{}', sessionId: `PAGE${id}` });
    browser.say({ ...detached(`PAGE${id}`), sessionId: 'GUEST1' });
  }
  expect(told.filter((message) => message.includes('Session with given id not found'))).toHaveLength(MANY.length);
});

test('a caller waits for a command to a live session', async () => {
  const { browser, guest } = await withGuest();
  browser.say({ ...attached('PAGE', 'C'), sessionId: 'GUEST1' });
  const send = (): void => {
    for (const id of MANY) guest.send({ id, method: 'Page.enable', params: '{}', sessionId: 'PAGE' });
  };
  expect(send).toThrow('3 commands wait for its replies');
});

test('pages keep their numbers for the life of their context', async () => {
  const browser = new FakeBrowser();
  const { observer } = await browser.observed();
  const numberOf = (session: string): string | undefined => {
    browser.say(attached(session, 'C'));
    const [page] = observer.pages('C');
    browser.say(detached(session));
    return page?.id;
  };
  expect([numberOf('A'), numberOf('B')]).toEqual(['page-1', 'page-2']);
  observer.contextEnded('C');
  expect(numberOf('D')).toBe('page-1');
});
