import type { BrowserContext, CDPSession, Frame, Page } from 'playwright-core';
import { type UserEvent, userEventIn } from './user-actions.ts';

/** The name of the recorder's world in each frame. */
const WORLD = 'touchstone-recorder';

/** Receives everything that a user does in the tabs of a context. */
export interface UserListener {
  did(event: UserEvent, page: Page): void;
  answered(dialog: { accepted: boolean; text: string | null }, page: Page): void;
  /** The user went somewhere by the address bar, a bookmark or the history. */
  went(url: string, page: Page): void;
}

/** History transitions that the user causes, not the page. */
const OWN_WAYS = new Set(['typed', 'auto_bookmark', 'generated', 'keyword']);

/** Listens to a tab and its frames, including those in other processes. */
export async function listenTo(page: Page, listener: UserListener): Promise<void> {
  const context = page.context();
  const session = await context.newCDPSession(page);
  const frames = new Set<string>();
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) ignoreEnd(listenToFrame(context, frame, frames, page, listener));
  });
  await listenThrough(session, page, listener);
  followDialogs(session, page, listener);
  await followHistory(session, page, listener);
  for (const frame of page.frames()) {
    if (frame !== page.mainFrame()) ignoreEnd(listenToFrame(context, frame, frames, page, listener));
  }
}

async function listenToFrame(
  context: BrowserContext,
  frame: Frame,
  known: Set<string>,
  page: Page,
  listener: UserListener,
): Promise<void> {
  // Throws for a frame in the page's process, which the page's own session covers.
  const session = await context.newCDPSession(frame);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  if (known.has(targetInfo.targetId)) {
    await session.detach();
    return;
  }
  known.add(targetInfo.targetId);
  session.on('close', () => known.delete(targetInfo.targetId));
  await listenThrough(session, page, listener);
}

async function listenThrough(session: CDPSession, page: Page, listener: UserListener): Promise<void> {
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    const event = name === BINDING ? userEventIn(payload) : null;
    if (event !== null) listener.did(event, page);
  });
  await session.send('Page.enable');
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD });
  await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: IN_PAGE,
    worldName: WORLD,
    runImmediately: true,
  });
}

function followDialogs(session: CDPSession, page: Page, listener: UserListener): void {
  let isPrompt = false;
  session.on('Page.javascriptDialogOpening', ({ type }) => {
    isPrompt = type === 'prompt';
  });
  session.on('Page.javascriptDialogClosed', ({ result, userInput }) => {
    listener.answered({ accepted: result, text: isPrompt && result ? userInput : null }, page);
  });
}

async function followHistory(session: CDPSession, page: Page, listener: UserListener): Promise<void> {
  let place = (await session.send('Page.getNavigationHistory')).currentIndex;
  const look = async (): Promise<void> => {
    const { entries, currentIndex } = await session.send('Page.getNavigationHistory');
    const entry = entries[currentIndex];
    const before = place;
    place = currentIndex;
    if (entry === undefined || !/^https?:/.test(entry.url)) return;
    const isBack = currentIndex < before;
    const isOwn = currentIndex > before && OWN_WAYS.has(entry.transitionType);
    if (isBack || isOwn) listener.went(entry.url, page);
  };
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) ignoreEnd(look());
  });
}

/** Ignores errors of frames and tabs that are gone. */
function ignoreEnd(work: Promise<void>): void {
  work.catch(() => {});
}

/** The function through which the recorder in a page reports events. */
export const BINDING = 'touchstoneUserEvent';

/**
 * Reports each trusted event of a user before the page receives it. It runs in an isolated world, so that the page can neither
 * overwrite what it uses nor call the binding. Names follow "Accessible Name and Description Computation".
 */
export const IN_PAGE = `(() => {
  if (globalThis.isRecording) return;
  globalThis.isRecording = true;
  const LIMIT = { name: 200, texts: 200, text: 80, others: 5, looked: 3000 };
  const INPUTS = { button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio',
    range: 'slider', number: 'spinbutton', search: 'searchbox' };
  const TAGS = { button: 'button', textarea: 'textbox', option: 'option', summary: 'generic' };
  const WIDGETS = new Set(('button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option treeitem slider ' +
    'textbox searchbox combobox spinbutton listbox gridcell').split(' '));
  const BY_CONTENT = new Set(('button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option treeitem ' +
    'gridcell generic').split(' '));
  const TYPED = new Set(['textbox', 'searchbox', 'spinbutton', 'combobox']);
  const squeeze = (text) => text.replace(/\\s+/g, ' ').trim();
  const isNative = (element) => ['input', 'textarea', 'select'].includes(element.localName);
  const roleOf = (element) => {
    const given = (element.getAttribute('role') ?? '').trim().split(/\\s+/)[0];
    if (given !== '') return given.toLowerCase();
    if (element.localName === 'a' || element.localName === 'area') return element.hasAttribute('href') ? 'link' : '';
    if (element.localName === 'select') return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
    if (element.localName !== 'input') return TAGS[element.localName] ?? '';
    const role = INPUTS[element.type] ?? 'textbox';
    return element.hasAttribute('list') && (role === 'textbox' || role === 'searchbox') ? 'combobox' : role;
  };
  const isHidden = (element) => element.getAttribute('aria-hidden') === 'true' || !element.checkVisibility({ visibilityProperty: true });
  const textOf = (node, skipped) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || node === skipped) return '';
    if (['script', 'style', 'select', 'textarea'].includes(node.localName)) return '';
    if (node.localName === 'br') return ' ';
    const style = getComputedStyle(node);
    if (node.getAttribute('aria-hidden') === 'true' || (style.display === 'none' && node.localName !== 'option')) return '';
    const label = node.getAttribute('aria-label') ?? (node.localName === 'img' ? node.alt : '');
    if (label !== '') return label;
    const slotted = node.localName === 'slot' ? node.assignedNodes() : [];
    const inside = slotted.length > 0 ? slotted : (node.shadowRoot ?? node).childNodes;
    const text = [...inside].map((each) => textOf(each, skipped)).join('');
    return style.display.startsWith('inline') || style.display === 'contents' ? text : ' ' + text + ' ';
  };
  const nameOf = (element, role) => {
    const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\\s+/).filter((id) => id !== '');
    const isButton = element.localName === 'input' && role === 'button';
    const ways = [
      () => ids.map((id) => element.getRootNode().getElementById?.(id)).filter(Boolean).map((each) => textOf(each, element)).join(' '),
      () => element.getAttribute('aria-label'),
      () => isButton && (element.type === 'image' ? element.alt : element.value || { submit: 'Submit', reset: 'Reset' }[element.type]),
      () => [...(element.labels ?? [])].map((label) => textOf(label, element)).join(' '),
      () => !isNative(element) && BY_CONTENT.has(role) && textOf(element, null),
      () => element.getAttribute('title'),
      () => element.getAttribute('placeholder'),
    ];
    for (const way of ways) {
      const name = squeeze(way() || '');
      if (name !== '') return name.slice(0, LIMIT.name);
    }
    return '';
  };
  const similar = (element, role) =>
    [...element.getRootNode().querySelectorAll(element.localName + ', [role="' + CSS.escape(role) + '"]')]
      .slice(0, LIMIT.looked)
      .filter((each) => roleOf(each) === role && !isHidden(each));
  const textsNow = () => {
    const found = new Set();
    const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    for (let looked = 0; looked < LIMIT.looked && found.size < LIMIT.texts && walk.nextNode(); looked += 1) {
      const { parentElement: parent, data } = walk.currentNode;
      const text = squeeze(data);
      if (text.length < 3 || text.length > LIMIT.text || ['script', 'style', 'option', 'title'].includes(parent.localName)) continue;
      if (parent.checkVisibility({ visibilityProperty: true })) found.add(text);
    }
    return [...found];
  };
  const send = (message) => {
    globalThis.${BINDING}(JSON.stringify({ texts: textsNow(), ...message }));
  };
  const aimed = (element, role) => {
    const name = nameOf(element, role);
    const same = similar(element, role);
    const names = same.map((each) => nameOf(each, role));
    return {
      role,
      name,
      isFirst: same.length === 0 || same[names.indexOf(name)] === element,
      others: [...new Set(names)].filter((each) => each !== '' && each !== name).slice(0, LIMIT.others),
    };
  };
  const unnamed = (what) => {
    send({ kind: 'unnamed', what: what.slice(0, LIMIT.name) });
  };
  const isOfUser = (event) => event.isTrusted === true;
  const pathOf = (event) => event.composedPath().filter((each) => each instanceof Element);
  let lastTyped = null;
  addEventListener('click', (event) => {
    if (!isOfUser(event) || event.button !== 0) return;
    const path = pathOf(event);
    const at = path.findIndex((each) => WIDGETS.has(roleOf(each)) || each.localName === 'summary');
    const element = path[at];
    // The click on what a label is for comes next.
    if (path.slice(0, at === -1 ? path.length : at).some((each) => each.localName === 'label' && each.control !== null)) return;
    if (element === undefined) {
      const [target] = path;
      if (target !== undefined && getComputedStyle(target).cursor === 'pointer')
        unnamed('a click on "' + squeeze(textOf(target, null)).slice(0, 60) + '", which has no role');
      return;
    }
    const role = roleOf(element);
    // Focusing a field is not a step, and a choice from a native list is reported when it changes.
    if (isNative(element) && (TYPED.has(role) || role === 'listbox' || role === 'slider')) return;
    if (element.localName === 'option' || role === 'textbox') return;
    lastTyped = null;
    const message = { kind: 'click', byKey: event.detail === 0, ...aimed(element, role) };
    if (message.name === '') unnamed('a click on a ' + role + ' without a name');
    else send(message);
  }, true);
  addEventListener('input', (event) => {
    const [element] = pathOf(event);
    if (!isOfUser(event) || element === undefined) return;
    const role = roleOf(element);
    const isField = element.localName === 'textarea' || (element.localName === 'input' && TYPED.has(role));
    if (element.localName === 'select' || ['checkbox', 'radio', 'file'].includes(element.type)) return;
    if (!isField && !(element.isContentEditable && role === 'textbox')) {
      if (lastTyped !== element) unnamed('input to a ' + (element.type ?? element.localName) + ', which no step can fill');
      lastTyped = element;
      return;
    }
    const isSecret = element.type === 'password' || /password|one-time-code|cc-/.test(element.autocomplete ?? '');
    const text = isField ? element.value : element.innerText;
    const isMore = lastTyped === element;
    lastTyped = element;
    if (isMore) send({ kind: 'typed', text, isSecret, texts: [] });
    else send({ kind: 'fill', type: element.type ?? 'text', text, isSecret, ...aimed(element, role) });
  }, true);
  addEventListener('change', (event) => {
    const [element] = pathOf(event);
    if (!isOfUser(event) || element === undefined) return;
    if (element.localName === 'input' && element.type === 'file') unnamed('a file, which no step can choose');
    if (element.localName !== 'select') return;
    lastTyped = null;
    if (element.multiple) {
      unnamed('a choice in a list of several');
      return;
    }
    const labels = [...element.options].filter((each) => !each.disabled).map((each) => squeeze(each.label));
    const option = squeeze(element.selectedOptions[0]?.label ?? '');
    const { name, isFirst } = aimed(element, roleOf(element));
    send({ kind: 'choose', name, isFirst, option, others: labels.filter((each) => each !== option && each !== '').slice(0, LIMIT.others) });
  }, true);
  addEventListener('keydown', (event) => {
    const [element] = pathOf(event);
    if (!isOfUser(event) || event.isComposing || element === undefined) return;
    if (!['Enter', 'Escape', 'ArrowUp', 'ArrowDown'].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    const isText = element.localName === 'textarea' || element.isContentEditable;
    if (element.localName === 'select' || (isText && event.key !== 'Escape')) return;
    const opens = ['aria-expanded', 'aria-controls', 'aria-activedescendant', 'role'].some((name) => element.hasAttribute(name));
    if (event.key.startsWith('Arrow') && !opens) return;
    send({ kind: 'press', key: event.key });
  }, true);
})();`;
